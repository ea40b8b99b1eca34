package io.rdmanet.bw.perftest;

import io.rdmanet.bw.run.RunFailedException;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.WorkCompletionException;
import java.io.IOException;

/// What failed completions mean between two tools that have to be given the same options.
final class Failures {
    private Failures() {}

    /// The failure, with what to look at.
    ///
    /// @param doing what the work was for
    static IOException of(String doing, PollCompletions completions, int index) {
        WorkCompletionException failure = new WorkCompletionException(doing, completions, index);
        String advice = advice(failure.status());
        return advice.isEmpty()
                ? failure
                : new RunFailedException(failure.getMessage() + "; " + advice, failure);
    }

    private static String advice(CompletionStatus status) {
        return switch (status) {
            case LOCAL_LENGTH_ERROR, REMOTE_INVALID_REQUEST_ERROR, REMOTE_ACCESS_ERROR ->
                    "is the other end the same tool, with the same -s and -a?";
            case RETRY_EXCEEDED_ERROR, REMOTE_OPERATION_ERROR, WORK_REQUEST_FLUSH_ERROR ->
                    "the peer has ended or failed, or is not RC: give both ends the same -n, -s, -q, -a"
                            + " and -D, and the C tool no -c but RC, or see what it says itself";
            default -> "";
        };
    }
}
