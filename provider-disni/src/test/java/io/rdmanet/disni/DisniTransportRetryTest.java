package io.rdmanet.disni;

import io.rdmanet.tck.TransportRetryContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniTransportRetryTest extends TransportRetryContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }

    @Override
    protected int timeoutExponent() {
        return SoftRoce.TIMEOUT_EXPONENT;
    }
}
