package io.rdmanet.ffm;

import io.rdmanet.tck.SendReceiveContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmSendReceiveTest extends SendReceiveContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
