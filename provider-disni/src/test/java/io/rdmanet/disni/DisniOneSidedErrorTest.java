package io.rdmanet.disni;

import io.rdmanet.tck.OneSidedErrorContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniOneSidedErrorTest extends OneSidedErrorContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
