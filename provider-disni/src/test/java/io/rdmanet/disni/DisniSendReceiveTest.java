package io.rdmanet.disni;

import io.rdmanet.tck.SendReceiveContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniSendReceiveTest extends SendReceiveContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
