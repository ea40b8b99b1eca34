package io.rdmanet.loopback;

import io.rdmanet.tck.SetupContract;

final class LoopbackSetupTest extends SetupContract {
    @Override
    protected String providerName() {
        return "loopback";
    }
}
