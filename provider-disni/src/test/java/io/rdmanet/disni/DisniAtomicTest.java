package io.rdmanet.disni;

import io.rdmanet.tck.AtomicContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniAtomicTest extends AtomicContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
