package io.rdmanet.loopback;

import io.rdmanet.tck.ConnModesContract;
import io.rdmanet.verbs.VerbsProvider;

final class LoopbackConnModesTest extends ConnModesContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
