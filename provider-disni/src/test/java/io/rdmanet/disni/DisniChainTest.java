package io.rdmanet.disni;

import io.rdmanet.tck.ChainContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniChainTest extends ChainContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
