package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// What the soft device costs a message when one thread is both ends, so that no line moves between
/// processors: receive posted, send posted and executed, both completions polled.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LoopbackBenchmark {
    private static final int CHAIN = 32;
    private static final int DEPTH = 4 * CHAIN;
    private static final int LONGEST = 1024;
    private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE);

    private Context context;
    private ProtectionDomain domain;
    private CompletionQueue[] queues;
    private QueuePair sender;
    private QueuePair receiver;
    private MemoryRegion region;
    private PostReceive receives;
    private PostSend shortSends;
    private PostSend longSends;
    private PollCompletions sent;
    private PollCompletions received;
    private int slot;

    private ReceiveQueue ringOwner;
    private RemoteQueuePair ringPeer;
    private LoopbackPostReceive ringReceives;
    private LoopbackPollCompletions ringPoll;

    @Setup
    public void open() throws VerbsException {
        openRing();
        LoopbackProvider provider = new LoopbackProvider();
        context = provider.open(provider.devices().getFirst().name());
        domain = context.allocateProtectionDomain();
        queues = new CompletionQueue[4];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = context.createCompletionQueue(DEPTH, null);
        }
        sender = queuePair(0);
        receiver = queuePair(2);
        connect(sender, receiver);
        connect(receiver, sender);
        sender.modify(QueuePairAttributes.toReadyToSend(1));
        region = domain.allocate(2L * DEPTH * LONGEST, ACCESS);
        receives = receiver.preparePostReceive(1, DEPTH);
        for (int i = 0; i < DEPTH; i++) {
            receives.request(i).scatterGather(0, region, (long) i * LONGEST, LONGEST);
        }
        shortSends = prepare(64);
        longSends = prepare(LONGEST);
        sent = queues[0].preparePoll(CHAIN);
        received = queues[3].preparePoll(CHAIN);
    }

    private static IllegalStateException lost() {
        return new IllegalStateException("gate: messages were lost");
    }

    private QueuePair queuePair(int queue) throws VerbsException {
        QueuePair made =
                domain.createQueuePair(
                        QueuePairInitialAttributes.reliable(
                                queues[queue],
                                queues[queue + 1],
                                QueuePairCapacity.of(DEPTH, DEPTH)));
        made.modify(QueuePairAttributes.toInit(1, ACCESS));
        return made;
    }

    private void connect(QueuePair own, QueuePair peer) throws VerbsException {
        GlobalIdentifier gid = context.gidTable(1).getFirst().gid();
        own.modify(
                QueuePairAttributes.toReadyToReceive(
                        AddressVector.to(gid, 1, 0), PathMtu.MTU_4096, peer.number(), 1));
    }

    private PostSend prepare(int size) throws VerbsException {
        PostSend send = sender.preparePostSend(SendShape.of(SendOpcode.SEND), DEPTH);
        for (int i = 0; i < DEPTH; i++) {
            send.request(i)
                    .flags((i + 1) % CHAIN == 0 ? SendFlags.SIGNALED : SendFlags.NONE)
                    .scatterGather(0, region, (long) (DEPTH + i) * LONGEST, size);
        }
        return send;
    }

    private void openRing() {
        int stride = QueuePairDescriptor.stride(0);
        MemorySegment memory =
                Arena.ofAuto().allocate(QueuePairDescriptor.bytes(DEPTH, stride), 64);
        Words.setInt(memory.address() + QueuePairDescriptor.CAPACITY_OFFSET, DEPTH);
        Words.setInt(memory.address() + QueuePairDescriptor.STRIDE_OFFSET, stride);
        ringOwner = new ReceiveQueue(memory, DEPTH, 0);
        ringPeer = new RemoteQueuePair(1, null, memory, null, null);
        ringReceives = new LoopbackPostReceive(null, null, 0, CHAIN);
        ringPoll = Prepared.poll(CHAIN);
    }

    /// Messages of 64 bytes.
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public int chain64() throws VerbsException {
        return chain(shortSends, 64);
    }

    /// Messages of 1 KiB.
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public int chain1024() throws VerbsException {
        return chain(longSends, LONGEST);
    }

    private int chain(PostSend sends, int size) throws VerbsException {
        int accepted = receives.execute(slot, CHAIN) + sends.execute(slot, CHAIN);
        slot = (slot + CHAIN) % DEPTH;
        int arrived = received.execute();
        if (accepted != 2 * CHAIN || arrived != CHAIN || sent.execute() != 1) {
            throw lost();
        }
        for (int i = 0; i < arrived; i++) {
            if (!received.succeeded(i) || received.byteLength(i) != size) {
                throw lost();
            }
        }
        return arrived;
    }

    /// The ring of receives and that of their completions, and nothing else.
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public int ring() {
        ringOwner.post(ringReceives, 0, CHAIN);
        for (int i = 0; i < CHAIN && ringPeer.nextReceive() != 0; i++) {
            ringPeer.completeReceive(0, 64, 0, false);
        }
        ringPeer.announce();
        int arrived = ringOwner.poll(ringPoll, 0, 1);
        if (arrived != CHAIN) {
            throw lost();
        }
        return arrived;
    }

    @TearDown
    public void close() {
        receives.close();
        shortSends.close();
        longSends.close();
        sender.close();
        receiver.close();
        for (CompletionQueue queue : queues) {
            queue.close();
        }
        region.close();
        domain.close();
        context.close();
    }
}
