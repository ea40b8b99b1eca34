package io.rdmanet.ffm;

import io.rdmanet.tck.DatagramFlowContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmDatagramFlowTest extends DatagramFlowContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
