package io.rdmanet.ffm;

import io.rdmanet.tck.ConnEndContract;
import io.rdmanet.verbs.VerbsProvider;

final class FfmConnEndTest extends ConnEndContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
