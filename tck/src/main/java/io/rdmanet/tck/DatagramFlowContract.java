package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.GlobalRouteDescriptor;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Many datagrams to one receiver, from one sender and from several at once, in this process and in
/// others, with each payload checked.
public abstract class DatagramFlowContract extends VerbsContract {
    private static final int ROUTE = DatagramEnd.ROUTE;
    private static final int LENGTH = 150;

    @BeforeEach
    final void requireCapability() {
        assume(Capability.UNRELIABLE_DATAGRAM, Capability.QUEUE_PAIR_MODIFY, Capability.GID_CHOICE);
        skipUnless(!losesPackets(), "datagrams may be lost here (rdmanet.tck.lossy)");
    }

    /// Sender number and message number are the datagram's first 8 bytes; the rest follows from
    /// both.
    private static void write(MemoryRegion region, long offset, int sender, int message) {
        Payload.fill(region.segment(), offset, LENGTH, sender * 1_000_003L + message);
        region.segment().set(ValueLayout.JAVA_INT_UNALIGNED, offset, sender);
        region.segment().set(ValueLayout.JAVA_INT_UNALIGNED, offset + 4, message);
    }

    /// Receives for several senders, and posts each receive again; a permit says that one more
    /// datagram of a sender will find a receive.
    private final class Receiver {
        private final DatagramEnd end;
        private final MemoryRegion target;
        private final MemoryRegion expected;
        private final PostReceive receive;
        private final List<DatagramEnd> senders = new ArrayList<>();
        private final List<Semaphore> permits = new ArrayList<>();
        private final List<Integer> next = new ArrayList<>();

        Receiver(DatagramEnd end, int depth) throws Exception {
            this.end = end;
            target = end.memory(depth, LENGTH);
            expected = end.memory(1, LENGTH);
            receive = end.end().prepareReceive(1, 1);
            for (int i = 0; i < depth; i++) {
                post(i);
            }
        }

        void add(DatagramEnd sender, int permitted) {
            senders.add(sender);
            permits.add(new Semaphore(permitted));
            next.add(0);
        }

        private void post(long slot) throws Exception {
            receive.request(0)
                    .workRequestId(slot)
                    .scatterGather(0, target, slot * (ROUTE + LENGTH), ROUTE + LENGTH);
            assertThat(receive.execute(0, 1)).isEqualTo(1);
        }

        Void receiveAll(int total) throws Exception {
            for (int i = 0; i < total; i++) {
                Completion received = end.receives().takeSuccesses(1).getFirst();
                check(received);
                post(received.id());
                permits.get(senderOf(received)).release();
            }
            return null;
        }

        private int senderOf(Completion received) {
            for (int i = 0; i < senders.size(); i++) {
                if (senders.get(i).queuePair().number() == received.sourceQueuePair()) {
                    return i;
                }
            }
            throw new AssertionError("from nobody: " + received);
        }

        private void check(Completion received) {
            int sender = senderOf(received);
            int message = next.get(sender);
            next.set(sender, message + 1);
            assertThat(received.byteLength()).isEqualTo(ROUTE + LENGTH);
            long offset = received.id() * (ROUTE + LENGTH) + ROUTE;
            write(expected, 0, sender, message);
            assertThat(
                            target.segment()
                                    .asSlice(offset, LENGTH)
                                    .mismatch(expected.segment().asSlice(0, LENGTH)))
                    .as("first wrong byte of message %d of sender %d", message, sender)
                    .isEqualTo(-1);
        }

        Void sendAll(int sender, int total) throws Exception {
            DatagramEnd from = senders.get(sender);
            MemoryRegion source = from.memory(1, LENGTH);
            PostSend send = from.prepareSend(SendOpcode.SEND, 1);
            send.request(0).flags(SendFlags.SIGNALED).scatterGather(0, source, 0, LENGTH);
            from.address(send, end);
            for (int i = 0; i < total; i++) {
                assertThat(
                                permits.get(sender)
                                        .tryAcquire(patience().toNanos(), TimeUnit.NANOSECONDS))
                        .as("sender %d may send message %d", sender, i)
                        .isTrue();
                write(source, 0, sender, i);
                assertThat(send.execute(0, 1)).isEqualTo(1);
                from.sends().takeSuccesses(1);
            }
            return null;
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 7", "2, 2", "2, 64", "4, 4", "4, 13"})
    void severalSendersAtOnceKeepTheirOrderThroughEveryWrap(int senders, int depth)
            throws Exception {
        int each = manyMessages() / (depth < senders * 2 ? 100 : 10) / senders;
        DatagramEnd end =
                closing(DatagramEnd.open(openContext(), PairOptions.ofDepth(8, depth), patience()));
        Receiver receiver = new Receiver(end, depth);
        List<Running<Void>> running = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            receiver.add(
                    closing(
                            DatagramEnd.open(
                                    i % 2 == 0 ? end.context() : openContext(),
                                    PairOptions.ofDepth(8, 8),
                                    patience())),
                    depth / senders);
        }
        for (int i = 0; i < senders; i++) {
            int sender = i;
            running.add(start("sender-" + i, () -> receiver.sendAll(sender, each)));
        }
        running.add(start("receiver", () -> receiver.receiveAll(senders * each)));

        for (Running<Void> part : running) {
            part.join(patience().multipliedBy(4));
        }
        end.receives().assertSilentFor(quiet());
    }

    @Test
    void twoProcessesConverse() throws Exception {
        assume(Capability.DEVICE_CHOICE, Capability.DEVICE_LIST);
        DatagramEnd end =
                closing(DatagramEnd.open(openContext(), PairOptions.defaults(), patience()));
        MemoryRegion target = end.memory(2, DatagramPeer.LENGTH);
        int room = ROUTE + DatagramPeer.LENGTH;
        end.end().postReceive(0, target, 0, room);
        int count = 300;

        PeerProcess peer = closing(startPeer(end, count));
        for (int i = 0; i < count; i++) {
            Completion received = end.receives().takeSuccesses(1).getFirst();
            long slot = received.id() * room;
            Payload.assertHolds(target.segment(), slot + ROUTE, DatagramPeer.LENGTH, i);
            // Before the answer: the peer sends again as soon as it has that.
            long other = 1 - received.id();
            end.end().postReceive(other, target, other * room, room);
            end.send(
                    i,
                    target,
                    slot + ROUTE,
                    DatagramPeer.LENGTH,
                    GlobalRouteDescriptor.source(target.segment(), slot),
                    received.sourceQueuePair(),
                    DatagramEnd.QUEUE_KEY);
            end.sends().takeSuccesses(1);
        }

        assertThat(peer.awaitLine("echoed ", patience())).isEqualTo("" + count);
    }

    @ParameterizedTest
    @CsvSource({"1", "16"})
    void aSenderThatIsKilledDoesNotStopTheOthers(int depth) throws Exception {
        assume(Capability.DEVICE_CHOICE, Capability.DEVICE_LIST);
        DatagramEnd end =
                closing(DatagramEnd.open(openContext(), PairOptions.ofDepth(8, depth), patience()));
        MemoryRegion target = end.memory(depth, DatagramPeer.LENGTH);
        for (int round = 0; round < 4; round++) {
            end.postReceives(round == 0 ? depth : 0, target, DatagramPeer.LENGTH);
            PeerProcess peer = closing(startPeer(end, 0));
            for (int i = 0; i < 100 + 37 * round; i++) {
                repost(end, target, end.receives().takeSuccesses(1).getFirst());
            }
            peer.awaitLine("running", patience());
            peer.kill();
            peer.awaitEnd(patience());

            DatagramEnd other =
                    closing(DatagramEnd.open(end.context(), PairOptions.defaults(), patience()));
            MemoryRegion source = other.memory(1, DatagramPeer.LENGTH);
            int arrived = 0;
            for (int i = 0; arrived < 20; i++) {
                other.send(i, source, 0, round, end); // lost while the dead one's are in the way
                other.sends().takeSuccesses(1);
                assertThat(i).as("datagrams sent after the kill").isLessThan(10_000);
                Waiting.until(java.time.Duration.ofMillis(1), () -> false);
                for (Completion received : end.receives().drain()) {
                    arrived += received.sourceQueuePair() == other.queuePair().number() ? 1 : 0;
                    repost(end, target, received);
                }
            }
        }
    }

    private static void repost(DatagramEnd end, MemoryRegion target, Completion received)
            throws Exception {
        assertThat(received.succeeded()).as("%s", received).isTrue();
        int room = ROUTE + DatagramPeer.LENGTH;
        end.end().postReceive(received.id(), target, received.id() * room, room);
    }

    private PeerProcess startPeer(DatagramEnd end, int count) throws Exception {
        return PeerProcess.start(
                DatagramPeer.class,
                provider().name(),
                firstDevice(),
                Long.toString(end.gid().high()),
                Long.toString(end.gid().low()),
                Integer.toString(end.queuePair().number()),
                Integer.toString(count),
                Long.toString(patience().toSeconds()));
    }
}
