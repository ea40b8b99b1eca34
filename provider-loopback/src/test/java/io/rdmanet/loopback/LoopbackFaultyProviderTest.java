package io.rdmanet.loopback;

import io.rdmanet.tck.FaultyProviderContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackFaultyProviderTest extends FaultyProviderContract {
    @Override
    protected VerbsProvider soundProvider() {
        return new LoopbackProvider();
    }
}
