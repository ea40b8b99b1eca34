package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rdmanet.ConnectionSetup;
import io.rdmanet.DeadlineException;
import io.rdmanet.Listener;
import io.rdmanet.PeerGoneException;
import io.rdmanet.ProbeReport;
import io.rdmanet.RawConn;
import io.rdmanet.RawDrain;
import io.rdmanet.RawOptions;
import io.rdmanet.RawProgress;
import io.rdmanet.RawReceiver;
import io.rdmanet.RawVerb;
import io.rdmanet.Rdmanet;
import io.rdmanet.verbs.Capability;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of [RawConn], over each set-up that the provider has.
public abstract class RawConnContract extends FrontDoorContract {
    /// What a run may allocate.
    private static final long RUN_BYTES = 200;

    private static final int MOST_RUNS = 60;

    /// How a run is posted.
    private enum Posting {
        SINGLY,
        IN_CHAINS;

        long run(RawConn conn, RawVerb verb, long count, int size) throws IOException {
            return run(conn, verb, count, size, RawProgress.NONE);
        }

        long run(RawConn conn, RawVerb verb, long count, int size, RawProgress progress)
                throws IOException {
            return this == SINGLY
                    ? conn.pipeline(verb, count, size, progress)
                    : conn.pipelineBatch(verb, count, size, progress);
        }
    }

    private static void fillBuffers(RawConn conn, int size) {
        for (int i = 0; i < conn.options().bufferCount(); i++) {
            Payload.fill(conn.buffer(i), 0, size, i);
        }
    }

    /// Checks that message m brings what buffer m modulo bufferCount holds.
    private static final class CheckingReceiver implements RawReceiver {
        private final RawConn conn;
        private final int size;
        private long messages;
        private String fault = "";

        CheckingReceiver(RawConn conn, int size) {
            this.conn = conn;
            this.size = size;
        }

        @Override
        public void onMessage(int buffer, int length) {
            long seed = messages % conn.options().bufferCount();
            if (fault.isEmpty()
                    && (length != size
                            || Payload.mismatch(conn.buffer(buffer), 0, length, seed) >= 0)) {
                fault = "message " + messages + " of " + length + " bytes in buffer " + buffer;
            }
            messages++;
        }
    }

    private void assertDelivers(RawPair pair, Posting posting, long count, int size)
            throws Exception {
        fillBuffers(pair.sender(), size);
        CheckingReceiver receiver = new CheckingReceiver(pair.drainer(), size);
        VerbsContract.Running<RawDrain> drain =
                start("drain", () -> pair.drainer().recvDrain(receiver));
        assertThat(posting.run(pair.sender(), RawVerb.SEND, count, size)).isEqualTo(count);
        pair.sender().endRun(7);
        RawDrain drained = drain.join();
        assertThat(receiver.fault).isEmpty();
        assertThat(drained.messages()).isEqualTo(count);
        assertThat(drained.bytes()).isEqualTo(count * size);
        assertThat(drained.tag()).isEqualTo(7);
        assertThat(drained.lastNanos()).isGreaterThanOrEqualTo(drained.firstNanos());
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void deliversEveryMessageOfEverySize(ConnectionSetup setup) throws Exception {
        RawPair pair = connectRaw(rawOptions(setup).withMaxMessageBytes(65536));
        for (int size : new int[] {0, 1, 2, 8, 63, 64, 65, 4096, 65535, 65536}) {
            for (Posting posting : Posting.values()) {
                assertDelivers(pair, posting, 100, size);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 127, 128})
    void deliversAtEveryDepth(int depth) throws Exception {
        RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM).withTransmitDepth(depth));
        for (long count : new long[] {0, 1, depth - 1, depth, depth + 1, 10L * depth + 3}) {
            for (Posting posting : Posting.values()) {
                assertDelivers(pair, posting, count, 256);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 15, 16})
    void goesRoundInItsBuffers(int bufferCount) throws Exception {
        RawOptions options = rawOptions(ConnectionSetup.RDMA_CM).withBufferCount(bufferCount);
        for (boolean keeps : new boolean[] {true, false}) {
            RawPair pair = connectRaw(options.withKeepsMessages(keeps));
            for (Posting posting : Posting.values()) {
                assertGoesRound(pair, posting, keeps && bufferCount == 16 ? 18 : bufferCount);
            }
        }
    }

    /// @param bufferCount buffers that messages arrive in
    private void assertGoesRound(RawPair pair, Posting posting, int bufferCount) throws Exception {
        int size = 128;
        fillBuffers(pair.sender(), size);
        AtomicLong messages = new AtomicLong();
        BitSet buffers = new BitSet();
        RawReceiver receiver =
                (buffer, length) -> {
                    messages.addAndGet(length == size ? 1 : 0);
                    buffers.set(buffer);
                };
        VerbsContract.Running<RawDrain> drain =
                start("drain", () -> pair.drainer().recvDrain(receiver));
        posting.run(pair.sender(), RawVerb.SEND, 100, size);
        pair.sender().endRun(0);
        assertThat(drain.join().messages()).isEqualTo(100);
        assertThat(messages).hasValue(100);
        assertThat(buffers.length()).isEqualTo(bufferCount);
        assertThat(buffers.cardinality()).isEqualTo(bufferCount);
    }

    @Test
    void carriesManyMessagesWithTheirPayload() throws Exception {
        RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM).withTransmitDepth(128));
        for (Posting posting : Posting.values()) {
            assertDelivers(pair, posting, manyMessages(), 64);
        }
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void takesAFullDepthAnEndAndAGoodbyeBeforeAnybodyDrains(ConnectionSetup setup)
            throws Exception {
        RawPair pair = connectRaw(rawOptions(setup));
        pair.sender().pipelineBatch(RawVerb.SEND, 16, 100, RawProgress.NONE);
        pair.sender().endRun(3);
        pair.sender().close();
        RawDrain run = pair.drainer().recvDrain(null);
        assertThat(run.messages()).isEqualTo(16);
        assertThat(run.tag()).isEqualTo(3);
        assertThat(pair.drainer().recvDrain(null).tag()).isEqualTo(RawDrain.GOODBYE);
        assertThat(pair.drainer().recvDrain(null).tag()).isEqualTo(RawDrain.GOODBYE);
    }

    /// So a sender whose receiver lags by so much does not have to wait for a receive.
    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void takesFourTimesTheDepthBeforeAnybodyDrainsUnlessMessagesAreKept(ConnectionSetup setup)
            throws Exception {
        RawOptions options = rawOptions(setup);
        for (RawOptions forgetful :
                List.of(options.withKeepsMessages(false), options.withBufferCount(3))) {
            RawPair pair = connectRaw(forgetful);
            for (Posting posting : Posting.values()) {
                assertThat(posting.run(pair.sender(), RawVerb.SEND, 2 * 16, 100)).isEqualTo(2 * 16);
            }
            pair.sender().endRun(3);
            pair.sender().close();
            RawDrain run = pair.drainer().recvDrain(null);
            assertThat(run.messages()).isEqualTo(4 * 16);
            assertThat(run.bytes()).isEqualTo(4 * 16 * 100);
            assertThat(run.tag()).isEqualTo(3);
            assertThat(pair.drainer().recvDrain(null).tag()).isEqualTo(RawDrain.GOODBYE);
        }
    }

    @Test
    void keepsRunsApartAndBringsTheirTags() throws Exception {
        RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM));
        int[] tags = {0, 1, 12345, (1 << 30) - 1};
        VerbsContract.Running<Long> drain =
                start(
                        "drain",
                        () -> {
                            for (int i = 0; i < 4 * tags.length; i++) {
                                RawDrain run = pair.drainer().recvDrain(null);
                                assertThat(run.tag()).isEqualTo(tags[i % tags.length]);
                                assertThat(run.messages()).isEqualTo(i);
                                assertThat(run.firstNanos() == 0).isEqualTo(i == 0);
                            }
                            return 0L;
                        });
        for (int i = 0; i < 4 * tags.length; i++) {
            pair.sender().pipelineBatch(RawVerb.SEND, i, 8, RawProgress.NONE);
            pair.sender().endRun(tags[i % tags.length]);
        }
        drain.join();
    }

    @Test
    void stopsARunWhenItsProgressSaysSo() throws Exception {
        RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM));
        VerbsContract.Running<RawDrain> drain =
                start("drain", () -> pair.drainer().recvDrain(null));
        long sent = 0;
        for (Posting posting : Posting.values()) {
            long once =
                    posting.run(
                            pair.sender(),
                            RawVerb.SEND,
                            Long.MAX_VALUE,
                            64,
                            (completed, posted) -> completed < 1000);
            assertThat(once).isGreaterThanOrEqualTo(1000).isLessThan(1000 + 2 * 16);
            sent += once;
        }
        pair.sender().endRun(0);
        assertThat(drain.join().messages()).isEqualTo(sent);
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void writesIntoThePeersBuffers(ConnectionSetup setup) throws Exception {
        assume(Capability.ONE_SIDED);
        for (int size : new int[] {1, 64, 65, 4096}) {
            for (Posting posting : Posting.values()) {
                RawPair pair = connectRaw(rawOptions(setup));
                fillBuffers(pair.sender(), size);
                VerbsContract.Running<RawDrain> drain =
                        start("drain", () -> pair.drainer().recvDrain(null));
                posting.run(pair.sender(), RawVerb.WRITE, 100, size);
                pair.sender().endRun(1);
                assertThat(drain.join().messages()).isZero();
                for (int i = 0; i < 16; i++) {
                    Payload.assertHolds(pair.drainer().buffer(i), 0, size, i);
                }
                pair.sender().close();
                pair.drainer().close();
            }
        }
    }

    @Test
    void beginsWithTheBufferThatItIsTold() throws Exception {
        assume(Capability.ONE_SIDED);
        int size = 64;
        RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM).withBufferCount(3));
        RawConn sender = pair.sender();
        fillBuffers(sender, size);
        VerbsContract.Running<RawDrain> drain =
                start("drain", () -> pair.drainer().recvDrain(null));
        for (int buffer : new int[] {-1, 3}) {
            assertThatThrownBy(() -> sender.pipeline(RawVerb.WRITE, buffer, 1, 1, RawProgress.NONE))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(sender.pipeline(RawVerb.WRITE, 2, 2, size, RawProgress.NONE)).isEqualTo(2);
        sender.endRun(1);
        drain.join();
        Payload.assertHolds(pair.drainer().buffer(2), 0, size, 2);
        Payload.assertHolds(pair.drainer().buffer(0), 0, size, 0);
        assertThat(Payload.mismatch(pair.drainer().buffer(1), 0, size, 1)).isNotNegative();
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void readsFromThePeersBuffersEitherWay(ConnectionSetup setup) throws Exception {
        assume(Capability.ONE_SIDED);
        for (Posting posting : Posting.values()) {
            RawPair pair = connectRaw(rawOptions(setup));
            RawConn[] ends = {pair.sender(), pair.drainer()};
            for (int i = 0; i < 2; i++) {
                RawConn reader = ends[i];
                fillBuffers(ends[1 - i], 777);
                for (int buffer = 0; buffer < 16; buffer++) {
                    reader.buffer(buffer).fill((byte) 0);
                }
                assertThat(posting.run(reader, RawVerb.READ, 50, 777)).isEqualTo(50);
                for (int buffer = 0; buffer < 16; buffer++) {
                    Payload.assertHolds(reader.buffer(buffer), 0, 777, buffer);
                }
            }
        }
    }

    @Test
    void tellsBothEndsOfTheOthersRegion() throws Exception {
        RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM));
        RawConn sender = pair.sender();
        RawConn drainer = pair.drainer();
        assertThat(sender.remoteAddressBase()).isEqualTo(drainer.region().address());
        assertThat(sender.remoteKey()).isEqualTo(drainer.region().remoteKey());
        assertThat(sender.remoteLength()).isEqualTo(drainer.region().length());
        assertThat(drainer.remoteAddressBase()).isEqualTo(sender.region().address());
        assertThat(drainer.remoteKey()).isEqualTo(sender.region().remoteKey());
        assertThat(drainer.remoteLength()).isEqualTo(sender.region().length());
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void followsTheDialingEndsOptions(ConnectionSetup setup) throws Exception {
        RawOptions listening = rawOptions(setup).withTransmitDepth(1).withMaxMessageBytes(1);
        RawOptions dialling =
                rawOptions(setup)
                        .withTransmitDepth(99)
                        .withMaxMessageBytes(5000)
                        .withBufferCount(3)
                        .withKeepsMessages(false);
        Listener<RawConn> listener = listenRaw(listening);
        RawConn sender = closing(Rdmanet.dialRaw(listener.localAddress(), dialling));
        RawConn drainer = closing(listener.accept(patience()));
        for (RawConn end : new RawConn[] {sender, drainer}) {
            assertThat(end.options().transmitDepth()).isEqualTo(99);
            assertThat(end.options().maxMessageBytes()).isEqualTo(5000);
            assertThat(end.options().bufferCount()).isEqualTo(3);
            assertThat(end.options().keepsMessages()).isFalse();
            assertThat(end.buffer(2).byteSize()).isEqualTo(5000);
        }
    }

    @Test
    void refusesWhatAnEndCannotDoBeforeAnythingChanges() throws Exception {
        RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM));
        RawConn sender = pair.sender();
        assertThatThrownBy(() -> sender.pipeline(RawVerb.SEND, -1, 1, RawProgress.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sender.pipeline(RawVerb.SEND, 1, -1, RawProgress.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sender.pipelineBatch(RawVerb.SEND, 1, 4097, RawProgress.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4096");
        assertThatThrownBy(() -> sender.endRun(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sender.endRun(1 << 30))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sender.recvDrain(null)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pair.drainer().pipeline(RawVerb.SEND, 1, 1, RawProgress.NONE))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> sender.buffer(16)).isInstanceOf(IndexOutOfBoundsException.class);
        assertDelivers(pair, Posting.IN_CHAINS, 10, 10);
    }

    @Test
    void failsADrainThatNothingArrivesForAndGoesOn() throws Exception {
        RawOptions options = rawOptions(ConnectionSetup.RDMA_CM);
        Listener<RawConn> listener =
                listenRaw(options.withEndpoint(options.endpoint().withTimeout(shortTimeout())));
        RawConn sender = closing(Rdmanet.dialRaw(listener.localAddress(), options));
        RawConn drainer = closing(listener.accept(patience()));
        assertThatThrownBy(() -> drainer.recvDrain(null))
                .isInstanceOf(DeadlineException.class)
                .hasMessageContaining("is alive");
        assertDelivers(new RawPair(sender, drainer), Posting.IN_CHAINS, 10, 10);
    }

    @Test
    void countsARunThatADeadlineInterrupts() throws Exception {
        RawOptions options = rawOptions(ConnectionSetup.RDMA_CM);
        Listener<RawConn> listener =
                listenRaw(options.withEndpoint(options.endpoint().withTimeout(shortTimeout())));
        RawConn sender = closing(Rdmanet.dialRaw(listener.localAddress(), options));
        RawConn drainer = closing(listener.accept(patience()));
        sender.pipeline(RawVerb.SEND, 5, 8, RawProgress.NONE);
        assertThatThrownBy(() -> drainer.recvDrain(null)).isInstanceOf(DeadlineException.class);
        sender.pipeline(RawVerb.SEND, 5, 8, RawProgress.NONE);
        sender.endRun(1);
        RawDrain run = drainer.recvDrain(null);
        assertThat(run.messages()).isEqualTo(10);
        assertThat(run.bytes()).isEqualTo(80);
        assertThat(run.lastNanos()).isGreaterThan(run.firstNanos());
        sender.endRun(2);
        assertThat(drainer.recvDrain(null)).isEqualTo(new RawDrain(0, 0, 0, 0, 2));
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void failsARunWhoseReceiverCloses(ConnectionSetup setup) throws Exception {
        RawPair pair = connectRaw(rawOptions(setup));
        CountDownLatch isRunning = new CountDownLatch(1);
        VerbsContract.Running<Throwable> run =
                start(
                        "run",
                        () ->
                                catchThrowable(() ->
                                        pair.sender()
                                                .pipelineBatch(
                                                        RawVerb.SEND,
                                                        Long.MAX_VALUE,
                                                        64,
                                                        (completed, posted) -> {
                                                            isRunning.countDown();
                                                            return true;
                                                        })));
        isRunning.await();
        pair.drainer().close();
        assertThat(run.join(Duration.ofSeconds(5))).isInstanceOf(PeerGoneException.class);
        assertThatThrownBy(() -> pair.sender().pipeline(RawVerb.SEND, 1, 1, RawProgress.NONE))
                .as("every later call repeats the first failure")
                .isInstanceOf(PeerGoneException.class);
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void noticesAPeerThatIsKilled(ConnectionSetup setup) throws Exception {
        RawOptions options = rawOptions(setup);
        Listener<RawConn> listener = listenRaw(options);
        try (PeerProcess peer =
                PeerProcess.start(
                        RawPeer.class,
                        providerName(),
                        setup.name(),
                        address().getHostAddress(),
                        Integer.toString(listener.localAddress().getPort()))) {
            RawConn drainer = closing(listener.accept(patience()));
            VerbsContract.Running<Throwable> drain =
                    start("drain", () -> catchThrowable(() -> drainer.recvDrain(null)));
            peer.awaitLine("running", patience());
            peer.kill();
            assertThat(drain.join(Duration.ofSeconds(5)))
                    .isInstanceOf(PeerGoneException.class)
                    .hasMessageContaining("has gone");
        }
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void noticesAReceiverThatIsKilled(ConnectionSetup setup) throws Exception {
        RawOptions options = rawOptions(setup);
        for (boolean isInMidRun : new boolean[] {true, false}) {
            try (PeerProcess peer =
                    PeerProcess.start(
                            RawPeer.class,
                            providerName(),
                            setup.name(),
                            address().getHostAddress(),
                            "0")) {
                int port = Integer.parseInt(peer.awaitLine("port ", patience()));
                RawConn sender =
                        closing(Rdmanet.dialRaw(new InetSocketAddress(address(), port), options));
                sender.pipelineBatch(RawVerb.SEND, 1000, 64, RawProgress.NONE);
                if (!isInMidRun) {
                    peer.kill();
                }
                VerbsContract.Running<Throwable> run =
                        start("run", () -> catchThrowable(() -> sendForEver(sender)));
                if (isInMidRun) {
                    peer.kill();
                }
                assertThat(run.join(Duration.ofSeconds(5)))
                        .isInstanceOf(PeerGoneException.class)
                        .hasMessageContaining("has gone");
            }
        }
    }

    private static void sendForEver(RawConn sender) throws IOException {
        sender.pipelineBatch(RawVerb.SEND, Long.MAX_VALUE, 64, RawProgress.NONE);
    }

    @Test
    void endsAWaitingDrainWhenAnotherThreadCloses() throws Exception {
        RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM));
        VerbsContract.Running<Throwable> drain =
                start("drain", () -> catchThrowable(() -> pair.drainer().recvDrain(null)));
        Thread.sleep(100);
        pair.drainer().close();
        assertThat(drain.join()).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> pair.drainer().recvDrain(null))
                .isInstanceOf(ClosedChannelException.class);
        pair.drainer().close();
    }

    @Test
    void endsARunWhenAnotherThreadCloses() throws Exception {
        RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM));
        start("drain", () -> pair.drainer().recvDrain(null));
        CountDownLatch isRunning = new CountDownLatch(1);
        VerbsContract.Running<Throwable> run =
                start(
                        "run",
                        () ->
                                catchThrowable(() ->
                                        pair.sender()
                                                .pipeline(
                                                        RawVerb.SEND,
                                                        Long.MAX_VALUE,
                                                        64,
                                                        (completed, posted) -> {
                                                            isRunning.countDown();
                                                            return true;
                                                        })));
        isRunning.await();
        pair.sender().close();
        assertThat(run.join()).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void letsItsProgressCloseTheConnection() throws Exception {
        RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM));
        start("drain", () -> pair.drainer().recvDrain(null));
        assertThatThrownBy(() ->
                        pair.sender()
                                .pipeline(
                                        RawVerb.SEND,
                                        Long.MAX_VALUE,
                                        64,
                                        (completed, posted) -> {
                                            pair.sender().close();
                                            return true;
                                        }))
                .isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> pair.sender().endRun(1))
                .isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void failsForGoodWhenACallbackThrows() throws Exception {
        IllegalStateException bug = new IllegalStateException("a bug");
        for (Posting posting : Posting.values()) {
            RawPair pair = connectRaw(rawOptions(ConnectionSetup.RDMA_CM));
            RawProgress progress =
                    (completed, posted) -> {
                        throw bug;
                    };
            assertThatThrownBy(() -> posting.run(pair.sender(), RawVerb.SEND, 5, 1, progress))
                    .isSameAs(bug);
            assertRepeats(bug, () -> posting.run(pair.sender(), RawVerb.SEND, 5, 1));
            assertRepeats(bug, () -> pair.sender().endRun(1));
            RawReceiver receiver =
                    (buffer, length) -> {
                        throw bug;
                    };
            assertThatThrownBy(() -> pair.drainer().recvDrain(receiver)).isSameAs(bug);
            assertRepeats(bug, () -> pair.drainer().recvDrain(null));
        }
    }

    /// Checks that each call throws an exception of its own that leads to the first failure.
    private static void assertRepeats(Throwable first, ThrowingCallable call) {
        Throwable once = catchThrowable(call);
        assertThat(once).isInstanceOf(IOException.class).hasRootCause(first);
        assertThat(catchThrowable(call)).isNotSameAs(once).hasRootCause(first);
    }

    @Test
    void measuresWhereTimeGoesOnTheEndThatAsksForIt() throws Exception {
        RawOptions options = rawOptions(ConnectionSetup.RDMA_CM);
        Listener<RawConn> listener = listenRaw(options.withProbesTime(false));
        RawConn sender =
                closing(Rdmanet.dialRaw(listener.localAddress(), options.withProbesTime(true)));
        RawPair pair = new RawPair(sender, closing(listener.accept(patience())));
        ProbeReport before = sender.probe();
        assertDelivers(pair, Posting.IN_CHAINS, 100, 64);

        ProbeReport report = sender.probe();
        // The end of the run is a work request, too.
        assertThat(report.workRequests() - before.workRequests()).isEqualTo(101);
        assertThat(report.postNanos()).isGreaterThan(before.postNanos());
        assertThat(report.pollNanos()).isGreaterThan(before.pollNanos());
        assertThat(report.creditWaitNanos()).isZero();
        assertThat(pair.drainer().probe()).isEqualTo(ProbeReport.NONE);
    }

    @Test
    void measuresWhereADrainersTimeGoes() throws Exception {
        RawOptions options = rawOptions(ConnectionSetup.RDMA_CM);
        Listener<RawConn> listener = listenRaw(options.withProbesTime(true));
        RawConn sender =
                closing(Rdmanet.dialRaw(listener.localAddress(), options.withProbesTime(false)));
        RawPair pair = new RawPair(sender, closing(listener.accept(patience())));
        assertDelivers(pair, Posting.SINGLY, 100, 64);

        ProbeReport report = pair.drainer().probe();
        assertThat(report.workRequests()).isGreaterThan(100);
        assertThat(report.postNanos()).isPositive();
        assertThat(report.pollNanos()).isPositive();
        assertThat(report.receiveWaitNanos()).isPositive();
        assertThat(sender.probe()).isEqualTo(ProbeReport.NONE);
    }

    @ParameterizedTest
    @CsvSource({"false, true", "true, true", "false, false"})
    void allocatesNothingPerMessageOnceWarm(boolean probes, boolean keeps) throws Exception {
        RawPair pair =
                connectRaw(
                        rawOptions(ConnectionSetup.RDMA_CM)
                                .withTransmitDepth(128)
                                .withKeepsMessages(keeps)
                                .withProbesTime(probes));
        RawReceiver receiver = (buffer, length) -> {};
        AtomicLong leastByDrainer = new AtomicLong(Long.MAX_VALUE);
        VerbsContract.Running<Void> drain =
                start(
                        "drain",
                        () -> {
                            long before = AllocatedBytes.ofThisThread();
                            while (pair.drainer().recvDrain(receiver).tag() != RawDrain.GOODBYE) {
                                long now = AllocatedBytes.ofThisThread();
                                leastByDrainer.accumulateAndGet(now - before, Math::min);
                                before = AllocatedBytes.ofThisThread();
                            }
                            return null;
                        });
        long leastBySender = Long.MAX_VALUE;
        // Until both are warm: some providers prepare what they post when it first comes.
        for (int i = 0; i < MOST_RUNS && (i < 6 || leastByDrainer.get() >= RUN_BYTES); i++) {
            Posting posting = i % 2 == 0 ? Posting.IN_CHAINS : Posting.SINGLY;
            long before = AllocatedBytes.ofThisThread();
            posting.run(pair.sender(), RawVerb.SEND, manyMessages(), 64);
            leastBySender = Math.min(leastBySender, AllocatedBytes.ofThisThread() - before);
            pair.sender().endRun(i);
        }
        pair.sender().close();
        drain.join();
        // A run may allocate its result; a message may not.
        assertThat(leastBySender).as("by the sender").isLessThan(RUN_BYTES);
        assertThat(leastByDrainer.get()).as("by the drainer").isLessThan(RUN_BYTES);
    }
}
