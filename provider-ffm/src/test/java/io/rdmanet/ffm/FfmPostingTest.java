package io.rdmanet.ffm;

import io.rdmanet.tck.PostingContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmPostingTest extends PostingContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
