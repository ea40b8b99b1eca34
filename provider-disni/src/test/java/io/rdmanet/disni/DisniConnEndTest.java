package io.rdmanet.disni;

import io.rdmanet.tck.ConnEndContract;
import io.rdmanet.verbs.VerbsProvider;

final class DisniConnEndTest extends ConnEndContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
