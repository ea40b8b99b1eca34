package io.rdmanet.loopback;

import io.rdmanet.tck.QueuePairStateContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackQueuePairStateTest extends QueuePairStateContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
