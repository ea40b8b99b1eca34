package io.rdmanet.ffm;

import io.rdmanet.tck.ChainContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmChainTest extends ChainContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
