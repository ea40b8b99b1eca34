package io.rdmanet.loopback;

import io.rdmanet.tck.DatagramMistakeContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackDatagramMistakeTest extends DatagramMistakeContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
