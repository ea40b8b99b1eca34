package io.rdmanet.ffm;

import io.rdmanet.tck.ConnAllocationContract;
import io.rdmanet.verbs.VerbsProvider;

final class FfmConnAllocationTest extends ConnAllocationContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }

    /// A round takes some 10 ms in an emulated guest.
    @Override
    protected int rounds() {
        return Math.min(super.rounds(), 4 * manyMessages());
    }
}
