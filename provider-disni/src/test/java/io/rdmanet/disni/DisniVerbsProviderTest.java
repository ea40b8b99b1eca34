package io.rdmanet.disni;

import io.rdmanet.tck.VerbsProviderContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniVerbsProviderTest extends VerbsProviderContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
