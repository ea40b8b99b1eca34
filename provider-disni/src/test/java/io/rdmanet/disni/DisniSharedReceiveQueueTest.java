package io.rdmanet.disni;

import io.rdmanet.tck.SharedReceiveQueueContract;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.VerbsProvider;
import java.util.Set;

class DisniSharedReceiveQueueTest extends SharedReceiveQueueContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }

    @Override
    protected Set<CompletionStatus> statusesOfASendTooLong() {
        return SoftRoce.STATUSES_OF_A_SEND_TOO_LONG;
    }

    @Override
    protected Set<CompletionStatus> statusesOfAReceiveTooSmall() {
        return SoftRoce.STATUSES_OF_A_RECEIVE_TOO_SMALL;
    }
}
