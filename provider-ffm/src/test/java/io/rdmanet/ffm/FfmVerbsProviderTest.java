package io.rdmanet.ffm;

import io.rdmanet.tck.VerbsProviderContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmVerbsProviderTest extends VerbsProviderContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
