package io.rdmanet.loopback;

import io.rdmanet.tck.AtomicContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackAtomicTest extends AtomicContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
