package io.rdmanet.loopback;

import io.rdmanet.tck.NoAllocationContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackNoAllocationTest extends NoAllocationContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
