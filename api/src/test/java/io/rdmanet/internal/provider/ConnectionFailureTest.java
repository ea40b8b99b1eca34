package io.rdmanet.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionFailureTest {
    private static final InetSocketAddress PEER =
            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 18515);

    @Test
    void saysHowItKnowsThatThePeerHasGone() {
        ConnectionException failure =
                ConnectionFailure.peerGone("rdma_accept", PEER, "22 (EINVAL)");

        assertThat(failure.reason()).isEqualTo(Reason.PEER_GONE);
        assertThat(failure)
                .hasMessageContaining("rdma_accept")
                .hasMessageContaining(
                        "192.0.2.7:18515 has gone before the connection stood (22 (EINVAL))");
    }

    @Test
    void saysWhatThePeerHasNotDoneInTime() {
        ConnectionException failure =
                ConnectionFailure.timedOut(
                        "rdma_connect", PEER, "answered the request", TimeUnit.SECONDS.toNanos(2));

        assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT);
        assertThat(failure)
                .hasMessageContaining("192.0.2.7:18515 has not answered the request in 2000 ms");
    }

    @Test
    void saysWhatEndedAnAttempt() {
        ConnectionException silent = ConnectionFailure.silentPeer("rdma_connect", PEER, "event 7");
        ConnectionException removed =
                ConnectionFailure.removedDevice("rdma_connect", PEER, "event 11");
        ConnectionException other = ConnectionFailure.notConnected("rdma_connect", PEER, "event 6");

        assertThat(silent.reason()).isEqualTo(Reason.UNREACHABLE);
        assertThat(silent).hasMessageContaining("192.0.2.7:18515 does not answer (event 7)");
        assertThat(removed.reason()).isEqualTo(Reason.CONNECT_ERROR);
        assertThat(removed)
                .hasMessageContaining(
                        "the device was removed while connecting with 192.0.2.7:18515 (event 11)");
        assertThat(other.reason()).isEqualTo(Reason.CONNECT_ERROR);
        assertThat(other)
                .hasMessageContaining(
                        "the connection with 192.0.2.7:18515 did not come about (event 6)");
    }

    @Test
    void saysWhatWasClosed() {
        assertThat(ConnectionFailure.closed("rdma_connect", "the connection"))
                .hasMessageContaining("rdma_connect")
                .hasMessageContaining("the connection was closed");
    }

    @Test
    void keepsTheInterrupt() {
        VerbsException failure = ConnectionFailure.interrupted("rdma_get_cm_event", "a listener");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure.errno()).isEqualTo(ErrorNumber.EINTR);
        assertThat(failure).hasMessageContaining("interrupted while waiting on a listener");
    }
}
