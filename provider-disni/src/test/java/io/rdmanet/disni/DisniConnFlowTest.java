package io.rdmanet.disni;

import io.rdmanet.tck.ConnFlowContract;
import io.rdmanet.verbs.VerbsProvider;

final class DisniConnFlowTest extends ConnFlowContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
