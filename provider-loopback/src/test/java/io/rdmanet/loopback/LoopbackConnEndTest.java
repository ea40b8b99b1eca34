package io.rdmanet.loopback;

import io.rdmanet.tck.ConnEndContract;
import io.rdmanet.verbs.VerbsProvider;

final class LoopbackConnEndTest extends ConnEndContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
