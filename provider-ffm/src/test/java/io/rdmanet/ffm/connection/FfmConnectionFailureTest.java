package io.rdmanet.ffm.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FfmConnectionFailureTest {
    private static final InetSocketAddress PEER =
            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 18515);

    @ParameterizedTest
    @CsvSource({
        "ADDR_ERROR, -19, ADDRESS_ERROR, no RDMA device of this machine reaches 192.0.2.7:18515",
        "ADDR_ERROR, -110, UNREACHABLE, 192.0.2.7:18515 does not answer",
        "ADDR_ERROR, -113, UNREACHABLE, 192.0.2.7:18515 does not answer",
        "ADDR_ERROR, -101, ROUTE_ERROR, there is no route to 192.0.2.7:18515",
        "ADDR_ERROR, -22, ADDRESS_ERROR, 22 (EINVAL)",
        "ROUTE_ERROR, -22, ROUTE_ERROR, RDMA_CM_EVENT_ROUTE_ERROR",
        "UNREACHABLE, -110, UNREACHABLE, -110 (ETIMEDOUT)",
        "REJECTED, 8, REJECTED, nobody listens there",
        "REJECTED, 28, REJECTED, 28 (consumer defined)",
        "REJECTED, 34, REJECTED, 34 (UNKNOWN)",
        "REJECTED, -111, REJECTED, -111 (ECONNREFUSED)",
        "CONNECT_ERROR, -5, CONNECT_ERROR, -5 (EIO)",
        "DEVICE_REMOVAL, 0, CONNECT_ERROR, the device was removed",
        "DISCONNECTED, 0, PEER_GONE, 192.0.2.7:18515 has gone",
        "ESTABLISHED, 0, CONNECT_ERROR, RDMA_CM_EVENT_ESTABLISHED",
    })
    void saysWhyConnectingFailed(
            CommunicationEvent.Type type, int status, Reason reason, String words) {
        ConnectionException failure =
                FfmConnectionFailure.of("rdma_connect", event(type, status), PEER, false);

        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure)
                .hasMessageContaining(words)
                .hasMessageContaining("RDMA_CM_EVENT_" + type);
        assertThat(failure.verb()).isEqualTo("rdma_connect");
    }

    @ParameterizedTest
    @EnumSource(names = {"REJECTED", "UNREACHABLE", "DISCONNECTED"})
    void saysThatTheClientHasGoneWhenAccepting(CommunicationEvent.Type type) {
        ConnectionException failure =
                FfmConnectionFailure.of("rdma_accept", event(type, 4), PEER, true);

        assertThat(failure.reason()).isEqualTo(Reason.PEER_GONE);
        assertThat(failure).hasMessageContaining("RDMA_CM_EVENT_" + type);
    }

    @Test
    void carriesThePrivateDataOfARejection() {
        CommunicationEvent rejection =
                new CommunicationEvent(
                        CommunicationEvent.Type.REJECTED, 8, 28, 1, new byte[] {1, 2, 0});

        assertThat(FfmConnectionFailure.of("rdma_connect", rejection, PEER, false).privateData())
                .containsExactly(1, 2, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "98, ADDRESS_IN_USE, 18515",
        "99, ADDRESS_ERROR, no RDMA device of this machine owns",
        "19, ADDRESS_ERROR, rdma link"
    })
    void saysWhyItCannotListen(int errno, Reason reason, String words) {
        VerbsException failure = FfmConnectionFailure.notListening("rdma_bind_addr", errno, PEER);

        assertThat(failure)
                .isInstanceOfSatisfying(
                        ConnectionException.class, it -> assertThat(it.reason()).isEqualTo(reason))
                .hasMessageContaining(words)
                .hasMessageContaining(ErrorNumber.name(errno));
    }

    @Test
    void knowsEventsOfALaterLibraryByTheirNumber() {
        CommunicationEvent unknown =
                new CommunicationEvent(CommunicationEvent.Type.of(77), 77, 0, 1, new byte[0]);

        assertThat(unknown.type()).isEqualTo(CommunicationEvent.Type.UNKNOWN);
        assertThat(unknown.describe()).isEqualTo("event UNKNOWN(77)");
        assertThat(CommunicationEvent.Type.of(-1)).isEqualTo(CommunicationEvent.Type.UNKNOWN);
    }

    private static CommunicationEvent event(CommunicationEvent.Type type, int status) {
        return new CommunicationEvent(type, 0, status, 1, new byte[0]);
    }
}
