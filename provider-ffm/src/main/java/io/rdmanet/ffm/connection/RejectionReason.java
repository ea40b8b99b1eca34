package io.rdmanet.ffm.connection;

/// Why a connection request was rejected (`enum ib_cm_rej_reason`, InfiniBand specification
/// 12.6.7.2).
final class RejectionReason {
    /// The other end gave up waiting.
    static final int TIMEOUT = 4;

    /// Nobody listens at the port.
    static final int INVALID_SERVICE_ID = 8;

    /// The peer still knows another connection of this queue pair.
    static final int STALE_CONNECTION = 10;

    /// The program said no, or closed the request.
    static final int CONSUMER_DEFINED = 28;

    private static final String[] NAMES = {
        "UNKNOWN",
        "no queue pair",
        "no end-to-end context",
        "no resources",
        "timeout",
        "unsupported request",
        "invalid communication identifier",
        "invalid communication instance",
        "invalid service identifier",
        "invalid transport type",
        "stale connection",
        "no reliable datagram context",
        "invalid GID",
        "invalid LID",
        "invalid service level",
        "invalid traffic class",
        "invalid hop limit",
        "invalid packet rate",
        "invalid alternate GID",
        "invalid alternate LID",
        "invalid alternate service level",
        "invalid alternate traffic class",
        "invalid alternate hop limit",
        "invalid alternate packet rate",
        "connection manager redirected",
        "port redirected",
        "invalid MTU",
        "insufficient responder resources",
        "consumer defined",
        "invalid RNR retry count",
        "duplicate communication identifier",
        "invalid class version",
        "invalid flow label",
        "invalid alternate flow label"
    };

    private RejectionReason() {}

    /// The number with its name: `28 (consumer defined)`.
    static String describe(int reason) {
        return reason
                + " ("
                + (reason > 0 && reason < NAMES.length ? NAMES[reason] : NAMES[0])
                + ")";
    }

    /// Where it comes from and what to do.
    static String hint(int reason) {
        return switch (reason) {
            case TIMEOUT -> "the program there gave the connection up";
            case INVALID_SERVICE_ID -> "nobody listens there: start the server first";
            case STALE_CONNECTION ->
                    "the peer still has an old connection of this queue pair: try again";
            case CONSUMER_DEFINED ->
                    "the program there refused, closed its listener or the request, or has too many"
                            + " requests waiting";
            default -> "the peer's connection manager refused";
        };
    }
}
