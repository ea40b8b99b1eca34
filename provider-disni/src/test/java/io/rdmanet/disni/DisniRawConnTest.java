package io.rdmanet.disni;

import io.rdmanet.tck.RawConnContract;

final class DisniRawConnTest extends RawConnContract {
    @Override
    protected String providerName() {
        return "disni";
    }
}
