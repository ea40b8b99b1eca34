package io.rdmanet.disni;

import static io.rdmanet.disni.MockedDisni.LOCAL;
import static io.rdmanet.disni.MockedDisni.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyShort;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.ibm.disni.verbs.RdmaCmId;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

class AcceptingTest {
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(200);

    private final MockedDisni disni;
    private final RdmaCmId client;

    AcceptingTest() throws Exception {
        disni = new MockedDisni();
        client = mock(RdmaCmId.class);
        when(client.getVerbs()).thenReturn(disni.device);
    }

    private void request(RdmaCmId of) {
        disni.happens(MockedDisni.code(CommunicationEvent.Type.CONNECT_REQUEST), disni.id, of);
    }

    private static ConnectionIdentifier take(ConnectionListener listener) throws Exception {
        ConnectionIdentifier request = listener.awaitRequest(TIMEOUT);
        if (request == null) {
            throw new AssertionError("no request");
        }
        return request;
    }

    private static QueuePair queuePair(ConnectionIdentifier identifier) throws Exception {
        ProtectionDomain domain = identifier.context().allocateProtectionDomain();
        CompletionQueue queue = identifier.context().createCompletionQueue(16, null);
        return identifier.createQueuePair(
                domain,
                QueuePairInitialAttributes.reliable(queue, queue, QueuePairCapacity.of(4, 4)));
    }

    @Test
    void makesTheCallsOfAListeningEndInTheirOrder() throws Exception {
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);
        request(client);
        ConnectionIdentifier identifier = take(listener);
        QueuePair queuePair = queuePair(identifier);
        disni.happens(CommunicationEvent.Type.ESTABLISHED, client);

        identifier.accept(ConnectionParameters.defaults(), TIMEOUT);

        assertThat(queuePair.state()).isEqualTo(QueuePairState.READY_TO_SEND);
        InOrder order = inOrder(disni.cm);
        order.verify(disni.cm).createId(any(), anyShort());
        order.verify(disni.cm).bindAddr(disni.id, LOCAL);
        order.verify(disni.cm).listen(disni.id, 3);
        order.verify(disni.cm).createQP(eq(client), any(), any());
        order.verify(disni.cm).accept(eq(client), any());
    }

    @Test
    void givesUpWhenTheClientDoesNotConfirm() throws Exception {
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);
        request(client);
        ConnectionIdentifier identifier = take(listener);
        queuePair(identifier);

        assertThatThrownBy(() -> identifier.accept(ConnectionParameters.defaults(), SHORT))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.TIMED_OUT));
    }

    @Test
    void saysThatTheClientHasGone() throws Exception {
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);
        request(client);
        ConnectionIdentifier identifier = take(listener);
        queuePair(identifier);
        doThrow(new IOException("j2c::accept: rdma_accept failed: Invalid argument\n"))
                .when(disni.cm)
                .accept(any(), any());

        assertThatThrownBy(() -> identifier.accept(ConnectionParameters.defaults(), TIMEOUT))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.PEER_GONE));
    }

    @Test
    void saysThatTheClientHasGoneWhenNoQueuePairCanBeMade() throws Exception {
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);
        request(client);
        ConnectionIdentifier identifier = take(listener);
        doThrow(new IOException("j2c::createQP: rdma_create_qp failed: Invalid argument\n"))
                .when(disni.cm)
                .createQP(any(), any(), any());

        assertThatThrownBy(() -> queuePair(identifier))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.PEER_GONE));
    }

    @Test
    void waitsForRequestsNoLongerThanItIsTold() throws Exception {
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);

        assertThat(listener.awaitRequest(0)).isNull();
        assertThat(listener.awaitRequest(SHORT)).isNull();
    }

    @Test
    void rejectsByDestroying() throws Exception {
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);
        request(client);
        ConnectionIdentifier identifier = take(listener);

        identifier.reject(new byte[0]);
        identifier.close();
        listener.close();
        disni.manager.close();

        verify(disni.cm).destroyCmId(client);
        verify(disni.cm, never()).accept(any(), any());
    }

    @Test
    void rejectsRequestsBeyondTheBacklog() throws Exception {
        ConnectionListener listener = disni.manager.listen(LOCAL, 1);
        RdmaCmId second = mock(RdmaCmId.class);
        request(client);
        request(second);

        verify(disni.cm, timeout(5_000)).destroyCmId(second);
        assertThat(listener.awaitRequest(TIMEOUT)).isNotNull();
        verify(disni.cm, never()).destroyCmId(client);
    }

    @Test
    void passesARequestOverWhoseClientHasGone() throws Exception {
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);
        RdmaCmId second = mock(RdmaCmId.class);
        when(second.getVerbs()).thenReturn(disni.device);
        request(client);
        disni.happens(CommunicationEvent.Type.REJECTED, client);
        request(second);
        Thread.sleep(300); // longer than the thread takes for three events

        assertThat(listener.awaitRequest(TIMEOUT)).isNotNull();

        verify(disni.cm).destroyCmId(client);
        verify(disni.cm, never()).destroyCmId(second);
    }

    @Test
    void rejectsWhatNobodyTookWhenItCloses() throws Exception {
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);
        request(client);
        Thread.sleep(300);

        listener.close();

        verify(disni.cm).destroyCmId(client);
        verify(disni.cm).destroyCmId(disni.id);
        verify(disni.cm, timeout(5_000)).destroyEventChannel(disni.channel);
    }

    @Test
    void saysThatAnAddressIsTaken() throws Exception {
        doThrow(new IOException("j2c::listen: rdma_listen failed: Address already in use\n"))
                .when(disni.cm)
                .listen(any(), anyInt());

        assertThatThrownBy(() -> disni.manager.listen(LOCAL, 3))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.ADDRESS_IN_USE));

        verify(disni.cm).destroyCmId(disni.id);
        disni.manager.close();
    }
}
