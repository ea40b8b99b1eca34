package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.GlobalRouteDescriptor;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A queue pair of datagrams that is ready to send, with its queues and memory: the fixture of the
/// datagram contracts. Close it.
final class DatagramEnd implements AutoCloseable {
    /// Bytes before the payload in a receive.
    static final int ROUTE = GlobalRouteDescriptor.BYTES;

    static final int QUEUE_KEY = 0x1234567;

    private static final int PORT = 1;
    private static final int PACKET_SEQUENCE = 0xfffff8; // wraps after 8 packets

    private final PairEnd end;
    private final Path path;
    private final Map<GlobalIdentifier, AddressHandle> handles = new HashMap<>();

    private DatagramEnd(PairEnd end, Path path) {
        this.end = end;
        this.path = path;
    }

    /// An end with everything of its own.
    static DatagramEnd open(Context context, PairOptions options, Duration patience)
            throws VerbsException {
        return ready(
                new PairEnd(
                        context,
                        options,
                        patience,
                        (domain, attributes) ->
                                domain.createQueuePair(datagram(attributes, null))));
    }

    /// An end in the domain of a shared queue, from which it takes its receives.
    static DatagramEnd open(SharedReceiveQueue shared, PairOptions options, Duration patience)
            throws VerbsException {
        return ready(
                new PairEnd(
                        shared.protectionDomain(),
                        options,
                        patience,
                        (domain, attributes) ->
                                domain.createQueuePair(datagram(attributes, shared))));
    }

    private static QueuePairInitialAttributes datagram(
            QueuePairInitialAttributes reliable, @Nullable SharedReceiveQueue shared) {
        QueuePairInitialAttributes own =
                QueuePairInitialAttributes.datagram(
                        reliable.sendCompletionQueue(),
                        reliable.receiveCompletionQueue(),
                        reliable.capacity());
        return shared == null ? own : own.withSharedReceiveQueue(shared);
    }

    private static DatagramEnd ready(PairEnd end) throws VerbsException {
        try {
            DatagramEnd made = new DatagramEnd(end, Path.toItself(end.context()));
            made.modifyToReadyToSend(QUEUE_KEY);
            return made;
        } catch (VerbsException | RuntimeException | Error failure) {
            end.close();
            throw failure;
        }
    }

    /// From RESET to READY_TO_SEND.
    void modifyToReadyToSend(int queueKey) throws VerbsException {
        queuePair().modify(QueuePairAttributes.toDatagramInit(PORT, queueKey));
        queuePair().modify(QueuePairAttributes.toDatagramReadyToReceive());
        queuePair().modify(QueuePairAttributes.toDatagramReadyToSend(PACKET_SEQUENCE));
    }

    QueuePair queuePair() {
        return end.queuePair();
    }

    PairEnd end() {
        return end;
    }

    Context context() {
        return end.context();
    }

    ProtectionDomain domain() {
        return end.domain();
    }

    GlobalIdentifier gid() {
        return path.vector().destinationGid();
    }

    /// The most bytes of one datagram.
    int mtu() {
        return path.mtu().bytes();
    }

    Poller sends() {
        return end.sends();
    }

    Poller receives() {
        return end.receives();
    }

    /// Room for so many datagrams of the greatest length.
    MemoryRegion memory(MemoryKind kind, int datagrams) throws VerbsException {
        return end.memory(kind, (long) datagrams * (ROUTE + mtu()));
    }

    /// Room for so many datagrams of a length.
    MemoryRegion memory(int datagrams, int length) throws VerbsException {
        return end.memory((long) datagrams * (ROUTE + length));
    }

    /// Posts receives with the identifiers 0 to count - 1, each with room for `length` bytes of
    /// payload.
    void postReceives(int count, MemoryRegion region, int length) throws VerbsException {
        end.postReceives(count, region, ROUTE + length);
    }

    /// The way to another port, made once.
    AddressHandle handleTo(GlobalIdentifier gid) throws VerbsException {
        AddressHandle known = handles.get(gid);
        if (known != null) {
            return known;
        }
        AddressHandle made = domain().createAddressHandle(path.to(gid).vector());
        handles.put(gid, made);
        return made;
    }

    PostSend prepareSend(SendOpcode opcode, int capacity) throws VerbsException {
        return end.prepareSend(opcode, capacity);
    }

    /// Names the receiver of the request at the cursor.
    PostSend address(PostSend send, DatagramEnd receiver) throws VerbsException {
        return send.datagram(handleTo(receiver.gid()), receiver.queuePair().number(), QUEUE_KEY);
    }

    /// Posts one signaled datagram.
    void send(long id, MemoryRegion region, long offset, int length, DatagramEnd receiver)
            throws VerbsException {
        send(id, region, offset, length, receiver.gid(), receiver.queuePair().number(), QUEUE_KEY);
    }

    /// Posts one signaled datagram to a queue pair by its number.
    void send(
            long id,
            MemoryRegion region,
            long offset,
            int length,
            GlobalIdentifier gid,
            int number,
            int queueKey)
            throws VerbsException {
        try (PostSend send = queuePair().preparePostSend(SendShape.of(SendOpcode.SEND), 1)) {
            send.request(0)
                    .workRequestId(id)
                    .flags(SendFlags.SIGNALED)
                    .scatterGather(0, region, offset, length)
                    .datagram(handleTo(gid), number, queueKey);
            assertThat(send.execute(0, 1)).as("datagrams accepted").isEqualTo(1);
        }
    }

    @Override
    public void close() {
        Closing closing = new Closing();
        closing.close(queuePair());
        handles.values().forEach(closing::close);
        closing.close(end);
        closing.rethrow();
    }
}
