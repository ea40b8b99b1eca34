package io.rdmanet.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.DeadlineException;
import io.rdmanet.PeerGoneException;
import io.rdmanet.PollMode;
import io.rdmanet.SendSlot;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the contracts cannot provoke on a healthy device: refused posts, full queues, half-way
/// failures, sudden deaths.
@Timeout(60)
class MessageConnectionTest {
    private static final long SEED = 5;
    private static final ConnOptions OPTIONS =
            ConnOptions.defaults().withSlotBytes(256).withDepth(4).withRnrRetryCount(0);

    private FakeRendezvous[] ends =
            FakeRendezvous.pair(new FakeProvider(EnumSet.allOf(Capability.class)));
    private final List<Conn> conns = new ArrayList<>();

    @AfterEach
    void leaveNothingBehind() {
        conns.forEach(Conn::close);
        for (FakeRendezvous end : ends) {
            assertThat(end.context.open.get()).as("objects left open").isZero();
            FakeQueuePair pair = end.queuePair;
            if (pair != null) {
                assertThat(pair.emptyReceives).as("frames that met an empty queue").isZero();
                assertThat(pair.fullSends).as("sends that met a full queue").isZero();
                assertThat(((FakeCompletionQueue) pair.sendCompletionQueue()).hasOverrun())
                        .as("completion queue overrun")
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,3", "128,128", "1,128", "128,1", "5,3"})
    void neverMeetsAFullOrEmptyQueue(int left, int right) throws Exception {
        open(OPTIONS.withDepth(left), OPTIONS.withDepth(right));
        exchange(2000);
    }

    @ParameterizedTest
    @EnumSource(PollMode.class)
    void worksInEachModeWithoutInlineData(PollMode mode) throws Exception {
        ends =
                FakeRendezvous.pair(
                        new FakeProvider(EnumSet.complementOf(EnumSet.of(Capability.INLINE_DATA))));
        open(OPTIONS.withPollMode(mode), OPTIONS.withPollMode(mode));
        assertThat(ends[0].pair().capacity.maxInlineData()).isZero();
        exchange(500);
    }

    @Test
    void sendsWhatFitsFromTheMessagesOwnMemoryWhereTheDeviceTakesIt() throws Exception {
        open(OPTIONS, OPTIONS);
        int most = ends[0].pair().capacity.maxInlineData();

        conns.get(0).sendMsg(new byte[most]);
        assertThat(ends[0].pair().unregisteredSends).isEqualTo(1);
        assertThat(conns.get(1).recvMsg()).hasSize(most);
        conns.get(0).sendMsg(new byte[8]);
        assertThat(ends[0].pair().unregisteredSends).as("short ones are copied").isEqualTo(1);
        assertThat(conns.get(1).recvMsg()).hasSize(8);

        Set<Capability> without =
                EnumSet.complementOf(EnumSet.of(Capability.UNREGISTERED_INLINE_DATA));
        FakeRendezvous[] others = FakeRendezvous.pair(new FakeProvider(without));
        conns.forEach(Conn::close);
        conns.clear();
        ends = others;
        open(OPTIONS, OPTIONS);

        conns.get(0).sendMsg(new byte[most]);
        conns.get(0).sendMsg(new byte[0]);
        assertThat(ends[0].pair().unregisteredSends).isZero();
        assertThat(conns.get(1).recvMsg()).hasSize(most);
        assertThat(conns.get(1).recvMsg()).isEmpty();
    }

    @Test
    void refusesMemoryThatIsClosedOrAnotherThreadsAndLosesNoSlotAndNoCredit() throws Exception {
        open(OPTIONS, OPTIONS);
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(8);
        }
        for (int i = 0; i < 2 * OPTIONS.depth(); i++) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment foreign = arena.allocate(8);
                FutureTask<Throwable> sending =
                        start(() -> catchThrowable(() -> conns.get(0).sendMsg(foreign)));
                assertThat(sending.get(20, TimeUnit.SECONDS))
                        .isInstanceOf(WrongThreadException.class);
            }
            assertThatThrownBy(() -> conns.get(0).sendMsg(closed))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }

        assertWholeWindowIsFree();
        exchange(300);
    }

    @Test
    void losesNothingIfPreparingAChainFailsHalfWay() throws Exception {
        open(OPTIONS, OPTIONS);
        MemorySegment[] batch = new MemorySegment[OPTIONS.depth()];
        Arrays.fill(batch, MemorySegment.ofArray(new byte[200]));
        for (int i = 0; i < 2 * OPTIONS.depth(); i++) {
            FakeQueuePair pair = ends[0].pair();
            pair.failsAtUnregisteredSend = pair.unregisteredSends + 2;

            assertThatThrownBy(() -> conns.get(0).sendBatch(batch, batch.length))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("meanwhile");
            assertThat(pair.unregisteredRequests()).isZero();
        }

        assertWholeWindowIsFree();
        exchange(300);
    }

    @Test
    void sendsNothingOfABatchWithMemoryThatCannotBeRead() throws Exception {
        open(OPTIONS, OPTIONS);
        MemorySegment[] batch = new MemorySegment[OPTIONS.depth() + 2];
        Arrays.fill(batch, MemorySegment.ofArray(new byte[200]));
        try (Arena arena = Arena.ofConfined()) {
            batch[batch.length - 1] = arena.allocate(1000);
        }

        assertThatThrownBy(() -> conns.get(0).sendBatch(batch, batch.length))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");

        conns.get(0).sendMsg(new byte[3]);
        assertThat(conns.get(1).recvMsg()).as("the first that arrives").hasSize(3);
    }

    @Test
    void failsWhenOnlyAPartOfABatchCouldBeRead() throws Exception {
        open(OPTIONS, OPTIONS);
        MemorySegment[] batch = new MemorySegment[OPTIONS.depth() + 1];
        Arrays.fill(batch, MemorySegment.ofArray(new byte[200]));
        ends[0].pair().failsAtUnregisteredSend = OPTIONS.depth();
        FutureTask<Integer> receiving = start(() -> receiveAll(conns.get(1)));

        assertThatThrownBy(() -> conns.get(0).sendBatch(batch, batch.length))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("meanwhile");

        assertThat(conns.get(0).isOpen()).isFalse();
        assertThatThrownBy(() -> conns.get(0).sendMsg(new byte[1]))
                .isInstanceOf(IOException.class)
                .hasStackTraceContaining("has a part of it");
        assertThat(receiving.get(20, TimeUnit.SECONDS)).isEqualTo(OPTIONS.depth());
    }

    /// @return how many messages came before the connection failed
    private static int receiveAll(Conn conn) {
        int count = 0;
        try {
            while (conn.recvMsg() != null) {
                count++;
            }
            return -1; // an orderly end
        } catch (IOException failed) {
            return count;
        }
    }

    @Test
    void losesNoSlotToAnArrayThatIsNoneForSlots() throws Exception {
        open(OPTIONS, OPTIONS);
        SendSlot[] array = new OtherSlot[1];
        for (int i = 0; i < 2 * OPTIONS.depth(); i++) {
            assertThatThrownBy(() -> conns.get(0).claim(array, 1, 8))
                    .isInstanceOf(ArrayStoreException.class);
        }

        assertWholeWindowIsFree();
        exchange(300);
    }

    private interface OtherSlot extends SendSlot {}

    @Test
    void namesNoMemoryOfTheCallersWhenACallHasEnded() throws Exception {
        open(OPTIONS, OPTIONS);
        FakeQueuePair pair = ends[0].pair();
        MemorySegment[] batch = new MemorySegment[OPTIONS.depth()];
        Arrays.fill(batch, MemorySegment.ofArray(new byte[200]));

        pair.acceptsNext = 2;
        conns.get(0).sendBatch(batch, batch.length);
        assertThat(pair.unregisteredRequests()).as("shorter chains than the first").isZero();
        assertThat(pair.unregisteredSends).isGreaterThan(batch.length);

        assertThat(conns.get(1).recvBatch(batch.length)).hasSize(batch.length);
        pair.sendsBeforeFailure = 1;
        assertThatThrownBy(() -> conns.get(0).sendBatch(batch, batch.length))
                .isInstanceOf(PostException.class);
        assertThat(pair.unregisteredRequests()).as("refused").isZero();
    }

    @Test
    void signalsTheEndOfEachChainWhateverTheChainBeforeWas() throws Exception {
        open(OPTIONS, OPTIONS);
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        SendSlot[] slots = new SendSlot[OPTIONS.depth()];
        int interval = (OPTIONS.depth() + Resources.CONTROL_SENDS) / 4;
        for (int i = 0; i < 300; i++) {
            int count = conns.get(0).claim(slots, 1 + random.nextInt(slots.length), 8);
            long before = ends[0].pair().signaledSends;
            conns.get(0).commit(slots, count);
            assertThat(ends[0].pair().signaledSends - before)
                    .as("chain %d, of %d frames", i, count)
                    .isEqualTo(1L + (count - 1) / interval);
            conns.get(0).flush();
            for (int received = 0; received < count; received++) {
                conns.get(1).recvMsg();
            }
        }
    }

    private void assertWholeWindowIsFree() throws Exception {
        SendSlot[] slots = new SendSlot[OPTIONS.depth()];
        assertThat(conns.get(0).claim(slots, slots.length, 8)).isEqualTo(slots.length);
        for (SendSlot slot : slots) {
            slot.cancel();
        }
    }

    @Test
    void napsInAdaptiveModeWithoutACompletionChannelAndRefusesEventMode() throws Exception {
        EnumSet<Capability> capabilities =
                EnumSet.complementOf(EnumSet.of(Capability.COMPLETION_CHANNEL));
        FakeRendezvous[] refused = FakeRendezvous.pair(new FakeProvider(capabilities));
        assertThatThrownBy(() ->
                        MessageConnection.open(
                                refused[0],
                                OPTIONS.withPollMode(PollMode.EVENT),
                                Deadline.after(1)))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("event mode");
        assertThat(refused[0].isClosed).as("closed, though it is the caller's").isFalse();
        assertThat(refused[0].context.open.get()).isZero();

        ends = FakeRendezvous.pair(new FakeProvider(capabilities));
        open(OPTIONS.withPollMode(PollMode.ADAPTIVE), OPTIONS.withPollMode(PollMode.ADAPTIVE));
        exchange(200);
    }

    @Test
    void refusesAProviderWithoutImmediateDataSinceFramesHaveTheirHeadersInIt() {
        FakeRendezvous end =
                FakeRendezvous.pair(
                        new FakeProvider(
                                EnumSet.complementOf(EnumSet.of(Capability.IMMEDIATE_DATA))))[0];

        assertThatThrownBy(() -> MessageConnection.open(end, OPTIONS, Deadline.after(1)))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("immediate data");
        assertThat(end.context.open.get()).isZero();
    }

    @Test
    void releasesEverythingAtWhateverStepOpeningFails() {
        for (int step = 0; step < 6; step++) {
            FakeRendezvous end =
                    FakeRendezvous.pair(new FakeProvider(EnumSet.allOf(Capability.class)))[0];
            end.context.failsAfter = step;

            assertThatThrownBy(
                            () -> MessageConnection.open(end, OPTIONS, Deadline.after(1_000_000)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("told to fail");

            assertThat(end.context.open.get()).as("left open after step " + step).isZero();
            assertThat(end.isClosed).as("closed, though it is the caller's").isFalse();
        }
    }

    @Test
    void triesAgainWhatTheDeviceHadNoRoomFor() throws Exception {
        open(OPTIONS.withDepth(64), OPTIONS.withDepth(64));
        Random random = new Random(20261129);
        FutureTask<Void> receiving = start(() -> receive(conns.get(1), 640));
        for (int i = 0; i < 640; ) {
            List<byte[]> batch = new ArrayList<>();
            for (int j = 0; j < 32; j++, i++) {
                batch.add(message(i));
            }
            ends[0].pair().acceptsNext = random.nextInt(8);
            conns.get(0).sendBatch(batch);
        }
        receiving.get(20, TimeUnit.SECONDS);
    }

    @Test
    void failsOnBothEndsWhenAPostIsRefused() throws Exception {
        open(OPTIONS, OPTIONS);
        conns.get(0).sendMsg(message(0));
        ends[0].pair().sendsBeforeFailure = 1;

        assertThatThrownBy(() -> conns.get(0).sendBatch(List.of(message(1), message(2))))
                .hasMessageContaining("ENOMEM");
        assertThatThrownBy(() -> conns.get(0).sendMsg(message(3))).hasMessageContaining("ENOMEM");

        assertThat(conns.get(1).recvMsg()).isEqualTo(message(0));
        assertThat(conns.get(1).recvMsg()).isEqualTo(message(1));
        assertThatThrownBy(() -> conns.get(1).recvMsg()).isInstanceOf(PeerGoneException.class);
    }

    @Test
    void cancelsNoSlotThatWasPostedBeforeOneWasRefused() throws Exception {
        open(OPTIONS, OPTIONS);
        SendSlot[] slots = new SendSlot[3];
        assertThat(conns.get(0).claim(slots, 3, 8)).isEqualTo(3);
        ends[0].pair().sendsBeforeFailure = 1;

        assertThatThrownBy(() -> conns.get(0).commit(slots, 3)).hasMessageContaining("ENOMEM");

        assertThatThrownBy(() -> slots[0].truncate(0))
                .as("the posted one is not the caller's any more")
                .isInstanceOf(IllegalStateException.class);
        slots[1].truncate(0);
        for (SendSlot slot : slots) {
            slot.cancel();
        }
        assertThatThrownBy(() -> conns.get(0).sendMsg(message(1))).hasMessageContaining("ENOMEM");
    }

    @Test
    void namesTheCauseThatComesAfterWhatItFlushed() throws Exception {
        open(OPTIONS.withDepth(64), OPTIONS.withDepth(64));
        ends[0].pair().nextFailure = CompletionStatus.REMOTE_OPERATION_ERROR;

        assertThatThrownBy(() -> conns.get(0).sendMsg(message(1)))
                .hasMessageContaining("REMOTE_OPERATION_ERROR");
    }

    @Test
    void failsWhenAReceiveCannotBePostedAgain() throws Exception {
        open(OPTIONS, OPTIONS);
        ends[1].pair().receivesBeforeFailure = 0;
        conns.get(0).sendMsg(message(1));

        assertThat(conns.get(1).recvMsg()).isEqualTo(message(1));
        assertThatThrownBy(() -> conns.get(1).recvMsg()).hasMessageContaining("ENOMEM");
    }

    @ParameterizedTest
    @EnumSource(PollMode.class)
    void noticesASuddenDeathWhileReceiving(PollMode mode) throws Exception {
        open(OPTIONS.withPollMode(mode), OPTIONS.withPollMode(mode));
        conns.get(0).sendMsg(message(0));
        FutureTask<Void> receiving = start(() -> receive(conns.get(1), 2));

        ends[0].die();

        assertThatThrownBy(() -> receiving.get(2, TimeUnit.SECONDS))
                .hasCauseInstanceOf(PeerGoneException.class);
        assertThatThrownBy(() -> conns.get(1).sendMsg(message(1)))
                .isInstanceOf(PeerGoneException.class);
    }

    @ParameterizedTest
    @EnumSource(PollMode.class)
    void noticesASuddenDeathWhileWaitingForCredits(PollMode mode) throws Exception {
        open(OPTIONS.withPollMode(mode), OPTIONS.withPollMode(mode));
        FutureTask<Void> sending =
                start(() -> {
                    while (true) {
                        conns.get(1).sendMsg(message(1));
                    }
                });
        Thread.sleep(50);

        ends[0].die();

        assertThatThrownBy(() -> sending.get(2, TimeUnit.SECONDS))
                .hasCauseInstanceOf(PeerGoneException.class);
        assertThatThrownBy(() -> conns.get(1).recvMsg()).isInstanceOf(PeerGoneException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void closesInTimeAfterThePeerDied(int depth) throws Exception {
        open(OPTIONS.withDepth(depth), OPTIONS.withDepth(depth));
        conns.get(1).sendMsg(message(1));
        ends[0].die();

        long start = System.nanoTime();
        conns.get(1).close();

        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(4));
    }

    @ParameterizedTest
    @EnumSource(PollMode.class)
    void keepsItsDeadlineWhileThereIsAlwaysSomethingToDo(PollMode mode) throws Exception {
        open(OPTIONS.withPollMode(mode), OPTIONS.withPollMode(mode));
        conns.get(0).timeout(Duration.ofMillis(100));
        queue(0).isNoisy = true;
        try {
            assertThatThrownBy(() -> conns.get(0).recvMsg()).isInstanceOf(DeadlineException.class);
        } finally {
            queue(0).isNoisy = false;
        }
        assertThat(conns.get(0).isOpen()).isTrue();
    }

    @Test
    void failsWhenAnErrorComesUpInThePoll() throws Exception {
        open(OPTIONS, OPTIONS);
        queue(0).nextError = new OutOfMemoryError("the test's");

        assertThatThrownBy(() -> conns.get(0).sendMsg(message(1)))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(conns.get(0).isOpen()).isFalse();
        assertThatThrownBy(() -> conns.get(0).sendMsg(message(1)))
                .hasMessageContaining("the test's");
    }

    @ParameterizedTest
    @EnumSource(PollMode.class)
    void givesUpBeforeItsDeadlineWhenItsPortIsDownAndASendIsNotAnswered(PollMode mode)
            throws Exception {
        open(OPTIONS.withPollMode(mode), OPTIONS);
        queue(0).isHeld = true;
        ends[0].isPortDown = true;

        assertThatThrownBy(() -> conns.get(0).sendMsg(message(1)))
                .isInstanceOf(PeerGoneException.class)
                .hasMessageContaining("a send was not answered");
    }

    @Test
    void waitsOnForAMessageWhenItsPortIsDownAndNothingIsOutstanding() throws Exception {
        open(OPTIONS, OPTIONS);
        ends[1].isPortDown = true;
        conns.get(1).timeout(Duration.ofSeconds(2));

        assertThatThrownBy(() -> conns.get(1).recvMsg()).isInstanceOf(DeadlineException.class);

        assertThat(conns.get(1).isOpen()).isTrue();
    }

    @Test
    void goesOnAfterADeadlineOrInterruptIfEverythingWasPosted() throws Exception {
        open(OPTIONS, OPTIONS);
        queue(0).isHeld = true;
        conns.get(0).timeout(Duration.ofMillis(100));
        assertThatThrownBy(() -> conns.get(0).sendMsg(message(1)))
                .isInstanceOf(DeadlineException.class)
                .hasMessageContaining("completion");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> conns.get(0).sendMsg(message(0)))
                .isInstanceOf(InterruptedIOException.class)
                .isNotInstanceOf(DeadlineException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(conns.get(0).isOpen()).isTrue();

        queue(0).isHeld = false;
        conns.get(0).timeout(Duration.ofSeconds(10));
        conns.get(0).flush();
        conns.get(0).sendMsg(message(2));
        assertThat(conns.get(1).recvMsg()).isEqualTo(message(1));
        assertThat(conns.get(1).recvMsg()).isEqualTo(message(0));
        assertThat(conns.get(1).recvMsg()).isEqualTo(message(2));
    }

    private FakeCompletionQueue queue(int end) {
        return (FakeCompletionQueue) ends[end].pair().sendCompletionQueue();
    }

    private void open(ConnOptions left, ConnOptions right) throws Exception {
        FutureTask<Conn> other = start(() -> open(ends[1], right));
        conns.add(open(ends[0], left));
        conns.add(other.get(10, TimeUnit.SECONDS));
    }

    private static Conn open(FakeRendezvous end, ConnOptions options) throws IOException {
        return MessageConnection.open(end, options, Deadline.after(TimeUnit.SECONDS.toNanos(10)));
    }

    /// Four threads: both ends send and receive at once.
    private void exchange(int count) throws Exception {
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (Conn conn : conns) {
            tasks.add(
                    start(() -> {
                        for (int i = 0; i < count; i++) {
                            conn.sendMsg(message(i));
                        }
                        return null;
                    }));
            tasks.add(start(() -> receive(conn, count)));
        }
        for (FutureTask<Void> task : tasks) {
            task.get(30, TimeUnit.SECONDS);
        }
    }

    private static Void receive(Conn conn, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            assertThat(conn.recvMsg()).isEqualTo(message(i));
        }
        return null;
    }

    private static byte[] message(int number) {
        byte[] bytes = new byte[number * 31 % 700];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private static <T> FutureTask<T> start(java.util.concurrent.Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }
}
