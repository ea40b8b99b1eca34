package io.rdmanet.loopback;

import io.rdmanet.tck.ConnFlowContract;
import io.rdmanet.verbs.VerbsProvider;

final class LoopbackConnFlowTest extends ConnFlowContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
