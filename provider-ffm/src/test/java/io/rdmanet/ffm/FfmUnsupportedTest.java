package io.rdmanet.ffm;

import io.rdmanet.tck.UnsupportedContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmUnsupportedTest extends UnsupportedContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
