package io.rdmanet.disni;

import io.rdmanet.tck.FaultyProviderContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniFaultyProviderTest extends FaultyProviderContract {
    @Override
    protected VerbsProvider soundProvider() {
        return new DisniProvider();
    }
}
