package io.rdmanet.ffm;

import io.rdmanet.tck.FailedConnectionContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmFailedConnectionTest extends FailedConnectionContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
