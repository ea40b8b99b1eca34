package io.rdmanet.ffm;

import io.rdmanet.tck.AtomicContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmAtomicTest extends AtomicContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
