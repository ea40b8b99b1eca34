package io.rdmanet.ffm;

import io.rdmanet.tck.SharedReceiveQueueLifeContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmSharedReceiveQueueLifeTest extends SharedReceiveQueueLifeContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
