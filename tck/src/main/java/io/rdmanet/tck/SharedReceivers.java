package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;

/// A shared receive queue in a domain of its own, with memory for its receives and with queue pairs
/// that use it: the fixture of the contracts of shared receive queues. Close it.
final class SharedReceivers implements AutoCloseable {
    private final Duration patience;
    private final Path path;
    private final ProtectionDomain domain;
    private final SharedReceiveQueue queue;
    private final Arena arena = Arena.ofShared();
    private final Deque<AutoCloseable> users = new ArrayDeque<>();
    private final Deque<MemoryRegion> memory = new ArrayDeque<>();

    private SharedReceivers(
            Context context, ProtectionDomain domain, SharedReceiveQueue queue, Duration patience)
            throws VerbsException {
        this.patience = patience;
        this.domain = domain;
        this.queue = queue;
        path = Path.toItself(context);
    }

    static SharedReceivers open(
            Context context, int maxReceives, int maxScatterGather, Duration patience)
            throws VerbsException {
        ProtectionDomain domain = context.allocateProtectionDomain();
        return new SharedReceivers(
                context,
                domain,
                domain.createSharedReceiveQueue(maxReceives, maxScatterGather),
                patience);
    }

    SharedReceiveQueue queue() {
        return queue;
    }

    ProtectionDomain domain() {
        return domain;
    }

    Path path() {
        return path;
    }

    /// A connection whose right end takes its receives from the queue.
    ConnectedPair connect() throws Exception {
        return connect(PairOptions.defaults());
    }

    ConnectedPair connect(PairOptions options) throws Exception {
        ConnectedPair pair = ConnectedPair.toSharedQueue(queue, options, patience);
        users.push(pair);
        return pair;
    }

    /// A queue pair of datagrams that takes its receives from the queue.
    DatagramEnd openDatagram() throws Exception {
        DatagramEnd end = DatagramEnd.open(queue, PairOptions.defaults(), patience);
        users.push(end);
        return end;
    }

    MemoryRegion memory(long bytes) throws VerbsException {
        return memory(MemoryKind.ALLOCATED, bytes);
    }

    MemoryRegion memory(MemoryKind kind, long bytes) throws VerbsException {
        MemoryRegion region = kind.create(domain, arena, bytes, EnumSet.of(AccessFlag.LOCAL_WRITE));
        memory.push(region);
        return region;
    }

    /// Posts one receive.
    ///
    /// @return whether it was accepted
    boolean tryPost(long id, MemoryRegion region, long offset, int length) throws VerbsException {
        try (PostReceive receive = queue.preparePostReceive(1, 1)) {
            receive.request(0).workRequestId(id).scatterGather(0, region, offset, length);
            return receive.execute(0, 1) == 1;
        }
    }

    /// Posts receives with the identifiers `first` to `first + count - 1`, one slot each, in the
    /// slots of these numbers.
    void post(int first, int count, MemoryRegion region, int slotBytes) throws VerbsException {
        for (int i = first; i < first + count; i++) {
            assertThat(tryPost(i, region, (long) i * slotBytes, slotBytes))
                    .as("receive %d accepted", i)
                    .isTrue();
        }
    }

    @Override
    public void close() {
        Closing closing = new Closing();
        closing.closeAll(users);
        closing.close(queue);
        closing.closeAll(memory);
        closing.close(domain);
        closing.close(arena.scope().isAlive() ? arena : null);
        closing.rethrow();
    }
}
