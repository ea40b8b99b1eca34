package io.rdmanet.ffm.connection;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.rdmanet.ffm.c.ConnectionParametersDescriptor;
import io.rdmanet.ffm.c.Librdmacm;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// The three messages that make a connection, from either end, and the queue pair's part in it.
///
/// ```
/// rdma_connect  --REQ-->  CONNECT_REQUEST
///                         queue pair to READY_TO_SEND
/// CONNECT_RESPONSE <-REP--  rdma_accept
/// queue pair to READY_TO_SEND
/// rdma_establish --RTU-->  ESTABLISHED
/// ```
final class Handshake {
    private static final String CONNECT = "rdma_connect";
    private static final String ACCEPT = "rdma_accept";

    private final CommunicationIdentifier identifier;
    private final InetSocketAddress remote;
    private final QueuePair queuePair;
    private final ConnectionParameters parameters;
    private final QueuePairConnector connector;

    Handshake(
            CommunicationIdentifier identifier,
            InetSocketAddress remote,
            QueuePair queuePair,
            ConnectionParameters parameters) {
        this.identifier = identifier;
        this.remote = remote;
        this.queuePair = queuePair;
        this.parameters = parameters;
        this.connector = new QueuePairConnector(identifier, remote);
    }

    /// The active side's part.
    ///
    /// @return the private data of the answer
    /// @throws VerbsException if the connection did not come about; it has to be destroyed then
    byte[] connect(long timeoutNanos) throws VerbsException {
        long start = System.nanoTime();
        long sent = send(CONNECT);
        if (Result.isFailure(sent)) {
            throw FfmConnectionFailure.refused(CONNECT, Result.errorNumber(sent), remote);
        }
        CommunicationEvent answer = await(CONNECT, start, timeoutNanos, "answered the request");
        if (answer.type() != CommunicationEvent.Type.CONNECT_RESPONSE) {
            throw FfmConnectionFailure.of(CONNECT, answer, remote, false);
        }
        connector.connect(CONNECT, queuePair, parameters);
        long established = identifier.call(CONNECT, Librdmacm::rdma_establish);
        if (Result.isFailure(established)) {
            throw gone("rdma_establish", established);
        }
        return answer.privateData();
    }

    /// The passive side's part.
    ///
    /// @throws VerbsException if the connection did not come about; it has to be destroyed then
    void accept(long timeoutNanos) throws VerbsException {
        long start = System.nanoTime();
        // Before the answer: the client may send as soon as it has it.
        connector.connect(ACCEPT, queuePair, parameters);
        long sent = send(ACCEPT);
        if (Result.isFailure(sent)) {
            throw Result.errorNumber(sent) == ErrorNumber.EINVAL
                    ? gone(ACCEPT, sent)
                    : FfmConnectionFailure.refused(ACCEPT, Result.errorNumber(sent), remote);
        }
        CommunicationEvent answer = await(ACCEPT, start, timeoutNanos, "confirmed the connection");
        if (answer.type() != CommunicationEvent.Type.ESTABLISHED
                && answer.type() != CommunicationEvent.Type.DISCONNECTED) {
            throw FfmConnectionFailure.of(ACCEPT, answer, remote, true);
        }
    }

    private long send(String verb) throws VerbsException {
        byte[] data = parameters.privateData();
        try (Arena arena = Arena.ofConfined()) {
            long struct = arena.allocate(ConnectionParametersDescriptor.SIZE, 8).address();
            ConnectionParametersDescriptor.setPrivateData(
                    struct, arena.allocateFrom(JAVA_BYTE, data).address(), data.length);
            write(struct);
            return identifier.call(
                    verb,
                    id ->
                            verb.equals(CONNECT)
                                    ? Librdmacm.rdma_connect(id, struct)
                                    : Librdmacm.rdma_accept(id, struct));
        }
    }

    private void write(long struct) {
        NativeMemory.setByte(
                struct + ConnectionParametersDescriptor.RESPONDER_RESOURCES,
                parameters.responderResources());
        NativeMemory.setByte(
                struct + ConnectionParametersDescriptor.INITIATOR_DEPTH,
                parameters.initiatorDepth());
        NativeMemory.setByte(struct + ConnectionParametersDescriptor.FLOW_CONTROL, 1);
        NativeMemory.setByte(
                struct + ConnectionParametersDescriptor.RETRY_COUNT, parameters.retryCount());
        NativeMemory.setByte(
                struct + ConnectionParametersDescriptor.RNR_RETRY_COUNT,
                parameters.rnrRetryCount());
        NativeMemory.setByte(
                struct + ConnectionParametersDescriptor.SHARED_RECEIVE_QUEUE,
                queuePair.sharedReceiveQueue() == null ? 0 : 1);
        NativeMemory.setInt(
                struct + ConnectionParametersDescriptor.QUEUE_PAIR_NUMBER, queuePair.number());
    }

    private CommunicationEvent await(String verb, long start, long timeoutNanos, String what)
            throws VerbsException {
        long left = timeoutNanos - (System.nanoTime() - start);
        CommunicationEvent answer = identifier.awaitEvent(verb, left, this::answer);
        if (answer == null) {
            throw ConnectionFailure.timedOut(verb, remote, what, timeoutNanos);
        }
        return answer;
    }

    private @Nullable CommunicationEvent answer(CommunicationEvent event) {
        return switch (event.type()) {
            // Of no interest to a connection that does not stand yet.
            case ADDR_CHANGE, TIMEWAIT_EXIT, UNKNOWN -> null;
            case DISCONNECTED -> {
                // Only who stood disconnects: it was a short connection, and not a failed one. The
                // program learns of it as of any other.
                identifier.putBack(event);
                yield event;
            }
            default -> event;
        };
    }

    private VerbsException gone(String verb, long result) {
        return ConnectionFailure.peerGone(
                verb, remote, "errno=" + ErrorNumber.describe(Result.errorNumber(result)));
    }
}
