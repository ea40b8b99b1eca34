package io.rdmanet.loopback;

import io.rdmanet.tck.CompletionChannelContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackCompletionChannelTest extends CompletionChannelContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
