package io.rdmanet.ffm;

import io.rdmanet.tck.FaultContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmFaultTest extends FaultContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
