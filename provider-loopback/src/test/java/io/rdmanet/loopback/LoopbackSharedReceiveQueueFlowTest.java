package io.rdmanet.loopback;

import io.rdmanet.tck.SharedReceiveQueueFlowContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackSharedReceiveQueueFlowTest extends SharedReceiveQueueFlowContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
