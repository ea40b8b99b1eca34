package io.rdmanet.verbs;

/// A work request that completed with an error.
///
/// Thrown by layers above the verbs; the verbs themselves report failed completions as values
/// ([PollCompletions#status(int)]).
public final class WorkCompletionException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final CompletionStatus status;
    private final int statusCode;
    private final long workRequestId;
    private final int vendorError;
    private final int queuePairNumber;

    /// @param doing what the work was for, in words: `sending a message`
    /// @param completions the poll that holds the failed completion
    /// @param index its index there
    public WorkCompletionException(String doing, PollCompletions completions, int index) {
        super("completion of " + doing, detail(completions, index));
        this.status = completions.status(index);
        this.statusCode = completions.statusCode(index);
        this.workRequestId = completions.workRequestId(index);
        this.vendorError = completions.vendorError(index);
        this.queuePairNumber = completions.queuePairNumber(index);
    }

    private static String detail(PollCompletions completions, int index) {
        CompletionStatus status = completions.status(index);
        String name =
                status == CompletionStatus.UNKNOWN
                        ? "UNKNOWN(" + completions.statusCode(index) + ")"
                        : status.name() + " (" + completions.statusCode(index) + ")";
        String vendor =
                completions.vendorError(index) == 0
                        ? ""
                        : ", vendorError=0x" + Integer.toHexString(completions.vendorError(index));
        return name
                + " on queue pair 0x"
                + Integer.toHexString(completions.queuePairNumber(index))
                + vendor
                + (status.hint().isEmpty() ? "" : "; " + status.hint());
    }

    /// What went wrong.
    public CompletionStatus status() {
        return status;
    }

    /// The provider's number for what went wrong.
    public int statusCode() {
        return statusCode;
    }

    /// The identifier that the failed request was posted with.
    public long workRequestId() {
        return workRequestId;
    }

    /// The device's own error code, 0 if it gave none.
    public int vendorError() {
        return vendorError;
    }

    /// The queue pair on which the request failed.
    public int queuePairNumber() {
        return queuePairNumber;
    }
}
