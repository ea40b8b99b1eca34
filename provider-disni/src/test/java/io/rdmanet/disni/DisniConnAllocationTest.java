package io.rdmanet.disni;

import io.rdmanet.tck.ConnAllocationContract;
import io.rdmanet.verbs.VerbsProvider;

final class DisniConnAllocationTest extends ConnAllocationContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }

    /// Fewer on an emulated processor, where a round takes some 10 ms. Asked for between the
    /// rounds, so it must not allocate either.
    private final int rounds = Math.min(super.rounds(), 4 * manyMessages());

    @Override
    protected int rounds() {
        return rounds;
    }
}
