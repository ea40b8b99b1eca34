package io.rdmanet.loopback;

import io.rdmanet.tck.OneSidedContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackOneSidedTest extends OneSidedContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
