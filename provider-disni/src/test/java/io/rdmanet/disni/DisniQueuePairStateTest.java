package io.rdmanet.disni;

import io.rdmanet.tck.QueuePairStateContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniQueuePairStateTest extends QueuePairStateContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
