package io.rdmanet.loopback.connection;

import static java.util.Objects.requireNonNull;

import io.rdmanet.verbs.ConnectionParameters;
import java.net.InetSocketAddress;

/// One step of the making or ending of a connection, as it goes over the socket
/// ([ConnectionRecordDescriptor]).
///
/// @param step which
/// @param refusal why, in a rejection; else NONE
/// @param instance the sender's device
/// @param queuePairNumber the sender's queue pair
/// @param packetSequenceNumber the sender's first
/// @param responderResources RDMA READs and atomics the sender answers at once
/// @param initiatorDepth RDMA READs and atomics the sender has in flight
/// @param retryCount as the sender was told
/// @param rnrRetryCount as the sender was told
/// @param source the sender's address
/// @param destination the receiver's address; in a rejection for OTHER_ADDRESS the right one
/// @param privateData the programs' own
@SuppressWarnings("ArrayRecordComponent") // data on its way to the wire, compared by nobody
record ConnectionRecord(
        Step step,
        Refusal refusal,
        long instance,
        int queuePairNumber,
        int packetSequenceNumber,
        int responderResources,
        int initiatorDepth,
        int retryCount,
        int rnrRetryCount,
        InetSocketAddress source,
        InetSocketAddress destination,
        byte[] privateData) {
    static final int MAX_REJECT_PRIVATE_DATA = 148;

    private static final byte[] NO_DATA = {};

    ConnectionRecord {
        requireNonNull(source, "source");
        requireNonNull(destination, "destination");
        if (privateData.length > step.maxPrivateData) {
            throw new IllegalArgumentException(
                    "private data of "
                            + privateData.length
                            + " bytes: "
                            + step
                            + " carries "
                            + step.maxPrivateData
                            + " at most");
        }
    }

    /// What the record says (the names of the InfiniBand specification's messages in brackets).
    enum Step {
        /// The client asks (REQ).
        REQUEST(1, ConnectionParameters.MAX_REQUEST_PRIVATE_DATA),
        /// The server agrees (REP).
        REPLY(2, ConnectionParameters.MAX_ACCEPT_PRIVATE_DATA),
        /// One of them does not (REJ).
        REJECTION(3, MAX_REJECT_PRIVATE_DATA),
        /// The client's queue pair is ready (RTU).
        READY_TO_USE(4, 0),
        /// The connection ends (DREQ).
        DISCONNECTION(5, 0);

        final int code;
        final int maxPrivateData;

        Step(int code, int maxPrivateData) {
            this.code = code;
            this.maxPrivateData = maxPrivateData;
        }
    }

    /// Why a request was refused.
    enum Refusal {
        NONE(0),
        /// The program said no.
        BY_PROGRAM(1),
        /// As many requests as the listener wants are waiting.
        BACKLOG_FULL(2),
        /// The listener is bound to another address.
        OTHER_ADDRESS(3),
        /// The listener or the request was closed.
        CLOSED(4),
        /// The record is of another version.
        OTHER_VERSION(5),
        /// Too many have connected and said nothing.
        TOO_MANY_HALF_OPEN(6),
        /// The server's queue pair could not be connected.
        FAILED(7);

        final int code;

        Refusal(int code) {
            this.code = code;
        }
    }

    /// A record that is nothing but its step and its two addresses.
    static ConnectionRecord of(
            Step step, long instance, InetSocketAddress source, InetSocketAddress destination) {
        return new ConnectionRecord(
                step, Refusal.NONE, instance, 0, 0, 0, 0, 0, 0, source, destination, NO_DATA);
    }

    static ConnectionRecord rejection(
            Refusal refusal,
            long instance,
            InetSocketAddress source,
            InetSocketAddress destination,
            byte[] privateData) {
        return new ConnectionRecord(
                Step.REJECTION,
                refusal,
                instance,
                0,
                0,
                0,
                0,
                0,
                0,
                source,
                destination,
                privateData);
    }
}
