package io.rdmanet.loopback;

import io.rdmanet.tck.OneSidedErrorContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackOneSidedErrorTest extends OneSidedErrorContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
