package io.rdmanet.disni;

import io.rdmanet.tck.PostingContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniPostingTest extends PostingContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }
}
