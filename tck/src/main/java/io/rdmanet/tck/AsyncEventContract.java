package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.MemoryRegion;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Asynchronous events ([Context#pollAsyncEvent()]) of providers that have them.
public abstract class AsyncEventContract extends VerbsContract {
    private static final int SLOT = 64;

    /// Whether the device reports what a peer did wrong with a queue pair's memory. One that says
    /// false tells only the peer.
    protected boolean reportsAccessErrors() {
        return true;
    }

    @BeforeEach
    final void requireCapability() {
        assume(Capability.ASYNC_EVENTS);
    }

    @Test
    void pollingNeverBlocks() throws Exception {
        Context context = openContext();

        start(
                        "poll",
                        () -> {
                            while (context.pollAsyncEvent() != null) {}
                            return null;
                        })
                .join();
    }

    @Test
    void aRemoteAccessErrorIsReportedAtTheTarget() throws Exception {
        assume(Capability.ONE_SIDED);
        skipUnless(reportsAccessErrors(), "the device raises no event for access errors");
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(SLOT);
        MemoryRegion target = pair.right().memory(SLOT);

        OneSided.write(pair.left(), 1, source, SLOT, target.address() + 1, target.remoteKey());
        pair.left().sends().take();

        assertReported(
                pair.right(),
                EnumSet.of(
                        AsyncEvent.Type.QUEUE_PAIR_ACCESS_ERROR,
                        AsyncEvent.Type.QUEUE_PAIR_FATAL,
                        AsyncEvent.Type.QUEUE_PAIR_REQUEST_ERROR));
    }

    /// Waits until one of some types is reported for an end's queue pair.
    private void assertReported(PairEnd end, Set<AsyncEvent.Type> types) throws Exception {
        List<AsyncEvent> seen = new ArrayList<>();
        assertThat(
                        Waiting.until(
                                patience(),
                                () -> {
                                    AsyncEvent event = end.context().pollAsyncEvent();
                                    if (event != null) {
                                        seen.add(event);
                                    }
                                    return event != null
                                            && types.contains(event.type())
                                            && event.element() == end.queuePair().number();
                                }))
                .as("one of %s for queue pair %s among %s", types, end.queuePair().number(), seen)
                .isTrue();
    }
}
