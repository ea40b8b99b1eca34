package io.rdmanet.disni;

import io.rdmanet.tck.FaultContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniFaultTest extends FaultContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
