package io.rdmanet.ffm;

import io.rdmanet.tck.OneSidedErrorContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmOneSidedErrorTest extends OneSidedErrorContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
