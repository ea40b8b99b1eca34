package io.rdmanet.disni;

import io.rdmanet.tck.MemoryRegionContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniMemoryRegionTest extends MemoryRegionContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
