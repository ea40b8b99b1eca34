package io.rdmanet.disni;

import io.rdmanet.tck.AsyncEventContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniAsyncEventTest extends AsyncEventContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }

    /// Soft-RoCE raises events of completion queues and shared receive queues only.
    @Override
    protected boolean reportsAccessErrors() {
        return false;
    }
}
