package io.rdmanet.loopback;

import io.rdmanet.tck.ChainContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackChainTest extends ChainContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
