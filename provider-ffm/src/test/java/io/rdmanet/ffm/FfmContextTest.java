package io.rdmanet.ffm;

import io.rdmanet.tck.ContextContract;
import io.rdmanet.verbs.VerbsProvider;

class FfmContextTest extends ContextContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
