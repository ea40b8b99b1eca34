package io.rdmanet.disni;

import io.rdmanet.tck.CompletionChannelContract;
import io.rdmanet.verbs.VerbsProvider;

class DisniCompletionChannelTest extends CompletionChannelContract {
    @Override
    protected VerbsProvider provider() {
        return new DisniProvider();
    }

    /// Soft-RoCE asks whether the packet was solicited, and a failure has none (`rxe_cq_post`).
    @Override
    protected boolean wakesForFailures() {
        return false;
    }

    @Override
    protected int racingMessages() {
        return Math.min(super.racingMessages(), manyMessages());
    }
}
