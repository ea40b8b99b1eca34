package io.rdmanet.disni;

import io.rdmanet.tck.ConnMessageContract;
import io.rdmanet.verbs.VerbsProvider;

final class DisniConnMessageTest extends ConnMessageContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
