package io.rdmanet.loopback;

import io.rdmanet.tck.ConnZeroCopyContract;
import io.rdmanet.verbs.VerbsProvider;

final class LoopbackConnZeroCopyTest extends ConnZeroCopyContract {
    @Override
    protected VerbsProvider provider() {
        return new LoopbackProvider();
    }
}
