package io.rdmanet.loopback;

import io.rdmanet.tck.PostingContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackPostingTest extends PostingContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
