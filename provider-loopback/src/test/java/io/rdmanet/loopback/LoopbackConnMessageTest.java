package io.rdmanet.loopback;

import io.rdmanet.tck.ConnMessageContract;
import io.rdmanet.verbs.VerbsProvider;

final class LoopbackConnMessageTest extends ConnMessageContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
