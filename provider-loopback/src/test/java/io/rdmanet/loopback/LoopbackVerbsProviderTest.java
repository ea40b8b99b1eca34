package io.rdmanet.loopback;

import io.rdmanet.tck.VerbsProviderContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackVerbsProviderTest extends VerbsProviderContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
