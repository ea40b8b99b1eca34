package io.rdmanet.loopback;

import io.rdmanet.tck.UnsupportedContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackUnsupportedTest extends UnsupportedContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
