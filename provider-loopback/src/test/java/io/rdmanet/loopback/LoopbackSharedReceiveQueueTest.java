package io.rdmanet.loopback;

import io.rdmanet.tck.SharedReceiveQueueContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackSharedReceiveQueueTest extends SharedReceiveQueueContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
