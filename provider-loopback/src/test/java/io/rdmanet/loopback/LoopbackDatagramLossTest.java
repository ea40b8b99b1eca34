package io.rdmanet.loopback;

import io.rdmanet.tck.DatagramLossContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackDatagramLossTest extends DatagramLossContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
