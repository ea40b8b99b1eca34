package io.rdmanet.disni;

import io.rdmanet.verbs.CompletionStatus;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// Where Soft-RoCE (rxe of Linux 6.12), the device of the guest, differs from the specification.
final class SoftRoce {
    /// The specification's answer, and that of a responder to which the receive is a malformed
    /// request of its own (`RESPST_ERR_MALFORMED_WQE`).
    static final Set<CompletionStatus> STATUSES_OF_A_SEND_TOO_LONG =
            Collections.unmodifiableSet(
                    EnumSet.of(
                            CompletionStatus.REMOTE_INVALID_REQUEST_ERROR,
                            CompletionStatus.REMOTE_OPERATION_ERROR));

    /// The specification's status, that of other versions of Soft-RoCE, and this one's.
    static final Set<CompletionStatus> STATUSES_OF_A_RECEIVE_TOO_SMALL =
            Collections.unmodifiableSet(
                    EnumSet.of(
                            CompletionStatus.LOCAL_LENGTH_ERROR,
                            CompletionStatus.REMOTE_INVALID_REQUEST_ERROR,
                            CompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR));

    /// 4.096 us * 2^17 = 0.5 s: on an emulated processor an answer may take long.
    static final int TIMEOUT_EXPONENT = 17;

    /// Enough for one object per chain to show.
    static final int CHAINS_PER_RUN = 1_000;

    private SoftRoce() {}
}
