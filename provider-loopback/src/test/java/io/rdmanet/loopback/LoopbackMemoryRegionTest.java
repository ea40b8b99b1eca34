package io.rdmanet.loopback;

import io.rdmanet.tck.MemoryRegionContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackMemoryRegionTest extends MemoryRegionContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
