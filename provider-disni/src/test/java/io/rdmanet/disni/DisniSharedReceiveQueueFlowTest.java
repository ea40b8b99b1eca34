package io.rdmanet.disni;

import io.rdmanet.tck.SharedReceiveQueueFlowContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniSharedReceiveQueueFlowTest extends SharedReceiveQueueFlowContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
