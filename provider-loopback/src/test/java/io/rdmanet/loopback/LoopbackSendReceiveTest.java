package io.rdmanet.loopback;

import io.rdmanet.tck.SendReceiveContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackSendReceiveTest extends SendReceiveContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
