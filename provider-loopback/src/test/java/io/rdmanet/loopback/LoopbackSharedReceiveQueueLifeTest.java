package io.rdmanet.loopback;

import io.rdmanet.tck.SharedReceiveQueueLifeContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackSharedReceiveQueueLifeTest extends SharedReceiveQueueLifeContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
