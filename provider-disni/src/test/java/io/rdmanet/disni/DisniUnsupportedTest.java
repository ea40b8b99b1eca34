package io.rdmanet.disni;

import io.rdmanet.tck.UnsupportedContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniUnsupportedTest extends UnsupportedContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
