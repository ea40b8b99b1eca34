package io.rdmanet.ffm;

import io.rdmanet.tck.NoAllocationContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmNoAllocationTest extends NoAllocationContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }

    /// Few at a time, and again until the path is warm: a message takes the guest long.
    @Override
    protected int chainsPerRun() {
        return SoftRoce.CHAINS_PER_RUN;
    }
}
