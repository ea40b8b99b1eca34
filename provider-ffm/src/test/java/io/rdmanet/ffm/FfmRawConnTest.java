package io.rdmanet.ffm;

import io.rdmanet.tck.RawConnContract;

final class FfmRawConnTest extends RawConnContract {
    @Override
    protected String providerName() {
        return "ffm";
    }
}
