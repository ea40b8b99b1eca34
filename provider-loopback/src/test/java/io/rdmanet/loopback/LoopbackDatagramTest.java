package io.rdmanet.loopback;

import io.rdmanet.tck.DatagramContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackDatagramTest extends DatagramContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
