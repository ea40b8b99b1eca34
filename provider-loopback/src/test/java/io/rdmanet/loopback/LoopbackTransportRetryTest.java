package io.rdmanet.loopback;

import io.rdmanet.tck.TransportRetryContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackTransportRetryTest extends TransportRetryContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
