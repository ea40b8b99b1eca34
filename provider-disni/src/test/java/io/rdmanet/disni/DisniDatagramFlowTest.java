package io.rdmanet.disni;

import io.rdmanet.tck.DatagramFlowContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniDatagramFlowTest extends DatagramFlowContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
