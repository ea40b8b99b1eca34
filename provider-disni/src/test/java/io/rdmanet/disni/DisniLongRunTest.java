package io.rdmanet.disni;

import io.rdmanet.tck.LongRunContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniLongRunTest extends LongRunContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
