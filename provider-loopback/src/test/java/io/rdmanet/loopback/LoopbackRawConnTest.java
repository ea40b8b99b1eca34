package io.rdmanet.loopback;

import io.rdmanet.tck.RawConnContract;

final class LoopbackRawConnTest extends RawConnContract {
    @Override
    protected String providerName() {
        return "loopback";
    }
}
