package io.rdmanet.disni;

import io.rdmanet.tck.ContextContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniContextTest extends ContextContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
