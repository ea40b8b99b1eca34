package io.rdmanet.loopback;

import io.rdmanet.tck.LongRunContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackLongRunTest extends LongRunContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
