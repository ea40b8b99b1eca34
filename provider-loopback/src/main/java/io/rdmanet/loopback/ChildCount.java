package io.rdmanet.loopback;

import java.util.concurrent.atomic.AtomicInteger;

/// How many children an object has, so that it can refuse to close before them.
final class ChildCount {
    private final AtomicInteger open = new AtomicInteger();

    void add() {
        open.incrementAndGet();
    }

    void remove() {
        open.decrementAndGet();
    }

    /// Throws if there are children.
    ///
    /// @param what the parent and its children, for the message: `protection domain 3 has open
    ///   queue pairs or memory regions`
    void requireNone(String what) {
        int count = open.get();
        if (count != 0) {
            throw new IllegalStateException(what + ": " + count + "; close them first");
        }
    }
}
