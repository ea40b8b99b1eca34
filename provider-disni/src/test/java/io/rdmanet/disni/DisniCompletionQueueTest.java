package io.rdmanet.disni;

import io.rdmanet.tck.CompletionQueueContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniCompletionQueueTest extends CompletionQueueContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }

    /// Soft-RoCE drops the completion and raises an asynchronous event, but goes on reporting.
    @Override
    protected boolean noticesOverrun() {
        return false;
    }
}
