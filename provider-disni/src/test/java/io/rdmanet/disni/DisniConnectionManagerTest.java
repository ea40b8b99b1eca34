package io.rdmanet.disni;

import io.rdmanet.tck.ConnectionManagerContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniConnectionManagerTest extends ConnectionManagerContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
