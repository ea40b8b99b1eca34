package io.rdmanet.disni;

import io.rdmanet.tck.SetupContract;

final class DisniSetupTest extends SetupContract {
    @Override
    protected String providerName() {
        return "disni";
    }
}
