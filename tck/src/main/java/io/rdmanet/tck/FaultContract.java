package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.DeadlineException;
import io.rdmanet.EndpointOptions;
import io.rdmanet.Listener;
import io.rdmanet.PollMode;
import io.rdmanet.Rdmanet;
import io.rdmanet.tck.fault.FaultInjection;
import io.rdmanet.tck.fault.FaultPlan;
import io.rdmanet.tck.fault.Resource;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// [Conn] over a device that fails: nothing leaks, nothing hangs, nothing is lost or repeated in
/// silence. One end goes through the faulty provider, the other through the sound one.
public abstract class FaultContract extends VerbsContract {
    private static final int DEPTH = 4;
    private static final int SLOT = 256;
    private static final int MOST_CREATIONS = 500;

    private final FaultPlan plan = new FaultPlan();
    private @Nullable FaultInjection injection;

    @BeforeEach
    final void installFaults() {
        injection = FaultInjection.install(provider(), plan);
    }

    @AfterEach
    final void uninstallFaults() {
        plan.cancelAll();
        closeWhatTheTestOpened(); // first: it was made through the injection
        if (injection != null) {
            injection.close();
        }
    }

    /// Both ends of a connection; the dialling one is faulty.
    private record Pair(Conn faulty, Conn sound) {
        void close() {
            faulty.close();
            sound.close();
        }
    }

    // ---- creation

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void everythingIsReleasedByClosing(ConnectionSetup setup) throws Exception {
        Listener<Conn> listener = listen(provider().name(), setup);
        Pair pair = connect(listener, setup);
        exchange(pair, 3 * DEPTH);
        assertThat(plan.open()).isNotEmpty();

        pair.close();

        assertReleased(Map.of());
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void diallingThatFailsHalfWayReleasesEverything(ConnectionSetup setup) throws Exception {
        Listener<Conn> listener = listen(provider().name(), setup);
        AtomicBoolean isDone = new AtomicBoolean();
        AtomicInteger accepted = new AtomicInteger();
        Running<Integer> accepting = start("accept", () -> acceptUntil(isDone, accepted, listener));
        ConnOptions options = options(FaultInjection.PROVIDER_NAME, setup);
        if (canOpenByName()) {
            // A search among several devices passes over one that does not open.
            options = options.withEndpoint(options.endpoint().withDevice(firstDevice()));
        }
        int failures = 0;
        for (int nth = 1; nth <= MOST_CREATIONS; nth++) {
            plan.failCreation(nth);
            try (Conn conn = Rdmanet.dial(listener.localAddress(), options)) {
                assertThat(plan.hasFailedCreation())
                        .as("creation %d failed, and %s works all the same", nth, conn)
                        .isFalse();
                break;
            } catch (IOException expected) {
                failures++;
                assertThat(plan.hasFailedCreation()).as("%s", expected).isTrue();
            }
            assertReleased(Map.of());
        }
        plan.cancelAll();
        assertReleased(Map.of());
        assertThat(failures).as("creations that dialling takes").isBetween(4, MOST_CREATIONS - 1);

        awaitOne(accepted);
        isDone.set(true);
        listener.close();
        assertThat(accepting.join()).as("accepted after all failures").isPositive();
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void acceptingThatFailsHalfWayReleasesEverythingAndListensOn(ConnectionSetup setup)
            throws Exception {
        Listener<Conn> listener = listen(FaultInjection.PROVIDER_NAME, setup);
        Map<Resource, Integer> listening = plan.open();
        AtomicBoolean isDone = new AtomicBoolean();
        AtomicInteger accepted = new AtomicInteger();
        Running<Integer> accepting = start("accept", () -> acceptUntil(isDone, accepted, listener));
        boolean hasSucceeded = false;
        for (int nth = 1; nth <= MOST_CREATIONS && !hasSucceeded; nth++) {
            plan.failCreation(nth);
            try (Conn conn =
                    Rdmanet.dial(
                            listener.localAddress(),
                            options(provider().name(), setup, Duration.ofSeconds(2)))) {
                conn.sendMsg(new byte[1]);
                hasSucceeded = !plan.hasFailedCreation();
            } catch (IOException expected) {
                assertThat(plan.hasFailedCreation()).as("%s", expected).isTrue();
            }
            plan.cancelAll();
            assertReleased(listening);
        }
        assertThat(hasSucceeded).as("accepted in the end").isTrue();

        awaitOne(accepted);
        isDone.set(true);
        listener.close();
        assertThat(accepting.join()).isPositive();
        assertReleased(Map.of());
    }

    /// Accepts one connection after another, and one message from each.
    ///
    /// @return how many were accepted
    private static int acceptUntil(
            AtomicBoolean isDone, AtomicInteger accepted, Listener<Conn> listener) {
        while (!isDone.get()) {
            try (Conn conn = listener.accept(Duration.ofMillis(200))) {
                accepted.incrementAndGet();
                conn.timeout(Duration.ofSeconds(2));
                conn.recvMsg();
            } catch (IOException | IllegalStateException expected) {
                // nobody came, or a fault: the next may do better
            }
        }
        return accepted.get();
    }

    /// Whoever dials has its connection before the other end's accept() has returned.
    private void awaitOne(AtomicInteger accepted) throws InterruptedException {
        long start = System.nanoTime();
        while (accepted.get() == 0 && System.nanoTime() - start < patience().toNanos()) {
            Thread.sleep(1);
        }
    }

    // ---- the data path

    @ParameterizedTest
    @EnumSource(PollMode.class)
    void aFullSendQueueIsBackPressure(PollMode mode) throws Exception {
        Pair pair = connectOver(mode);
        AtomicInteger round = new AtomicInteger();

        assertCarries(
                pair,
                300,
                () -> {
                    int i = round.incrementAndGet();
                    if (i % 7 == 0) {
                        plan.limitSends(i % 5 + 1, i % 3 == 0 ? 1 : 0);
                    }
                });

        pair.close();
        assertReleased(Map.of());
    }

    @ParameterizedTest
    @EnumSource(PollMode.class)
    void lateCompletionsChangeNothing(PollMode mode) throws Exception {
        Pair pair = connectOver(mode);
        plan.delayCompletions(3);

        assertCarries(pair, 200, () -> {});

        plan.cancelAll();
        pair.close();
        assertReleased(Map.of());
    }

    @ParameterizedTest
    @EnumSource(PollMode.class)
    void aStallEndsInADeadlineAndTheMessageStays(PollMode mode) throws Exception {
        Pair pair = connectOver(mode);
        exchange(pair, 1);
        plan.stallCompletions();
        pair.faulty().timeout(Duration.ofMillis(200));
        pair.sound().sendMsg(message(77));

        assertThatThrownBy(() -> pair.faulty().recvMsg()).isInstanceOf(DeadlineException.class);
        plan.resumeCompletions();
        pair.faulty().timeout(patience());

        assertThat(pair.faulty().recvMsg()).isEqualTo(message(77));
        exchange(pair, 2 * DEPTH);
    }

    @ParameterizedTest
    @EnumSource(PollMode.class)
    void aSendThatStallsEndsInADeadline(PollMode mode) throws Exception {
        Pair pair = connectOver(mode);
        exchange(pair, 1);
        plan.stallCompletions();
        pair.faulty().timeout(Duration.ofMillis(200));

        assertThatThrownBy(() -> pair.faulty().sendMsg(message(1)))
                .isInstanceOf(DeadlineException.class);

        plan.resumeCompletions();
        pair.close();
        assertReleased(Map.of());
    }

    @Test
    void closingEndsAFlushThatStalls() throws Exception {
        Pair pair = connectOver(PollMode.ADAPTIVE);
        exchange(pair, 1);
        plan.stallCompletions();
        pair.faulty().claim(8).commit();
        Running<Throwable> flushing =
                start(
                        "flush",
                        () -> {
                            try {
                                pair.faulty().flush();
                            } catch (IOException e) {
                                return e;
                            }
                            return new AssertionError("the flush ended without its completion");
                        });
        boolean ignored = Waiting.until(quiet(), flushing::isBlocked);

        pair.faulty().close();

        assertThat(flushing.join()).isInstanceOf(AsynchronousCloseException.class);
        pair.sound().close();
        assertReleased(Map.of());
    }

    @Test
    void closingWhileStalledEnds() throws Exception {
        Pair pair = connectOver(PollMode.ADAPTIVE);
        exchange(pair, 1);
        plan.stallCompletions();

        start(
                        "close",
                        () -> {
                            pair.faulty().close();
                            return null;
                        })
                .join();

        pair.sound().close();
        assertReleased(Map.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 13})
    void aReceiveThatCannotBePostedAgainFailsLoudlyAndLeaksNothing(int nth) throws Exception {
        Pair pair = connectOver(PollMode.ADAPTIVE);
        plan.failReceiveExecution(nth);

        assertFailsOnBothEnds(pair);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 13})
    void aSendThatCannotBePostedFailsLoudlyAndLeaksNothing(int nth) throws Exception {
        Pair pair = connectOver(PollMode.ADAPTIVE);
        plan.failSendExecution(nth);

        assertFailsOnBothEnds(pair);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 10})
    void aFailedCompletionFailsLoudlyAndLeaksNothing(int after) throws Exception {
        Pair pair = connectOver(PollMode.ADAPTIVE);
        plan.failCompletionsAfter(after, CompletionStatus.RETRY_EXCEEDED_ERROR);

        assertFailsOnBothEnds(pair);
    }

    /// Sends back and forth until the fault shows: an IOException on the faulty end, which stays,
    /// and an end of some kind on the other, none of which may hang.
    private void assertFailsOnBothEnds(Pair pair) throws Exception {
        Running<Integer> echoing = start("echo", () -> echoUntilItFails(pair.sound()));
        Throwable failure =
                catchThrowable(() -> {
                    for (int i = 0; i < 100; i++) {
                        pair.faulty().sendMsg(message(i));
                        assertThat(pair.faulty().recvMsg()).isEqualTo(message(i));
                    }
                });
        assertThat(failure)
                .as("what the fault became")
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(DeadlineException.class);
        assertThat(pair.faulty().isOpen()).isFalse();
        assertThatThrownBy(() -> pair.faulty().sendMsg(message(0))).isInstanceOf(IOException.class);

        pair.faulty().close();
        echoing.join();
        pair.sound().close();
        assertReleased(Map.of());
    }

    /// @return how many messages were echoed
    private static int echoUntilItFails(Conn conn) {
        int count = 0;
        try {
            byte[] message;
            while ((message = conn.recvMsg()) != null) {
                conn.sendMsg(message);
                count++;
            }
        } catch (IOException expected) {
            return count;
        }
        return count;
    }

    // ---- helpers

    private Pair connectOver(PollMode mode) throws Exception {
        ConnectionSetup setup =
                provider().capabilities().contains(Capability.CONNECTION_MANAGER)
                        ? ConnectionSetup.RDMA_CM
                        : ConnectionSetup.TCP;
        if (mode == PollMode.EVENT) {
            assume(Capability.COMPLETION_CHANNEL);
        }
        Listener<Conn> listener = listen(provider().name(), setup);
        return connect(listener, options(FaultInjection.PROVIDER_NAME, setup).withPollMode(mode));
    }

    private Pair connect(Listener<Conn> listener, ConnectionSetup setup) throws Exception {
        return connect(listener, options(FaultInjection.PROVIDER_NAME, setup));
    }

    private Pair connect(Listener<Conn> listener, ConnOptions options) throws Exception {
        Running<Conn> dialling =
                start("dial", () -> Rdmanet.dial(listener.localAddress(), options));
        Conn sound = closing(listener.accept(patience()));
        return new Pair(closing(dialling.join()), sound);
    }

    private Listener<Conn> listen(String providerName, ConnectionSetup setup) throws Exception {
        assume(
                setup == ConnectionSetup.TCP
                        ? Capability.QUEUE_PAIR_MODIFY
                        : Capability.CONNECTION_MANAGER);
        return closing(
                Rdmanet.listen(new InetSocketAddress(address(), 0), options(providerName, setup)));
    }

    private ConnOptions options(String providerName, ConnectionSetup setup) {
        return options(providerName, setup, patience());
    }

    private static ConnOptions options(
            String providerName, ConnectionSetup setup, Duration timeout) {
        return ConnOptions.defaults()
                .withEndpoint(
                        EndpointOptions.defaults()
                                .withProvider(providerName)
                                .withSetup(setup)
                                .withTimeout(timeout))
                .withDepth(DEPTH)
                .withSlotBytes(SLOT)
                .withLinger(Duration.ofMillis(500));
    }

    private void exchange(Pair pair, int count) throws Exception {
        assertCarries(pair, count, () -> {});
    }

    /// Sends messages both ways, each checked; between any two something may happen.
    private void assertCarries(Pair pair, int count, Runnable between) throws Exception {
        Running<Integer> echoing =
                start(
                        "echo",
                        () -> {
                            for (int i = 0; i < count; i++) {
                                byte[] message = pair.sound().recvMsg();
                                assertThat(message).isEqualTo(message(i));
                                pair.sound().sendMsg(message(i));
                            }
                            return count;
                        });
        for (int i = 0; i < count; i++) {
            between.run();
            pair.faulty().sendMsg(message(i));
            assertThat(pair.faulty().recvMsg()).isEqualTo(message(i));
        }
        echoing.join();
    }

    /// Of one frame, two, or three.
    private static byte[] message(int number) {
        byte[] message = new byte[(number * 97) % (2 * SLOT + 50)];
        for (int i = 0; i < message.length; i++) {
            message[i] = (byte) (number + i);
        }
        return message;
    }

    /// Threads of the listener may still be closing what has failed.
    private void assertReleased(Map<Resource, Integer> stillOpen) throws Exception {
        Waiting.until(patience(), () -> plan.open().equals(stillOpen));
        assertThat(plan.open()).as("open through the faulty provider").isEqualTo(stillOpen);
    }
}
