package io.rdmanet.loopback;

import io.rdmanet.tck.FailedConnectionContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackFailedConnectionTest extends FailedConnectionContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
