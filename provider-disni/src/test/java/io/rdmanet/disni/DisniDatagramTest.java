package io.rdmanet.disni;

import io.rdmanet.tck.DatagramContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniDatagramTest extends DatagramContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
