package io.rdmanet.ffm;

import io.rdmanet.tck.ConnZeroCopyContract;
import io.rdmanet.verbs.VerbsProvider;

final class FfmConnZeroCopyTest extends ConnZeroCopyContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
