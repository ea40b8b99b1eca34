package io.rdmanet.loopback;

import io.rdmanet.tck.ReceiverNotReadyContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackReceiverNotReadyTest extends ReceiverNotReadyContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
