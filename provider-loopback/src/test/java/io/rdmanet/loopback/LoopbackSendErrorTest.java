package io.rdmanet.loopback;

import io.rdmanet.tck.SendErrorContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackSendErrorTest extends SendErrorContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
