package io.rdmanet.ffm;

import io.rdmanet.tck.ReceiverNotReadyContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmReceiverNotReadyTest extends ReceiverNotReadyContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
