package io.rdmanet.loopback;

import io.rdmanet.tck.ConnAllocationContract;
import io.rdmanet.verbs.VerbsProvider;

final class LoopbackConnAllocationTest extends ConnAllocationContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
