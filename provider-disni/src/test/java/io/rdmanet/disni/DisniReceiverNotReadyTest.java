package io.rdmanet.disni;

import io.rdmanet.tck.ReceiverNotReadyContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniReceiverNotReadyTest extends ReceiverNotReadyContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
