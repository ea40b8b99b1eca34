package io.rdmanet.loopback;

import io.rdmanet.tck.ConnectionManagerContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackConnectionManagerTest extends ConnectionManagerContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
