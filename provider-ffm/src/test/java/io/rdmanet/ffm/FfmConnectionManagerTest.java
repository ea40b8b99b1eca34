package io.rdmanet.ffm;

import io.rdmanet.tck.ConnectionManagerContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmConnectionManagerTest extends ConnectionManagerContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
