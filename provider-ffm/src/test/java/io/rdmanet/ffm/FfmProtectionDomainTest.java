package io.rdmanet.ffm;

import io.rdmanet.tck.ProtectionDomainContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmProtectionDomainTest extends ProtectionDomainContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
