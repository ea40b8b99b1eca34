package io.rdmanet.disni;

import static io.rdmanet.disni.MockedDisni.REMOTE;
import static io.rdmanet.disni.MockedDisni.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import com.ibm.disni.verbs.RdmaCm;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.InOrder;

class DiallingTest {
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(200);
    private static final QueuePairCapacity CAPACITY = QueuePairCapacity.of(8, 8);

    private final MockedDisni disni;

    DiallingTest() throws Exception {
        disni = new MockedDisni();
    }

    @Test
    void makesTheCallsOfADiallingEndInTheirOrder() throws Exception {
        MockedDisni.Connection connection = disni.connected(CAPACITY);

        connection.queuePair().close();
        connection.queue().close();
        connection.domain().close();
        disni.happens(CommunicationEvent.Type.DISCONNECTED);
        connection.identifier().close();
        disni.manager.close();

        InOrder order = inOrder(disni.cm, disni.verbs);
        order.verify(disni.cm).createEventChannel();
        order.verify(disni.cm).createId(disni.channel, RdmaCm.RDMA_PS_TCP);
        order.verify(disni.cm).resolveAddr(eq(disni.id), any(), eq(REMOTE), anyInt());
        order.verify(disni.cm).resolveRoute(eq(disni.id), anyInt());
        order.verify(disni.verbs).allocPd(disni.device);
        order.verify(disni.verbs).createCompChannel(disni.device);
        order.verify(disni.verbs).createCQ(eq(disni.device), any(), eq(256), eq(0));
        order.verify(disni.cm).createQP(eq(disni.id), any(), any());
        order.verify(disni.cm).connect(eq(disni.id), any());
        order.verify(disni.cm).destroyQP(disni.id);
        order.verify(disni.verbs).destroyCQ(any());
        order.verify(disni.verbs).destroyCompChannel(any());
        order.verify(disni.verbs).deallocPd(any());
        order.verify(disni.cm).disconnect(disni.id);
        order.verify(disni.cm, timeout(5_000)).destroyCmId(disni.id);
        order.verify(disni.cm, timeout(5_000)).destroyEventChannel(disni.channel);
    }

    @Test
    void passesTheRetryCountsOn() throws Exception {
        MockedDisni.Connection connection = disni.unconnected(CAPACITY);
        disni.happens(CommunicationEvent.Type.ESTABLISHED);

        connection.identifier().connect(new ConnectionParameters(new byte[0], 1, 1, 5, 3), TIMEOUT);

        verify(disni.cm)
                .connect(
                        eq(disni.id),
                        argThat(with ->
                                with.getRetry_count() == 5
                                        && with.getRnr_retry_count() == 3
                                        && with.getPrivate_data_len() == 0));
        assertThat(connection.queuePair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @Test
    void bindsToTheSourceBeforeItResolves() throws Exception {
        disni.happens(CommunicationEvent.Type.ADDR_RESOLVED);
        disni.happens(CommunicationEvent.Type.ROUTE_RESOLVED);
        InetSocketAddress source = MockedDisni.address(1, 0);

        disni.manager.resolve(REMOTE, source, TIMEOUT).close();

        InOrder order = inOrder(disni.cm);
        order.verify(disni.cm).bindAddr(disni.id, source);
        order.verify(disni.cm).resolveAddr(eq(disni.id), any(), eq(REMOTE), anyInt());
    }

    @Test
    void givesUpWhenNoAddressIsResolvedInTime() {
        assertThatThrownBy(() -> disni.manager.resolve(REMOTE, null, SHORT))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.TIMED_OUT))
                .hasMessageContaining("10.77.0.2:18515");
        disni.manager.close();
    }

    @Test
    void givesUpWhenNoRouteIsResolvedInTime() {
        disni.happens(CommunicationEvent.Type.ADDR_RESOLVED);

        assertReason(() -> disni.manager.resolve(REMOTE, null, SHORT), Reason.TIMED_OUT);
    }

    @Test
    void givesUpWhenNobodyAnswersTheRequest() throws Exception {
        MockedDisni.Connection connection = disni.unconnected(CAPACITY);

        assertReason(
                () -> connection.identifier().connect(ConnectionParameters.defaults(), SHORT),
                Reason.TIMED_OUT);

        verify(disni.cm).disconnect(disni.id);
        connection.identifier().close();
        verify(disni.cm).destroyCmId(disni.id);
    }

    @ParameterizedTest
    @CsvSource({"ADDR_ERROR, ADDRESS_ERROR", "ROUTE_ERROR, ROUTE_ERROR"})
    void saysWhyNothingWasResolved(CommunicationEvent.Type event, Reason reason) {
        disni.happens(event);

        assertReason(() -> disni.manager.resolve(REMOTE, null, TIMEOUT), reason);
    }

    @ParameterizedTest
    @CsvSource({
        "REJECTED, REJECTED",
        "UNREACHABLE, UNREACHABLE",
        "CONNECT_ERROR, CONNECT_ERROR",
        "DISCONNECTED, PEER_GONE",
        "DEVICE_REMOVAL, CONNECT_ERROR",
        "MULTICAST_ERROR, CONNECT_ERROR"
    })
    void endsConnectingWithWhatHappened(CommunicationEvent.Type event, Reason reason)
            throws Exception {
        MockedDisni.Connection connection = disni.unconnected(CAPACITY);
        disni.happens(event);

        assertReason(
                () -> connection.identifier().connect(ConnectionParameters.defaults(), TIMEOUT),
                reason);
    }

    @ParameterizedTest
    @CsvSource({
        "No such device, ADDRESS_ERROR",
        "Network is unreachable, ROUTE_ERROR",
        "No route to host, UNREACHABLE",
        "Invalid argument, ADDRESS_ERROR"
    })
    void saysWhyTheCallItselfFailed(String text, Reason reason) throws Exception {
        doThrow(new IOException("j2c::resolveAddr: rdma_resolve_addr failed: " + text + "\n"))
                .when(disni.cm)
                .resolveAddr(any(), any(), any(), anyInt());

        assertReason(() -> disni.manager.resolve(REMOTE, null, TIMEOUT), reason);
        verify(disni.cm).destroyCmId(disni.id);
    }

    @Test
    void closingEndsAWaitForTheAnswer() throws Exception {
        MockedDisni.Connection connection = disni.unconnected(CAPACITY);
        Thread closer =
                Thread.ofPlatform()
                        .start(() -> {
                            awaitRequest(connection);
                            connection.identifier().close();
                        });

        assertThatThrownBy(() ->
                        connection.identifier().connect(ConnectionParameters.defaults(), TIMEOUT))
                .hasMessageContaining("closed");
        closer.join();
    }

    /// Once the request is out.
    private void awaitRequest(MockedDisni.Connection connection) {
        try {
            verify(disni.cm, timeout(5_000)).connect(eq(disni.id), any());
        } catch (IOException e) {
            throw new AssertionError(connection.toString(), e);
        }
    }

    @Test
    void refusesIpv6BeforeAnythingIsMade() {
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("::1"), 1);

        assertThatThrownBy(() -> disni.manager.resolve(address, null, TIMEOUT))
                .isInstanceOfSatisfying(
                        UnsupportedCapabilityException.class,
                        e -> assertThat(e.capability()).isEqualTo(Capability.IPV6));

        verifyNoInteractions(disni.cm);
    }

    @Test
    void refusesPrivateDataBeforeTheRequestIsSent() throws Exception {
        MockedDisni.Connection connection = disni.unconnected(CAPACITY);

        assertThatThrownBy(() ->
                        connection
                                .identifier()
                                .connect(
                                        ConnectionParameters.defaults()
                                                .withPrivateData(new byte[] {1}),
                                        TIMEOUT))
                .isInstanceOf(UnsupportedCapabilityException.class);

        verify(disni.cm, never()).connect(any(), any());
    }

    @Test
    void tellsOfTheEndOfAConnectionOnce() throws Exception {
        DisniConnectionIdentifier identifier = disni.connected(CAPACITY).identifier();
        assertThat(identifier.pollEvent()).isNull();

        disni.happens(CommunicationEvent.Type.DISCONNECTED);

        assertThat(identifier.awaitEvent(TIMEOUT)).isEqualTo(ConnectionEvent.DISCONNECTED);
        assertThat(identifier.pollEvent()).isNull();
        assertThat(identifier.awaitEvent(SHORT)).isNull();
    }

    @Test
    void disconnectingPutsTheQueuePairIntoError() throws Exception {
        MockedDisni.Connection connection = disni.connected(CAPACITY);

        connection.identifier().disconnect();

        verify(disni.cm).disconnect(disni.id);
        assertThat(connection.queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void goingToErrorIsDisconnectingAndNeverModifying() throws Exception {
        MockedDisni.Connection connection = disni.connected(CAPACITY);

        connection.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));

        verify(disni.cm).disconnect(disni.id);
        assertThatThrownBy(() ->
                        connection.queuePair().modify(QueuePairAttributes.to(QueuePairState.RESET)))
                .isInstanceOfSatisfying(
                        UnsupportedCapabilityException.class,
                        e -> assertThat(e.capability()).isEqualTo(Capability.QUEUE_PAIR_MODIFY));
    }

    private static void assertReason(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable attempt, Reason reason) {
        assertThatThrownBy(attempt)
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
