package io.rdmanet.disni;

import static io.rdmanet.disni.MockedDisni.LOCAL;
import static io.rdmanet.disni.MockedDisni.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.ibm.disni.verbs.RdmaCmId;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.VerbsException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Closing while something happens, or when something does not let itself be closed.
@Timeout(60)
class ClosingTest {
    private static final QueuePairCapacity CAPACITY = QueuePairCapacity.of(8, 8);
    private static final int PATIENCE_MILLIS = 10_000;

    private final MockedDisni disni;
    private final RdmaCmId client;
    private final RdmaCmId second;

    ClosingTest() throws Exception {
        disni = new MockedDisni();
        client = requester();
        second = requester();
    }

    private RdmaCmId requester() throws Exception {
        RdmaCmId id = mock(RdmaCmId.class);
        when(id.getVerbs()).thenReturn(disni.device);
        return id;
    }

    private void request(RdmaCmId of) {
        disni.happens(MockedDisni.code(CommunicationEvent.Type.CONNECT_REQUEST), disni.id, of);
    }

    /// To some events librdmacm modifies the queue pair, while it reads them.
    @Test
    void destroysNoQueuePairOfAnAttemptWhileAnEventIsRead() throws Exception {
        AtomicBoolean wasReading = new AtomicBoolean();
        when(disni.cm.destroyQP(any()))
                .thenAnswer(_ -> {
                    wasReading.set(disni.isReading);
                    return 0;
                });
        MockedDisni.Connection connection = disni.unconnected(CAPACITY);

        connection.identifier().close();

        verify(disni.cm).destroyQP(disni.id);
        assertThat(wasReading).isFalse();
    }

    @Test
    void goesOnAfterAnEventThatCannotBeRead() throws Exception {
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);

        disni.happensUnreadably();
        request(client);

        assertThat(listener.awaitRequest(TIMEOUT)).isNotNull();
    }

    @Test
    void goesOnAfterAConnectionThatCannotBeDestroyed() throws Exception {
        when(disni.cm.destroyCmId(client)).thenReturn(ErrorNumber.EBUSY);
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);
        request(client);
        ConnectionIdentifier identifier = take(listener);
        queuePair(identifier);
        disni.happens(CommunicationEvent.Type.ESTABLISHED, client);
        identifier.accept(ConnectionParameters.defaults(), TIMEOUT);
        disni.happens(CommunicationEvent.Type.DISCONNECTED, client);
        identifier.close();
        verify(disni.cm, timeout(PATIENCE_MILLIS)).destroyCmId(client);

        request(second);

        assertThat(listener.awaitRequest(TIMEOUT)).isNotNull();
    }

    @Test
    void tellsEverybodyWhenNoEventCanBeReadAnyMoreAndLeavesNothingBehind() throws Exception {
        MockedDisni.Connection connection = disni.connected(CAPACITY);
        disni.isBroken = true;

        assertThatThrownBy(() -> connection.identifier().awaitEvent(TIMEOUT))
                .isInstanceOf(VerbsException.class)
                .hasRootCauseMessage("Trying to get context on closed ID");

        connection.identifier().close();
        verify(disni.cm, timeout(PATIENCE_MILLIS)).destroyCmId(disni.id);
        verify(disni.cm, timeout(PATIENCE_MILLIS)).destroyEventChannel(disni.channel);
    }

    @Test
    void givesRequestsAwayWhileAWithdrawnOneIsBeingDestroyed() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        when(disni.cm.destroyCmId(client))
                .thenAnswer(_ -> {
                    assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
                    return 0;
                });
        ConnectionListener listener = disni.manager.listen(LOCAL, 3);
        request(client);
        disni.happens(CommunicationEvent.Type.REJECTED, client);
        request(second);
        verify(disni.cm, timeout(PATIENCE_MILLIS)).destroyCmId(client);

        FutureTask<ConnectionIdentifier> taking =
                new FutureTask<>(() -> listener.awaitRequest(TIMEOUT));
        Thread.ofPlatform().daemon().start(taking);

        assertThat(taking.get(10, TimeUnit.SECONDS)).isNotNull();
        mayEnd.countDown();
    }

    @Test
    void leavesNoQueuePairToAConnectionThatWasClosedMeanwhile() throws Exception {
        DisniConnectionIdentifier identifier = disni.resolved();
        ProtectionDomain domain = identifier.context().allocateProtectionDomain();
        CompletionQueue queue = identifier.context().createCompletionQueue(16, null);
        when(disni.queuePair.getQp_num())
                .thenAnswer(_ -> {
                    identifier.close();
                    return MockedDisni.QUEUE_PAIR;
                });

        assertThatThrownBy(() ->
                        identifier.createQueuePair(
                                domain,
                                QueuePairInitialAttributes.reliable(queue, queue, CAPACITY)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("closed");

        verify(disni.cm).destroyQP(disni.id);
        queue.close();
        domain.close();
        disni.manager.close();
    }

    /// The kernel repeats the goodbye after 4 to 5 seconds, as long as there is an identifier.
    @Test
    void staysForAPeerThatHasNotAnsweredTheGoodbye() throws Exception {
        MockedDisni.Connection connection = disni.connected(CAPACITY);

        connection.identifier().close();

        Thread.sleep(1_500);
        verify(disni.cm, never()).destroyCmId(disni.id);
        disni.happens(CommunicationEvent.Type.DISCONNECTED);
        verify(disni.cm, timeout(PATIENCE_MILLIS)).destroyCmId(disni.id);
    }

    @Test
    void leavesTheChannelBehindOfAQueueThatWentWithItsDevice() throws Exception {
        Context context = disni.resolved().context();
        CompletionQueue queue = context.createCompletionQueue(8, null);
        when(disni.verbs.destroyCQ(any())).thenReturn(-ErrorNumber.EIO);
        when(disni.verbs.destroyCompChannel(any())).thenReturn(ErrorNumber.EBUSY);

        queue.close();

        CompletionQueue other = context.createCompletionQueue(8, null);
        when(disni.verbs.destroyCQ(any())).thenReturn(0);
        assertThatThrownBy(other::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("EBUSY");
    }

    private static ConnectionIdentifier take(ConnectionListener listener) throws Exception {
        ConnectionIdentifier request = listener.awaitRequest(TIMEOUT);
        if (request == null) {
            throw new AssertionError("no request");
        }
        return request;
    }

    private static void queuePair(ConnectionIdentifier identifier) throws Exception {
        ProtectionDomain domain = identifier.context().allocateProtectionDomain();
        CompletionQueue queue = identifier.context().createCompletionQueue(16, null);
        identifier.createQueuePair(
                domain, QueuePairInitialAttributes.reliable(queue, queue, CAPACITY));
    }
}
