package io.rdmanet.ffm;

import io.rdmanet.tck.FaultyProviderContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmFaultyProviderTest extends FaultyProviderContract {
    @Override
    protected VerbsProvider soundProvider() {
        return new FfmProvider();
    }
}
