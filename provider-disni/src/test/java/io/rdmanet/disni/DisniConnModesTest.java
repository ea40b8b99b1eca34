package io.rdmanet.disni;

import io.rdmanet.tck.ConnModesContract;
import io.rdmanet.verbs.VerbsProvider;

final class DisniConnModesTest extends ConnModesContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
