package io.rdmanet.ffm;

import io.rdmanet.tck.DatagramLossContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmDatagramLossTest extends DatagramLossContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
