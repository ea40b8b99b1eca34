package io.rdmanet.ffm;

import io.rdmanet.tck.DatagramMistakeContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmDatagramMistakeTest extends DatagramMistakeContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
