package io.rdmanet.disni;

import io.rdmanet.tck.DatagramLossContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniDatagramLossTest extends DatagramLossContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
