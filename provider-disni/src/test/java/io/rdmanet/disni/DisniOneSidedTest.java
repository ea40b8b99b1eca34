package io.rdmanet.disni;

import io.rdmanet.tck.OneSidedContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniOneSidedTest extends OneSidedContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
