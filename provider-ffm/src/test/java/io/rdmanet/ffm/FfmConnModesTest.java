package io.rdmanet.ffm;

import io.rdmanet.tck.ConnModesContract;
import io.rdmanet.verbs.VerbsProvider;

final class FfmConnModesTest extends ConnModesContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
