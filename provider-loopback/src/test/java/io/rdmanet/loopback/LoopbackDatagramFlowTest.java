package io.rdmanet.loopback;

import io.rdmanet.tck.DatagramFlowContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackDatagramFlowTest extends DatagramFlowContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
