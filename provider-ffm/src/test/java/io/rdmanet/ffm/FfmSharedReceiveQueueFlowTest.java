package io.rdmanet.ffm;

import io.rdmanet.tck.SharedReceiveQueueFlowContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmSharedReceiveQueueFlowTest extends SharedReceiveQueueFlowContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
