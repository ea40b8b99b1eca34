package io.rdmanet.disni;

import io.rdmanet.tck.ConnZeroCopyContract;
import io.rdmanet.verbs.VerbsProvider;

final class DisniConnZeroCopyTest extends ConnZeroCopyContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
