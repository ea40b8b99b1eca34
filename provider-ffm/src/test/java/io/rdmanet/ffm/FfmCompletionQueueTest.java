package io.rdmanet.ffm;

import io.rdmanet.tck.CompletionQueueContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmCompletionQueueTest extends CompletionQueueContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }

    /// Soft-RoCE drops the completion and raises an asynchronous event, but goes on reporting.
    @Override
    protected boolean noticesOverrun() {
        return false;
    }
}
