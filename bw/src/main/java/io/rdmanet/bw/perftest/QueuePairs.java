package io.rdmanet.bw.perftest;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.RawVerb;
import io.rdmanet.bw.perftest.wire.Exchange;
import io.rdmanet.bw.perftest.wire.KeyMessage;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;

/// The verbs objects of one run against a C tool: all queue pairs on one pair of completion queues
/// and in one region of memory. The caller closes it, after what was prepared on the queue pairs.
final class QueuePairs implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int SEQUENCE_MASK = 0xffffff;
    private static final int MAX_OUTSTANDING_READS = 0xffff;

    /// What the C tools have.
    private static final int HOP_LIMIT = 255;

    private final PerftestPlan plan;
    private final PerftestDevice device;
    private final Buffers buffers;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final CompletionQueue sendCompletions;
    private final CompletionQueue receiveCompletions;
    private final MemoryRegion region;
    private final QueuePair[] queuePairs;
    private final KeyMessage[] own;
    private KeyMessage[] peer = {};

    /// Makes them, ready to be told of to the peer.
    QueuePairs(PerftestPlan plan, PerftestDevice device, Buffers buffers) throws VerbsException {
        this.plan = plan;
        this.device = device;
        this.buffers = buffers;
        try {
            int count = plan.queuePairs();
            int sends = plan.isActive() ? plan.sendDepth() : 1;
            int receives = plan.isReceiver() ? plan.receiveDepth() : 1;
            ProtectionDomain domain = keep(device.context().allocateProtectionDomain());
            region = keep(domain.allocate(buffers.bytes(), access()));
            sendCompletions = keep(device.context().createCompletionQueue(count * sends, null));
            receiveCompletions =
                    keep(device.context().createCompletionQueue(count * receives, null));
            queuePairs = new QueuePair[count];
            own = new KeyMessage[count];
            for (int i = 0; i < count; i++) {
                queuePairs[i] =
                        keep(
                                domain.createQueuePair(
                                        QueuePairInitialAttributes.reliable(
                                                sendCompletions,
                                                receiveCompletions,
                                                QueuePairCapacity.of(sends, receives))));
                queuePairs[i].modify(QueuePairAttributes.toInit(device.portNumber(), access()));
                own[i] = keyMessage(i);
            }
        } catch (VerbsException | RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private <T extends AutoCloseable> T keep(T made) {
        open.push(made);
        return made;
    }

    private Set<AccessFlag> access() {
        return switch (plan.verb()) {
            case SEND -> EnumSet.of(AccessFlag.LOCAL_WRITE);
            case WRITE -> EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            case READ -> EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
        };
    }

    private KeyMessage keyMessage(int index) {
        return new KeyMessage(
                device.port().localIdentifier(),
                outstandingReads(),
                queuePairs[index].number(),
                RANDOM.nextInt(SEQUENCE_MASK + 1),
                region.remoteKey(),
                region.address() + buffers.targetOffset(index),
                device.gid().gid(),
                0);
    }

    /// RDMA READs that this end takes at once from the peer.
    private int outstandingReads() {
        return plan.verb() == RawVerb.READ
                ? Math.clamp(device.attributes().maxReadAtomic(), 1, MAX_OUTSTANDING_READS)
                : 1;
    }

    /// Exchanges keys and connects.
    void connect(Exchange exchange, Exchange.Preamble preamble) throws IOException {
        peer = exchange.keys(own);
        if (peer[0].gid().isIpv4Mapped() != own[0].gid().isIpv4Mapped()) {
            throw new ProtocolViolationException(
                    "the peer's GID "
                            + peer[0].gid()
                            + " and this end's "
                            + own[0].gid()
                            + " are of different kinds (one stands for an IPv4 address): choose"
                            + " with -x on either end");
        }
        for (int i = 0; i < queuePairs.length; i++) {
            queuePairs[i].modify(toReadyToReceive(i, preamble));
            if (plan.isActive()) {
                queuePairs[i].modify(
                        QueuePairAttributes.toReadyToSend(own[i].packetSequence())
                                .with(Attribute.MAX_READ_ATOMIC, readsAtPeer(i)));
            }
        }
    }

    private QueuePairAttributes toReadyToReceive(int index, Exchange.Preamble preamble) {
        AddressVector path =
                new AddressVector(
                        device.portNumber(),
                        peer[index].gid(),
                        device.gid().index(),
                        peer[index].localIdentifier(),
                        HOP_LIMIT,
                        0,
                        0);
        return QueuePairAttributes.toReadyToReceive(
                        path,
                        preamble.mtu(),
                        peer[index].queuePairNumber(),
                        peer[index].packetSequence())
                .with(Attribute.MAX_DESTINATION_READ_ATOMIC, outstandingReads());
    }

    /// RDMA READs in flight from this end: what the peer takes, if this device can.
    private int readsAtPeer(int index) {
        return Math.clamp(
                peer[index].outstandingReads(),
                1,
                Math.max(1, device.attributes().maxReadAtomic()));
    }

    /// How many.
    int count() {
        return queuePairs.length;
    }

    /// One of them.
    QueuePair get(int index) {
        return queuePairs[index];
    }

    /// What was told of one of them.
    KeyMessage own(int index) {
        return own[index];
    }

    /// What the peer told.
    KeyMessage peer(int index) {
        return peer[index];
    }

    /// Where messages lie.
    Buffers buffers() {
        return buffers;
    }

    /// The memory.
    MemoryRegion region() {
        return region;
    }

    /// Where sends complete.
    CompletionQueue sendCompletions() {
        return sendCompletions;
    }

    /// Where receives complete.
    CompletionQueue receiveCompletions() {
        return receiveCompletions;
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                RuntimeException next = new IllegalStateException("closing failed: " + e, e);
                if (failure == null) {
                    failure = next;
                } else {
                    failure.addSuppressed(next);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
