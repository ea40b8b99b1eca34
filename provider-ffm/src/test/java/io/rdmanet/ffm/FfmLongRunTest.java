package io.rdmanet.ffm;

import io.rdmanet.tck.LongRunContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmLongRunTest extends LongRunContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
