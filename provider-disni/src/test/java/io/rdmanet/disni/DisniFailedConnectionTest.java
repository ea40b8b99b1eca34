package io.rdmanet.disni;

import io.rdmanet.tck.FailedConnectionContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniFailedConnectionTest extends FailedConnectionContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
