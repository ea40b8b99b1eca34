package io.rdmanet.verbs;

/// How a work request ended (`enum ibv_wc_status`; InfiniBand specification 11.6.2).
public enum CompletionStatus {
    SUCCESS(0, ""),
    LOCAL_LENGTH_ERROR(1, "the message is longer than the posted receive buffer"),
    LOCAL_QUEUE_PAIR_OPERATION_ERROR(2, ""),
    LOCAL_EEC_OPERATION_ERROR(3, ""),
    LOCAL_PROTECTION_ERROR(
            4, "the local buffer is not inside a memory region that allows this access"),
    WORK_REQUEST_FLUSH_ERROR(
            5, "the queue pair is in the error state: an earlier completion says why, if any does"),
    MEMORY_WINDOW_BIND_ERROR(6, ""),
    BAD_RESPONSE_ERROR(7, ""),
    LOCAL_ACCESS_ERROR(8, "the receive buffer's region does not allow local writes"),
    REMOTE_INVALID_REQUEST_ERROR(
            9, "the peer refused the request: its receive buffer may be too small"),
    REMOTE_ACCESS_ERROR(
            10, "key, address, length or access flags do not match the peer's memory region"),
    REMOTE_OPERATION_ERROR(11, ""),
    RETRY_EXCEEDED_ERROR(
            12, "the peer does not answer: it has gone, or GID, port or path MTU do not fit"),
    RNR_RETRY_EXCEEDED_ERROR(13, "the peer has no receive posted"),
    LOCAL_RDD_VIOLATION_ERROR(14, ""),
    REMOTE_INVALID_RD_REQUEST_ERROR(15, ""),
    REMOTE_ABORTED_ERROR(16, ""),
    INVALID_EEC_NUMBER_ERROR(17, ""),
    INVALID_EEC_STATE_ERROR(18, ""),
    FATAL_ERROR(19, ""),
    RESPONSE_TIMEOUT_ERROR(20, ""),
    GENERAL_ERROR(21, ""),
    /// A number that this table does not know; [PollCompletions#statusCode(int)] has it.
    UNKNOWN(-1, "");

    private static final CompletionStatus[] BY_CODE = values();

    private final int code;
    private final String hint;

    CompletionStatus(int code, String hint) {
        this.code = code;
        this.hint = hint;
    }

    /// The number libibverbs has for it.
    public int code() {
        return code;
    }

    /// What usually is the cause, or an empty string.
    public String hint() {
        return hint;
    }

    /// The status of a number; [#UNKNOWN], never an exception, for one that is not known.
    public static CompletionStatus of(int code) {
        return code >= 0 && code < BY_CODE.length - 1 ? BY_CODE[code] : UNKNOWN;
    }
}
