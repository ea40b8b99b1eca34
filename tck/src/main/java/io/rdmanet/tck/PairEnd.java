package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One end of a [ConnectedPair], with its queues and memory. Closing it closes everything made from
/// it in the order the verbs want. Its tests decide which thread does what.
final class PairEnd implements AutoCloseable {
    /// Creates the queue pair: [ProtectionDomain#createQueuePair], or that of the connection
    /// manager.
    @FunctionalInterface
    interface QueuePairFactory {
        QueuePair create(ProtectionDomain domain, QueuePairInitialAttributes attributes)
                throws VerbsException;
    }

    private final Context context;
    private final PairOptions options;
    private final Duration patience;
    private final boolean ownsDomain;
    private final boolean ownsQueues;
    private final Arena arena = Arena.ofShared();
    private final Deque<AutoCloseable> memory = new ArrayDeque<>();
    private final Deque<AutoCloseable> prepared = new ArrayDeque<>();
    private final ProtectionDomain domain;
    private final Queues queues;
    private final QueuePair queuePair;

    /// Completion queues, and who takes from them.
    private record Queues(
            @Nullable CompletionChannel channel,
            CompletionQueue sendQueue,
            CompletionQueue receiveQueue,
            Poller sends,
            Poller receives) {
        static Queues create(Context context, PairOptions options, Duration patience)
                throws VerbsException {
            CompletionChannel channel =
                    options.layout().hasChannel() ? context.createCompletionChannel() : null;
            int entries = options.completionEntries();
            boolean isMixed = options.layout().isMixed();
            CompletionQueue sendQueue =
                    context.createCompletionQueue(entries, isMixed ? channel : null);
            CompletionQueue receiveQueue =
                    isMixed ? sendQueue : context.createCompletionQueue(entries, channel);
            Poller sends = new Poller(sendQueue, patience);
            Poller receives = isMixed ? sends : new Poller(receiveQueue, patience);
            return new Queues(channel, sendQueue, receiveQueue, sends, receives);
        }
    }

    PairEnd(Context context, PairOptions options, Duration patience, QueuePairFactory factory)
            throws VerbsException {
        this(context, options, patience, factory, null);
    }

    /// @param host whose domain and completion queues are used, too; or null for own ones
    PairEnd(
            Context context,
            PairOptions options,
            Duration patience,
            QueuePairFactory factory,
            @Nullable PairEnd host)
            throws VerbsException {
        this.context = context;
        this.options = options;
        this.patience = patience;
        ownsDomain = host == null;
        ownsQueues = host == null;
        domain = host == null ? context.allocateProtectionDomain() : host.domain;
        queues = host == null ? Queues.create(context, options, patience) : host.queues;
        queuePair = createQueuePair(factory);
    }

    /// An end with completion queues of its own in a domain of somebody else's.
    PairEnd(
            ProtectionDomain domain,
            PairOptions options,
            Duration patience,
            QueuePairFactory factory)
            throws VerbsException {
        this.context = domain.context();
        this.options = options;
        this.patience = patience;
        this.domain = domain;
        ownsDomain = false;
        ownsQueues = true;
        queues = Queues.create(context, options, patience);
        queuePair = createQueuePair(factory);
    }

    /// A peer may have gone before its queue pair is made: then nothing must stay behind.
    private QueuePair createQueuePair(QueuePairFactory factory) throws VerbsException {
        try {
            return factory.create(domain, attributes());
        } catch (VerbsException | RuntimeException failure) {
            Closing closing = new Closing();
            closeAround(closing);
            closing.rethrow();
            throw failure;
        }
    }

    private QueuePairInitialAttributes attributes() {
        return new QueuePairInitialAttributes(
                QueuePairType.RELIABLE_CONNECTION,
                queues.sendQueue(),
                queues.receiveQueue(),
                null,
                options.capacity(),
                options.signalsAll());
    }

    Context context() {
        return context;
    }

    PairOptions options() {
        return options;
    }

    ProtectionDomain domain() {
        return domain;
    }

    CompletionChannel channel() {
        assertThat(queues.channel()).as("channel of layout %s", options.layout()).isNotNull();
        return java.util.Objects.requireNonNull(queues.channel());
    }

    CompletionQueue sendQueue() {
        return queues.sendQueue();
    }

    CompletionQueue receiveQueue() {
        return queues.receiveQueue();
    }

    QueuePair queuePair() {
        return queuePair;
    }

    /// Completions of sends (of everything if the layout is mixed).
    Poller sends() {
        return queues.sends();
    }

    /// Completions of receives (of everything if the layout is mixed).
    Poller receives() {
        return queues.receives();
    }

    /// Every access this device can give.
    Set<AccessFlag> fullAccess() {
        return fullAccess(context);
    }

    static Set<AccessFlag> fullAccess(Context context) {
        Set<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE);
        for (var capability : context.provider().capabilities()) {
            switch (capability) {
                case ONE_SIDED -> {
                    access.add(AccessFlag.REMOTE_READ);
                    access.add(AccessFlag.REMOTE_WRITE);
                }
                case ATOMICS -> access.add(AccessFlag.REMOTE_ATOMIC);
                default -> {}
            }
        }
        return access;
    }

    /// Memory with full access, freed with this end.
    MemoryRegion memory(long bytes) throws VerbsException {
        return memory(MemoryKind.ALLOCATED, bytes);
    }

    /// Memory with full access, freed with this end.
    MemoryRegion memory(MemoryKind kind, long bytes) throws VerbsException {
        return memory(kind, bytes, fullAccess());
    }

    MemoryRegion memory(MemoryKind kind, long bytes, Set<AccessFlag> access) throws VerbsException {
        MemoryRegion region = kind.create(domain, arena, bytes, access);
        memory.push(region);
        return region;
    }

    PostSend prepareSend(SendOpcode opcode, int capacity) throws VerbsException {
        return prepareSend(SendShape.of(opcode), capacity);
    }

    PostSend prepareSend(SendShape shape, int capacity) throws VerbsException {
        PostSend send = queuePair.preparePostSend(shape, capacity);
        prepared.push(send);
        return send;
    }

    PostReceive prepareReceive(int maxScatterGather, int capacity) throws VerbsException {
        PostReceive receive = queuePair.preparePostReceive(maxScatterGather, capacity);
        prepared.push(receive);
        return receive;
    }

    /// Posts one receive.
    void postReceive(long id, MemoryRegion region, long offset, int length) throws VerbsException {
        try (PostReceive receive = queuePair.preparePostReceive(1, 1)) {
            receive.request(0).workRequestId(id).scatterGather(0, region, offset, length);
            assertThat(receive.execute(0, 1)).as("receives accepted").isEqualTo(1);
        }
    }

    /// Posts receives with the identifiers 0 to count - 1, one slot each.
    void postReceives(int count, MemoryRegion region, int slotBytes) throws VerbsException {
        for (int i = 0; i < count; i++) {
            postReceive(i, region, (long) i * slotBytes, slotBytes);
        }
    }

    /// Posts one signaled SEND.
    void postSend(long id, MemoryRegion region, long offset, int length) throws VerbsException {
        postSend(id, region, offset, length, SendFlags.SIGNALED);
    }

    /// Posts one SEND.
    void postSend(long id, MemoryRegion region, long offset, int length, int flags)
            throws VerbsException {
        try (PostSend send = queuePair.preparePostSend(SendShape.of(SendOpcode.SEND), 1)) {
            send.request(0).workRequestId(id).flags(flags).scatterGather(0, region, offset, length);
            assertThat(send.execute(0, 1)).as("sends accepted").isEqualTo(1);
        }
    }

    /// Waits until a fault or a call has put the queue pair into a state.
    void awaitState(QueuePairState state) throws Exception {
        assertThat(Waiting.until(patience, () -> queuePair.state() == state))
                .as("queue pair turns %s, is %s", state, queuePair.state())
                .isTrue();
    }

    @Override
    public void close() {
        Closing closing = new Closing();
        closing.closeAll(prepared);
        closing.close(queuePair);
        closeAround(closing);
        closing.rethrow();
    }

    private void closeAround(Closing closing) {
        if (ownsQueues) {
            closing.close(queues.sendQueue());
            closing.close(queues.receiveQueue());
            closing.close(queues.channel());
        }
        closing.closeAll(memory);
        closing.close(ownsDomain ? domain : null);
        closing.close(arena.scope().isAlive() ? arena : null);
    }
}
