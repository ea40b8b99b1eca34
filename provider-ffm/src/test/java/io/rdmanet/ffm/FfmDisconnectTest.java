package io.rdmanet.ffm;

import io.rdmanet.tck.DisconnectContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmDisconnectTest extends DisconnectContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
