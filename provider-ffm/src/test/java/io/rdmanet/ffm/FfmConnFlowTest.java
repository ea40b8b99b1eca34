package io.rdmanet.ffm;

import io.rdmanet.tck.ConnFlowContract;
import io.rdmanet.verbs.VerbsProvider;

final class FfmConnFlowTest extends ConnFlowContract {
    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }
}
