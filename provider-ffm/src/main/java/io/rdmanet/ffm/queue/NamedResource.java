package io.rdmanet.ffm.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// Something that work requests name (a memory region, an address handle), and that must not be
/// closed while one of them is outstanding. Knowing that costs nothing per completion: each queue
/// notes the last position at which it named the resource, and that position is compared with the
/// queue's progress when somebody wants to close.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | isClosed | the closing thread | opaque | opaque | uses' positions: [ExecutionGuard#handshake()] between |
/// | uses | any thread under the monitor | volatile | volatile | copy on write |
final class NamedResource {
    private static final VarHandle IS_CLOSED;

    static {
        try {
            IS_CLOSED =
                    MethodHandles.lookup()
                            .findVarHandle(NamedResource.class, "isClosed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through IS_CLOSED
    private boolean isClosed;

    private volatile ResourceUse[] uses = {};

    boolean isClosed() {
        return (boolean) IS_CLOSED.getOpaque(this);
    }

    /// Where a queue notes its use of the resource.
    ResourceUse useBy(WorkQueueAccount account) {
        for (ResourceUse use : uses) {
            if (use.account() == account) {
                return use;
            }
        }
        return addUseBy(account);
    }

    private synchronized ResourceUse addUseBy(WorkQueueAccount account) {
        for (ResourceUse use : uses) {
            if (use.account() == account) {
                return use;
            }
        }
        ResourceUse added = new ResourceUse(this, account);
        ResourceUse[] kept =
                Arrays.stream(uses)
                        .filter(use -> !use.account().isRetired())
                        .toArray(ResourceUse[]::new);
        ResourceUse[] longer = Arrays.copyOf(kept, kept.length + 1);
        longer[kept.length] = added;
        uses = longer;
        return added;
    }

    /// Closes it: no request that names it is posted any more.
    ///
    /// @param what what is refused and why, for the message: `dereg_mr: memory region 0x12 ...`
    /// @throws IllegalStateException while a request that names it is outstanding; it is open then
    synchronized void close(String what) {
        IS_CLOSED.setOpaque(this, true);
        ExecutionGuard.handshake();
        for (ResourceUse use : uses) {
            if (use.isOutstanding()) {
                IS_CLOSED.setOpaque(this, false);
                throw new IllegalStateException(
                        what
                                + " is named by work outstanding on "
                                + use.account().owner()
                                + "; await its completions first");
            }
        }
        // They are kept: chains have them, too, and it may be reopened.
    }

    /// Undoes [#close(String)].
    void reopen() {
        IS_CLOSED.setOpaque(this, false);
    }
}
