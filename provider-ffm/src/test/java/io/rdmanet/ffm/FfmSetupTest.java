package io.rdmanet.ffm;

import io.rdmanet.tck.SetupContract;

final class FfmSetupTest extends SetupContract {
    @Override
    protected String providerName() {
        return "ffm";
    }
}
