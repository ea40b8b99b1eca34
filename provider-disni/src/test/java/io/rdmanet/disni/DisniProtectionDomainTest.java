package io.rdmanet.disni;

import io.rdmanet.tck.ProtectionDomainContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniProtectionDomainTest extends ProtectionDomainContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
