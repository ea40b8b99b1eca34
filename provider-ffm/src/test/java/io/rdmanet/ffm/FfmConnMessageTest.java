package io.rdmanet.ffm;

import io.rdmanet.tck.ConnMessageContract;
import io.rdmanet.verbs.VerbsProvider;

final class FfmConnMessageTest extends ConnMessageContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
