package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.PollMode;
import io.rdmanet.ProbeReport;
import io.rdmanet.verbs.Capability;
import java.lang.management.ManagementFactory;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Every way of waiting, over every way of connecting.
public abstract class ConnModesContract extends ConnVerbsContract {
    /// Messages per direction; slow devices override it.
    protected int messages() {
        return 1000;
    }

    static Stream<Arguments> modesAndSetups() {
        return Stream.of(PollMode.values())
                .flatMap(mode ->
                        Stream.of(ConnectionSetup.values())
                                .map(setup -> Arguments.of(mode, setup)));
    }

    @ParameterizedTest
    @MethodSource("modesAndSetups")
    void carriesMessagesBothWaysAtOnce(PollMode mode, ConnectionSetup setup) throws Exception {
        Ends ends = open(options(mode, setup));
        Running<Void> there = start("there", () -> sendAll(ends.dialler()));
        Running<Void> back = start("back", () -> sendAll(ends.listener()));
        Running<Void> receiving = start("receive", () -> receiveAll(ends.dialler()));

        receiveAll(ends.listener());

        receiving.join();
        there.join();
        back.join();
        ends.dialler().close();
        assertThat(ends.listener().recvMsg()).isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = PollMode.class,
            names = {"EVENT", "ADAPTIVE"})
    void carriesMessagesBetweenVirtualThreads(PollMode mode) throws Exception {
        Ends ends = open(options(mode, setup()));
        FutureTask<Void> there = startVirtual(() -> sendAll(ends.dialler()));
        FutureTask<Void> back = startVirtual(() -> sendAll(ends.listener()));
        FutureTask<Void> receiving = startVirtual(() -> receiveAll(ends.dialler()));
        FutureTask<Void> other = startVirtual(() -> receiveAll(ends.listener()));

        for (FutureTask<Void> each : java.util.List.of(there, back, receiving, other)) {
            each.get(patience().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @Test
    void sleepsWithoutUsingTheProcessorInEventMode() throws Exception {
        Ends ends = open(options(PollMode.EVENT, setup()));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] used = new long[1];
        Running<byte[]> receiving =
                start(
                        "receive",
                        () -> {
                            long before = threads.getCurrentThreadCpuTime();
                            byte[] message = ends.listener().recvMsg();
                            used[0] = threads.getCurrentThreadCpuTime() - before;
                            return message;
                        });
        Thread.sleep(1000);
        ends.dialler().sendMsg(message(1, 1));

        assertMessage(receiving.join(), 1, 1);
        assertThat(used[0]).as("processor time while idle").isLessThan(200_000_000);
    }

    @Test
    void describesItselfOnBothEnds() throws Exception {
        Ends ends = open(options());

        assertThat(ends.dialler().description().provider()).isEqualTo(provider().name());
        assertThat(ends.dialler().description().setup()).isEqualTo(setup());
        assertThat(ends.dialler().remoteAddress().getPort())
                .isEqualTo(ends.listener().localAddress().getPort());
        assertThat(ends.dialler().options()).isEqualTo(options());
        assertThat(ends.dialler().timeout()).isEqualTo(patience());
        assertThat(ends.dialler().isOpen()).isTrue();
    }

    @Test
    void measuresOnlyWhenAsked() throws Exception {
        Ends ends = open(options().withProbesTime(true), options().withProbesTime(false));
        Running<Void> sending = start("send", () -> sendAll(ends.dialler()));
        receiveAll(ends.listener());
        sending.join();

        assertThat(ends.listener().probe()).isEqualTo(ProbeReport.NONE);
        ProbeReport report = ends.dialler().probe();
        assertThat(report.workRequests()).isGreaterThan(messages());
        assertThat(report.postNanos()).isPositive();
        assertThat(report.pollNanos()).isPositive();
    }

    private ConnOptions options(PollMode mode, ConnectionSetup setup) {
        if (mode == PollMode.EVENT) {
            assume(Capability.COMPLETION_CHANNEL);
        }
        assume(
                setup == ConnectionSetup.RDMA_CM
                        ? Capability.CONNECTION_MANAGER
                        : Capability.QUEUE_PAIR_MODIFY);
        ConnOptions options = options().withPollMode(mode);
        return options.withEndpoint(options.endpoint().withSetup(setup));
    }

    private Void sendAll(Conn conn) throws Exception {
        sendNumbered(conn, messages());
        return null;
    }

    private Void receiveAll(Conn conn) throws Exception {
        receiveNumbered(conn, messages());
        return null;
    }

    private static FutureTask<Void> startVirtual(java.util.concurrent.Callable<Void> work) {
        FutureTask<Void> task = new FutureTask<>(work);
        Thread.startVirtualThread(task);
        return task;
    }
}
