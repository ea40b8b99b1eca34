package io.rdmanet.loopback.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HubTest {
    private static final RemoteOperation OPERATION = new RemoteOperation(1, 2, 3, 40, 5, 6, 7);
    private static final long WAIT_SECONDS = 10;

    private TemporaryRendezvous temporary;
    private RecordingListener listenerA;
    private RecordingListener listenerB;
    private Hub a;
    private Hub b;

    @BeforeEach
    void open() throws IOException {
        temporary = TemporaryRendezvous.create();
        listenerA = new RecordingListener();
        listenerB = new RecordingListener();
        a = Hub.open(listenerA);
        b = Hub.open(listenerB);
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        temporary.close();
    }

    @Test
    void wakesAPeersQueuePair() throws Exception {
        PeerLink link = a.peer(b.instance().gid());
        assertThat(link.isAlive()).isTrue();
        assertThat(a.peer(b.instance().gid())).isSameAs(link);
        link.wake(0);
        link.wake(0xff_ffff);
        assertThat(take(listenerB.wakes)).isZero();
        assertThat(take(listenerB.wakes)).isEqualTo(0xff_ffff);
        assertThat(listenerA.wakes).isEmpty();
    }

    @Test
    void wakesItself() throws Exception {
        a.peer(a.instance().gid()).wake(9);
        assertThat(take(listenerA.wakes)).isEqualTo(9);
    }

    @Test
    void refusesANumberOfMoreThan24Bits() throws Exception {
        PeerLink link = a.peer(b.instance().gid());
        assertThatThrownBy(() -> link.wake(0x100_0000))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> link.wake(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void carriesRequestsAndTheirRepliesInAnyOrder() throws Exception {
        PeerLink link = a.peer(b.instance().gid());
        BlockingQueue<Long> values = new LinkedBlockingQueue<>();
        assertThat(link.request(OPERATION, (status, value) -> values.add(value + status))).isTrue();
        assertThat(link.request(OPERATION, (status, value) -> values.add(-value))).isTrue();
        LinkRequest first = take(listenerB.requests);
        LinkRequest second = take(listenerB.requests);
        assertThat(first.peer()).isEqualTo(a.instance().gid());
        assertThat(first.operation()).isEqualTo(OPERATION);
        second.reply(0, 5);
        first.reply(3, 40);
        assertThat(take(values)).isEqualTo(-5);
        assertThat(take(values)).isEqualTo(43);
        assertThatThrownBy(() -> first.reply(0, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void boundsUnansweredRequestsAndCarriesAllOfThem() throws Exception {
        PeerLink link = a.peer(b.instance().gid());
        CountDownLatch answers = new CountDownLatch(PeerLink.MAX_UNANSWERED_REQUESTS);
        for (int i = 0; i < PeerLink.MAX_UNANSWERED_REQUESTS; i++) {
            assertThat(link.request(OPERATION, (status, value) -> answers.countDown())).isTrue();
        }
        assertThat(link.request(OPERATION, (status, value) -> {})).isFalse();
        for (int i = 0; i < PeerLink.MAX_UNANSWERED_REQUESTS; i++) {
            take(listenerB.requests).reply(0, 0);
        }
        assertThat(answers.await(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(link.request(OPERATION, (status, value) -> {})).isTrue();
    }

    @Test
    void reportsThatAPeerWasClosedInBothDirections() throws Exception {
        PeerLink link = a.peer(b.instance().gid());
        link.wake(1);
        take(listenerB.wakes);
        b.close();
        assertThat(take(listenerA.gone)).isEqualTo(b.instance().gid());
        assertThat(link.isAlive()).isFalse();
        link.wake(1);
        BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
        assertThat(link.request(OPERATION, (status, value) -> statuses.add(status))).isTrue();
        assertThat(take(statuses)).isEqualTo(ReplyHandler.PEER_GONE);
        assertThatThrownBy(() -> a.peer(b.instance().gid()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EHOSTUNREACH");
        assertThat(listenerA.gone).isEmpty();
        assertThat(listenerB.gone).isEmpty();
    }

    @Test
    void reportsAPeerThatOnlyEverConnectedToIt() throws Exception {
        b.peer(a.instance().gid()).wake(1);
        take(listenerA.wakes);
        b.close();
        assertThat(take(listenerA.gone)).isEqualTo(b.instance().gid());
    }

    @Test
    void reportsAKilledPeerAndEndsWhatItOwes() throws Exception {
        try (ChildJvm child = ChildJvm.start(HubChild.class)) {
            GlobalIdentifier gid = HubChild.Announcement.of(child.readLine()).gid();
            BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
            PeerLink link = a.peer(gid);
            assertThat(link.request(OPERATION, (status, value) -> statuses.add(status))).isTrue();
            child.kill();
            assertThat(take(listenerA.gone)).isEqualTo(gid);
            assertThat(take(statuses)).isEqualTo(ReplyHandler.PEER_GONE);
            assertThat(link.isAlive()).isFalse();
        }
    }

    @Test
    void endsRequestsWhenItIsClosedItself() throws Exception {
        PeerLink link = a.peer(b.instance().gid());
        BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
        assertThat(link.request(OPERATION, (status, value) -> statuses.add(status))).isTrue();
        a.close();
        a.close();
        assertThat(take(statuses)).isEqualTo(ReplyHandler.PEER_GONE);
        assertThat(link.request(OPERATION, (status, value) -> statuses.add(status))).isTrue();
        assertThat(take(statuses)).isEqualTo(ReplyHandler.PEER_GONE);
        assertThatThrownBy(() -> a.peer(b.instance().gid())).isInstanceOf(VerbsException.class);
    }

    @Test
    void losesNoWakeHoweverSlowThePeerIs() throws Exception {
        int queuePairs = 500;
        AtomicIntegerArray published = new AtomicIntegerArray(queuePairs);
        AtomicIntegerArray seen = new AtomicIntegerArray(queuePairs);
        RecordingListener slow =
                new RecordingListener() {
                    private int count;

                    @Override
                    public void onWake(int queuePairNumber) {
                        seen.set(queuePairNumber, published.get(queuePairNumber));
                        if (++count % 200 == 0) {
                            pause();
                        }
                    }
                };
        try (Hub target = Hub.open(slow)) {
            PeerLink link = a.peer(target.instance().gid());
            List<Thread> senders = new ArrayList<>();
            for (long seed = 1; seed <= 4; seed++) {
                senders.add(flood(link, published, new Random(seed)));
            }
            for (Thread sender : senders) {
                sender.join();
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
            while (!same(published, seen) && System.nanoTime() < deadline) {
                Thread.sleep(5);
            }
            assertThat(seen.toString()).isEqualTo(published.toString());
        }
    }

    @Test
    void wakesWithoutAllocation() throws Exception {
        PeerLink link = a.peer(b.instance().gid());
        for (int i = 0; i < 20_000; i++) {
            link.wake(i & 0xff);
        }
        long before = AllocatedBytes.ofThisThread();
        for (int i = 0; i < 20_000; i++) {
            link.wake(i & 0xff);
        }
        // Once per many thousand wakes the lock is contended and makes a waiter's node.
        assertThat(AllocatedBytes.ofThisThread() - before).isLessThan(20_000);
    }

    private static Thread flood(PeerLink link, AtomicIntegerArray published, Random random) {
        return Thread.ofPlatform()
                .start(() -> {
                    for (int i = 0; i < 50_000; i++) {
                        int queuePair = random.nextInt(published.length());
                        published.incrementAndGet(queuePair);
                        link.wake(queuePair);
                    }
                });
    }

    private static void pause() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean same(AtomicIntegerArray one, AtomicIntegerArray other) {
        return one.toString().equals(other.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 4096})
    void dropsWhoSendsGarbage(int length) throws Exception {
        try (SocketChannel stranger = strangerTo(a)) {
            byte[] garbage = new byte[length];
            new Random(length).nextBytes(garbage);
            stranger.write(ByteBuffer.wrap(garbage));
            assertThat(secondsUntilEnd(stranger)).isLessThan(4);
        }
        b.peer(a.instance().gid()).wake(1);
        assertThat(take(listenerA.wakes)).isEqualTo(1);
        assertThat(listenerA.gone).isEmpty();
    }

    @Test
    void dropsWhoSaysNothingAndServesOthersMeanwhile() throws Exception {
        List<SocketChannel> strangers = new ArrayList<>();
        for (int i = 0; i < 2 * LinkAcceptor.MAX_UNIDENTIFIED; i++) {
            strangers.add(strangerTo(a));
        }
        b.peer(a.instance().gid()).wake(1);
        assertThat(take(listenerA.wakes)).isEqualTo(1);
        for (SocketChannel stranger : strangers) {
            assertThat(secondsUntilEnd(stranger)).isLessThan(4);
            stranger.close();
        }
        b.peer(a.instance().gid()).wake(2);
        assertThat(take(listenerA.wakes)).isEqualTo(2);
    }

    @Test
    void tellsAPeerOfAnotherVersionItsOwn() throws Exception {
        try (SocketChannel stranger = strangerTo(a)) {
            ByteBuffer message = ByteBuffer.allocate(LinkMessageDescriptor.LENGTH);
            LinkMessageDescriptor.putIdentify(message, 0, 77);
            message.put(LinkMessageDescriptor.VERSION_OFFSET, (byte) 2);
            stranger.write(message);
            ByteBuffer answer = ByteBuffer.allocate(LinkMessageDescriptor.LENGTH);
            stranger.configureBlocking(true);
            while (answer.hasRemaining()) {
                assertThat(stranger.read(answer)).isPositive();
            }
            assertThat(LinkMessageDescriptor.version(answer, 0))
                    .isEqualTo(LinkMessageDescriptor.VERSION);
            assertThat(secondsUntilEnd(stranger)).isLessThan(4);
        }
        assertThat(listenerA.gone).isEmpty();
    }

    @Test
    void regardsAPeerThatBreaksTheProtocolAsGone() throws Exception {
        try (SocketChannel peer = strangerTo(a)) {
            ByteBuffer message = ByteBuffer.allocate(2 * LinkMessageDescriptor.LENGTH);
            LinkMessageDescriptor.putIdentify(message, 0, 77);
            LinkMessageDescriptor.putReply(message, LinkMessageDescriptor.LENGTH, 1, 2, 3);
            peer.write(message);
            assertThat(take(listenerA.gone)).isEqualTo(Instance.gidOf(77));
        }
    }

    private static SocketChannel strangerTo(Hub hub) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        Path socket = hub.instance().directory().resolve(Instance.SOCKET_NAME);
        channel.connect(UnixDomainSocketAddress.of(socket));
        return channel;
    }

    private static long secondsUntilEnd(SocketChannel channel) throws IOException {
        long start = System.nanoTime();
        ByteBuffer rest = ByteBuffer.allocate(256);
        try {
            while (channel.read(rest) >= 0) {
                rest.clear();
            }
        } catch (IOException reset) {
            // closed with our bytes unread
        }
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }

    private static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        T taken = queue.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        assertThat(taken).isNotNull();
        return taken;
    }
}
