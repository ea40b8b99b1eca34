package io.rdmanet.disni;

import io.rdmanet.tck.DisconnectContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniDisconnectTest extends DisconnectContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
