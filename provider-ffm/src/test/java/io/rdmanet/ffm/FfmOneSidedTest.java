package io.rdmanet.ffm;

import io.rdmanet.tck.OneSidedContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmOneSidedTest extends OneSidedContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
