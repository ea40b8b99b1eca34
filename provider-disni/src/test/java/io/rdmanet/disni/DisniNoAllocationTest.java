package io.rdmanet.disni;

import io.rdmanet.tck.NoAllocationContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniNoAllocationTest extends NoAllocationContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }

    /// Few at a time, and again until the path is warm: a message takes the guest long.
    @Override
    protected int chainsPerRun() {
        return SoftRoce.CHAINS_PER_RUN;
    }
}
