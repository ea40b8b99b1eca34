package io.rdmanet.disni;

import io.rdmanet.tck.DatagramMistakeContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniDatagramMistakeTest extends DatagramMistakeContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
