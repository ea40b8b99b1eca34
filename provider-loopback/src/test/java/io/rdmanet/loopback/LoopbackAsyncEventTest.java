package io.rdmanet.loopback;

import io.rdmanet.tck.AsyncEventContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackAsyncEventTest extends AsyncEventContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
