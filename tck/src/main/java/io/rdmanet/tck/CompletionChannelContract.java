package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of [CompletionChannel]: events, what causes one, and what ends a wait.
public abstract class CompletionChannelContract extends VerbsContract {
    private static final int SLOT = 64;
    private static final int WINDOW = 16;
    private static final PairOptions OPTIONS =
            PairOptions.defaults().withLayout(CompletionLayout.SEPARATE_WITH_CHANNEL);

    /// How many messages race with the waits.
    protected int racingMessages() {
        return 5_000;
    }

    /// Whether a failed completion counts as solicited, as the SPI promises. A device whose driver
    /// forgets that says false: there, who waits for solicited completions only must have a
    /// deadline.
    protected boolean wakesForFailures() {
        return true;
    }

    @BeforeEach
    final void requireCapability() {
        assume(Capability.COMPLETION_CHANNEL);
    }

    @Test
    void reportsTheQueueThatHasACompletion() throws Exception {
        ConnectedPair pair = connect(OPTIONS);
        PairEnd right = pair.right();
        right.postReceives(1, right.memory(SLOT), SLOT);
        assertThat(right.receiveQueue().channel()).isSameAs(right.channel());

        right.receiveQueue().requestNotification(false);
        send(pair, SendFlags.SIGNALED);

        assertThat(right.channel().awaitEvent(patience().toNanos())).isSameAs(right.receiveQueue());
        right.receives().takeSuccesses(1);
    }

    @Test
    void reportsNothingUnlessAsked() throws Exception {
        ConnectedPair pair = connect(OPTIONS);
        pair.right().postReceives(1, pair.right().memory(SLOT), SLOT);

        send(pair, SendFlags.SIGNALED);

        pair.right().receives().takeSuccesses(1);
        assertThat(pair.right().channel().awaitEvent(0)).isNull();
        assertThat(pair.right().channel().awaitEvent(quiet().toNanos())).isNull();
    }

    @Test
    void reportsOnceForEachTimeItWasAsked() throws Exception {
        ConnectedPair pair = connect(OPTIONS);
        PairEnd right = pair.right();
        right.postReceives(4, right.memory(4 * SLOT), SLOT);

        right.receiveQueue().requestNotification(false);
        send(pair, SendFlags.SIGNALED);
        send(pair, SendFlags.SIGNALED);

        right.receives().takeSuccesses(2);
        assertThat(right.channel().awaitEvent(patience().toNanos())).isNotNull();
        assertThat(right.channel().awaitEvent(quiet().toNanos())).isNull();
        send(pair, SendFlags.SIGNALED);
        assertThat(right.channel().awaitEvent(quiet().toNanos()))
                .as("an event that nobody asked for")
                .isNull();
        right.receives().takeSuccesses(1);
        right.receiveQueue().requestNotification(false);
        send(pair, SendFlags.SIGNALED);
        assertThat(right.channel().awaitEvent(patience().toNanos())).isNotNull();
    }

    @Test
    void reportsSendsToo() throws Exception {
        // The two queues of an end in one that has a channel.
        ConnectedPair pair =
                connect(PairOptions.defaults().withLayout(CompletionLayout.MIXED_WITH_CHANNEL));
        PairEnd left = pair.left();
        pair.right().postReceives(2, pair.right().memory(2 * SLOT), SLOT);

        left.sendQueue().requestNotification(false);
        left.postSend(1, left.memory(SLOT), 0, SLOT);

        assertThat(left.channel().awaitEvent(patience().toNanos())).isSameAs(left.sendQueue());
        left.sends().takeSuccesses(1);
        left.postSend(2, left.memory(SLOT), 0, SLOT);
        left.sends().takeSuccesses(1);
        assertThat(left.channel().awaitEvent(quiet().toNanos()))
                .as("an event that nobody asked for")
                .isNull();
    }

    @Test
    void reportsASendThatWaitedForItsReceive() throws Exception {
        ConnectedPair pair =
                connect(PairOptions.defaults().withLayout(CompletionLayout.MIXED_WITH_CHANNEL));
        PairEnd left = pair.left();
        left.postSend(1, left.memory(SLOT), 0, SLOT);
        left.sendQueue().requestNotification(false);
        assertThat(left.channel().awaitEvent(quiet().toNanos())).isNull();

        pair.right().postReceives(1, pair.right().memory(SLOT), SLOT);

        assertThat(left.channel().awaitEvent(patience().toNanos())).isSameAs(left.sendQueue());
        left.sends().takeSuccesses(1);
    }

    @Test
    void reportsTheFailureOfASendThatFoundNoReceive() throws Exception {
        boolean solicitedOnly = wakesForFailures();
        ConnectedPair pair =
                connect(
                        PairOptions.defaults()
                                .withLayout(CompletionLayout.MIXED_WITH_CHANNEL)
                                .withRnrRetryCount(2));
        PairEnd left = pair.left();
        left.sendQueue().requestNotification(solicitedOnly);

        left.postSend(1, left.memory(SLOT), 0, SLOT);

        assertThat(left.channel().awaitEvent(patience().toNanos())).isSameAs(left.sendQueue());
        assertThat(left.sends().take().status())
                .isEqualTo(CompletionStatus.RNR_RETRY_EXCEEDED_ERROR);
    }

    @Test
    void reportsOnlySolicitedCompletionsIfAskedSo() throws Exception {
        ConnectedPair pair = connect(OPTIONS);
        PairEnd right = pair.right();
        right.postReceives(2, right.memory(2 * SLOT), SLOT);

        right.receiveQueue().requestNotification(true);
        send(pair, SendFlags.SIGNALED);
        right.receives().takeSuccesses(1);
        assertThat(right.channel().awaitEvent(quiet().toNanos())).isNull();

        send(pair, SendFlags.SIGNALED | SendFlags.SOLICITED);
        assertThat(right.channel().awaitEvent(patience().toNanos())).isSameAs(right.receiveQueue());
    }

    @Test
    void reportsAFailedCompletionAsIfItWereSolicited() throws Exception {
        skipUnless(wakesForFailures(), "to the device a failed completion is not a solicited one");
        ConnectedPair pair = connect(OPTIONS);
        PairEnd right = pair.right();
        right.postReceives(1, right.memory(SLOT), SLOT);

        right.receiveQueue().requestNotification(true);
        right.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));

        assertThat(right.channel().awaitEvent(patience().toNanos())).isSameAs(right.receiveQueue());
    }

    @Test
    void servesTwoQueues() throws Exception {
        var context = openContext();
        CompletionChannel channel = closing(context.createCompletionChannel());
        CompletionQueue first = closing(context.createCompletionQueue(4, channel));
        CompletionQueue second = closing(context.createCompletionQueue(4, channel));

        assertThat(first.channel()).isSameAs(channel);
        assertThat(second.channel()).isSameAs(channel);
        assertThatThrownBy(channel::close).isInstanceOf(IllegalStateException.class);
        first.close();
        assertThatThrownBy(channel::close).isInstanceOf(IllegalStateException.class);
        second.close();
        channel.close();
        channel.close();
    }

    @Test
    void doesNotWaitWithATimeoutOfZero() throws Exception {
        CompletionChannel channel = openChannel();

        assertThat(start("await", () -> channel.awaitEvent(0)).join()).isNull();
        assertThat(start("await", () -> channel.awaitEvent(1)).join()).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void losesNoCompletionThatRacesWithTheWait(boolean isVirtual) throws Exception {
        ConnectedPair pair = connect(OPTIONS);
        AtomicInteger received = new AtomicInteger();
        int total = racingMessages();
        FutureTask<Void> consuming =
                new FutureTask<>(() -> {
                    consume(pair.right(), total, received);
                    return null;
                });
        Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        MemoryRegion target = pair.right().memory(WINDOW * SLOT);
        pair.right().postReceives(WINDOW, target, SLOT);
        Thread consumer = builder.name("tck-consumer").start(consuming);
        closing(consumer::interrupt);
        Random random = new Random(7);
        MemoryRegion source = pair.left().memory(SLOT);

        for (int sent = 0; sent < total; sent++) {
            int current = sent;
            assertThat(
                            Waiting.until(
                                    patience(),
                                    () -> current - received.get() < WINDOW || consuming.isDone()))
                    .as("received %s of %s sent", received, sent)
                    .isTrue();
            if (consuming.isDone()) {
                break; // it has failed
            }
            if (random.nextInt(4) == 0) {
                LockSupport.parkNanos(random.nextInt(60_000));
            }
            pair.left().postSend(sent, source, 0, SLOT);
            pair.left().sends().takeSuccesses(1);
        }

        consuming.get(patience().toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Arms, polls until empty, and only then waits.
    private void consume(PairEnd end, int total, AtomicInteger received) throws Exception {
        PollCompletions poll = end.receiveQueue().preparePoll(4);
        MemoryRegion target = end.memory(SLOT);
        while (received.get() < total) {
            end.receiveQueue().requestNotification(false);
            int drained = 0;
            int count;
            while ((count = poll.execute()) > 0) {
                for (int i = 0; i < count; i++) {
                    assertThat(poll.status(i)).isEqualTo(CompletionStatus.SUCCESS);
                    end.postReceive(0, target, 0, SLOT);
                    received.incrementAndGet();
                }
                drained += count;
            }
            if (drained == 0 && received.get() < total) {
                assertThat(end.channel().awaitEvent(patience().toNanos()))
                        .as("event after %s messages", received)
                        .isSameAs(end.receiveQueue());
            }
        }
    }

    @Test
    void isWokenUp() throws Exception {
        CompletionChannel channel = openChannel();
        Running<@Nullable CompletionQueue> waiting =
                start("await", () -> channel.awaitEvent(Duration.ofMinutes(5).toNanos()));
        awaitBlocked(waiting);

        channel.wakeUp();

        assertThat(waiting.join()).isNull();
    }

    @Test
    void isWokenUpAheadOfTheWait() throws Exception {
        CompletionChannel channel = openChannel();

        channel.wakeUp();
        Running<@Nullable CompletionQueue> waiting =
                start("await", () -> channel.awaitEvent(Duration.ofMinutes(5).toNanos()));

        assertThat(waiting.join()).isNull();
    }

    @Test
    void waitsAgainAfterItWasWokenUp() throws Exception {
        ConnectedPair pair = connect(OPTIONS);
        PairEnd right = pair.right();
        right.postReceives(1, right.memory(SLOT), SLOT);
        right.channel().wakeUp();
        assertThat(right.channel().awaitEvent(patience().toNanos())).isNull();

        right.receiveQueue().requestNotification(false);
        send(pair, SendFlags.SIGNALED);

        assertThat(right.channel().awaitEvent(patience().toNanos())).isSameAs(right.receiveQueue());
    }

    @Test
    void closingEndsTheWait() throws Exception {
        CompletionChannel channel = openChannel();
        Running<String> waiting = start("await", () -> endOf(channel));
        awaitBlocked(waiting);

        channel.close();

        assertThat(waiting.join()).isEqualTo("ended");
    }

    @Test
    void interruptingEndsTheWait() throws Exception {
        CompletionChannel channel = openChannel();
        Running<Boolean> waiting =
                start(
                        "await",
                        () -> {
                            assertThat(channel.awaitEvent(Duration.ofMinutes(5).toNanos()))
                                    .isNull();
                            return Thread.interrupted();
                        });
        awaitBlocked(waiting);

        waiting.thread().interrupt();

        assertThat(waiting.join()).as("is still interrupted").isTrue();
    }

    /// Waits for ever; ends by null or by an exception that says why.
    private static String endOf(CompletionChannel channel) {
        try {
            assertThat(channel.awaitEvent(Duration.ofMinutes(5).toNanos())).isNull();
        } catch (io.rdmanet.verbs.VerbsException | IllegalStateException allowed) {
            return "ended";
        }
        return "ended";
    }

    private void awaitBlocked(Running<?> running) throws Exception {
        // Not every wait shows as such (one in native code is RUNNABLE): then a moment must do.
        Waiting.until(quiet(), running::isBlocked);
    }

    private CompletionChannel openChannel() throws Exception {
        return closing(openContext().createCompletionChannel());
    }

    private static void send(ConnectedPair pair, int flags) throws Exception {
        MemoryRegion source = pair.left().memory(SLOT);
        pair.left().postSend(1, source, 0, SLOT, flags);
        pair.left().sends().takeSuccesses(1);
    }
}
