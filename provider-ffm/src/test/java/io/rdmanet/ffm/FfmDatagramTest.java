package io.rdmanet.ffm;

import io.rdmanet.tck.DatagramContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmDatagramTest extends DatagramContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
