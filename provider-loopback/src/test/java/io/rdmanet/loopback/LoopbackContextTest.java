package io.rdmanet.loopback;

import io.rdmanet.tck.ContextContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackContextTest extends ContextContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
