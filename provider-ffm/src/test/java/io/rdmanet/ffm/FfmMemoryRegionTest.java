package io.rdmanet.ffm;

import io.rdmanet.tck.MemoryRegionContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmMemoryRegionTest extends MemoryRegionContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
