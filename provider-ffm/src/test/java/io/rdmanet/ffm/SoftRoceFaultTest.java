package io.rdmanet.ffm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.EndpointOptions;
import io.rdmanet.Listener;
import io.rdmanet.PeerGoneException;
import io.rdmanet.Rdmanet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What only an administrator can do to a connection, done to two Soft-RoCE hosts: needs root in a
/// guest of `bin/softroce --hosts 2`.
class SoftRoceFaultTest {
    private static final Duration PATIENCE =
            Duration.ofSeconds(Long.getLong("rdmanet.tck.patienceSeconds", 20));

    /// Seven tries of 67 ms (retry count 6, timeout exponent 14), and what an emulated processor
    /// needs besides.
    private static final Duration RETRIES_END_WITHIN = Duration.ofSeconds(3);

    @BeforeEach
    void requireTwoHosts() {
        boolean hasTwo = "2".equals(System.getenv("SOFTROCE_HOSTS"));
        String reason = "only in a guest of bin/softroce --hosts 2";
        if (!hasTwo) {
            System.out.println("skipped: " + reason);
        }
        assumeTrue(hasTwo, reason);
    }

    private static ConnOptions options(ConnectionSetup setup) {
        return ConnOptions.defaults()
                .withEndpoint(
                        EndpointOptions.defaults()
                                .withProvider("ffm")
                                .withSetup(setup)
                                .withTimeout(PATIENCE))
                .withDepth(8)
                .withSlotBytes(1024);
    }

    private static Listener<Conn> listen(ConnectionSetup setup) throws IOException {
        InetAddress host2 = InetAddress.ofLiteral(System.getenv("SOFTROCE_ADDRESS_2"));
        return Rdmanet.listen(new InetSocketAddress(host2, 0), options(setup));
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void aSendEndsInTimeAndNamesItsRouteWhenThePeersInterfaceIsDown(ConnectionSetup setup)
            throws Exception {
        try (Listener<Conn> listener = listen(setup);
                Conn dialled = Rdmanet.dial(listener.localAddress(), options(setup));
                Conn accepted = listener.accept(PATIENCE)) {
            dialled.sendMsg(new byte[100]);
            assertThat(accepted.recvMsg()).hasSize(100);
            shell("softroce/cable", "cut", "2");
            try {
                long start = System.nanoTime();
                Throwable failure = catchThrowable(() -> dialled.sendMsg(new byte[100]));
                Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
                // Retries that are used up, or rxe sees its port go down and flushes without a
                // reason.
                assertThat(failure)
                        .isInstanceOf(PeerGoneException.class)
                        .hasMessageFindingMatch("a send was not answered|its work was flushed")
                        .hasMessageContaining("sent from GID index 1")
                        .hasMessageContaining("(now DOWN)");
                assertThat(elapsed).isLessThan(RETRIES_END_WITHIN);
                assertThat(dialled.isOpen()).isFalse();
            } finally {
                shell("softroce/cable", "mend", "2");
            }
        }
        assertCarries(setup);
    }

    private static void assertCarries(ConnectionSetup setup) throws Exception {
        try (Listener<Conn> listener = listen(setup);
                Conn dialled = Rdmanet.dial(listener.localAddress(), options(setup));
                Conn accepted = listener.accept(PATIENCE)) {
            dialled.sendMsg(new byte[] {1, 2, 3});
            assertThat(accepted.recvMsg()).containsExactly(1, 2, 3);
        }
    }

    private static void shell(String... command) {
        try {
            Process process = new ProcessBuilder(List.of(command)).inheritIO().start();
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("%s ended", List.of(command))
                    .isTrue();
            assertThat(process.exitValue()).as("status of %s", List.of(command)).isZero();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
