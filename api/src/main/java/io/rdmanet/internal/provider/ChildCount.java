package io.rdmanet.internal.provider;

import java.util.concurrent.atomic.AtomicInteger;

/// Whether an object is open, and how many children it has: it refuses to close before them, and
/// they refuse to be made once it is closed. Owned by that object, and has nothing to release.
///
/// **Safe for use by any thread.** Nothing here blocks.
public final class ChildCount {
    private static final int CLOSED = -1;

    private final String owner;
    private final AtomicInteger count = new AtomicInteger();

    /// @param owner what it is, for messages: `the protection domain`
    public ChildCount(String owner) {
        this.owner = owner;
    }

    /// Takes part in the object's life, as a child or for the time of one call. To be followed by
    /// [#remove()].
    ///
    /// @param verb what is about to be done (`reg_mr`)
    /// @throws IllegalStateException if the object is closed
    public void add(String verb) {
        int seen = count.get();
        while (seen != CLOSED && !count.compareAndSet(seen, seen + 1)) {
            seen = count.get();
        }
        if (seen == CLOSED) {
            throw new IllegalStateException(verb + ": " + owner + " is closed");
        }
    }

    public void remove() {
        count.decrementAndGet();
    }

    /// Closes the object.
    ///
    /// @param children what they are, for the message: `queue pairs or memory regions`
    /// @return whether this call did so; false if it was closed before
    /// @throws IllegalStateException if there are children
    public boolean close(String children) {
        if (count.compareAndSet(0, CLOSED)) {
            return true;
        }
        int seen = count.get();
        if (seen > 0) {
            throw new IllegalStateException(
                    owner + " has open " + children + ": " + seen + "; close them first");
        }
        return false;
    }

    /// Undoes [#close(String)].
    public void reopen() {
        count.set(0);
    }

    public boolean isClosed() {
        return count.get() == CLOSED;
    }
}
