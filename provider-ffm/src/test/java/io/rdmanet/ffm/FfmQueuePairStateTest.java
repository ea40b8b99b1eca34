package io.rdmanet.ffm;

import io.rdmanet.tck.QueuePairStateContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmQueuePairStateTest extends QueuePairStateContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
