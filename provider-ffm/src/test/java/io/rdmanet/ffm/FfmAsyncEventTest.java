package io.rdmanet.ffm;

import io.rdmanet.tck.AsyncEventContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmAsyncEventTest extends AsyncEventContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }

    /// Soft-RoCE raises events of completion queues and shared receive queues only.
    @Override
    protected boolean reportsAccessErrors() {
        return false;
    }
}
