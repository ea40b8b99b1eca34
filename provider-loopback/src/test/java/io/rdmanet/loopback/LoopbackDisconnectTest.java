package io.rdmanet.loopback;

import io.rdmanet.tck.DisconnectContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackDisconnectTest extends DisconnectContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
