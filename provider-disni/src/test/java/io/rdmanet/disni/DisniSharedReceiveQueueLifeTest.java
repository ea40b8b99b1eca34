package io.rdmanet.disni;

import io.rdmanet.tck.SharedReceiveQueueLifeContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniSharedReceiveQueueLifeTest extends SharedReceiveQueueLifeContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
