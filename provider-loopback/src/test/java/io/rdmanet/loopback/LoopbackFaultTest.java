package io.rdmanet.loopback;

import io.rdmanet.tck.FaultContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackFaultTest extends FaultContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
