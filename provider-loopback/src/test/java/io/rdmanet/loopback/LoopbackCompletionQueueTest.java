package io.rdmanet.loopback;

import io.rdmanet.tck.CompletionQueueContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackCompletionQueueTest extends CompletionQueueContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
