package io.rdmanet.ffm.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// One queue's use of one resource: where in the queue it was named last.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | lastPosition | the posting thread | opaque | opaque | [NamedResource]: the handshake |
final class ResourceUse {
    private static final VarHandle LAST_POSITION;

    static {
        try {
            LAST_POSITION =
                    MethodHandles.lookup()
                            .findVarHandle(ResourceUse.class, "lastPosition", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final long NEVER = -1;

    private final NamedResource resource;
    private final WorkQueueAccount account;
    private long lastPosition = NEVER;

    ResourceUse(NamedResource resource, WorkQueueAccount account) {
        this.resource = resource;
        this.account = account;
    }

    NamedResource resource() {
        return resource;
    }

    WorkQueueAccount account() {
        return account;
    }

    /// The request at a position is about to be posted.
    void noteAt(long position) {
        LAST_POSITION.setOpaque(this, position);
    }

    /// The request at a position was not posted after all, nor any behind it.
    void withdrawFrom(long position) {
        if (lastPosition >= position) {
            // Perhaps some position before it, perhaps never; what was posted last is on the safe
            // side of both.
            LAST_POSITION.setOpaque(this, position - 1);
        }
    }

    long lastPosition() {
        return (long) LAST_POSITION.getOpaque(this);
    }

    boolean isOutstanding() {
        return account.isOutstanding(this);
    }
}
