package io.rdmanet.loopback;

import io.rdmanet.tck.ProtectionDomainContract;
import io.rdmanet.verbs.VerbsProvider;

class LoopbackProtectionDomainTest extends ProtectionDomainContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
