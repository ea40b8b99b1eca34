package io.rdmanet.ffm;

import io.rdmanet.tck.TransportRetryContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmTransportRetryTest extends TransportRetryContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }

    @Override
    protected int timeoutExponent() {
        return SoftRoce.TIMEOUT_EXPONENT;
    }
}
