package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.PollCompletions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Many messages through small queues, so that every ring wraps often, with each payload checked;
/// by one thread, and by as many threads as the SPI allows.
public abstract class LongRunContract extends VerbsContract {
    private static final int POLL_CAPACITY = 7;

    /// Work of one thread of a run.
    @FunctionalInterface
    private interface Part {
        void run() throws Exception;
    }

    @ParameterizedTest
    @CsvSource({"1, 64", "2, 65", "3, 1", "7, 200", "16, 64", "63, 300", "64, 0"})
    void oneThreadKeepsTheOrderThroughEveryWrap(int depth, int slotBytes) throws Exception {
        ConnectedPair pair = connect(PairOptions.ofDepth(depth, depth));
        int total = depth < 4 ? manyMessages() / 10 : manyMessages() / 2;
        Flow flow =
                new Flow(pair.left(), pair.right(), total, depth, Math.max(1, slotBytes), depth);
        PollCompletions sends = pair.left().sendQueue().preparePoll(POLL_CAPACITY);
        PollCompletions receives = pair.right().receiveQueue().preparePoll(POLL_CAPACITY);
        Waiting waiting = new Waiting(patience());
        while (!flow.isReceivingDone() || !flow.isSendingDone()) {
            boolean isBusy = flow.tryPostReceives() > 0;
            isBusy |= flow.trySend() > 0;
            isBusy |= poll(sends, flow, flow) > 0;
            isBusy |= poll(receives, flow, flow) > 0;
            if (isBusy) {
                waiting = new Waiting(patience());
            } else {
                assertThat(waiting.pause()).as("progress of %s", flow).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 61})
    void oneSendsOnePollsOnePostsReceives(int depth) throws Exception {
        ConnectedPair pair = connect(PairOptions.ofDepth(depth, depth));
        Flow flow = new Flow(pair.left(), pair.right(), manyMessages(), depth, 257, 21);

        run(
                List.of(flow),
                () -> flow.sendAll(patience()),
                () -> flow.postAllReceives(patience()),
                () ->
                        pollAll(
                                List.of(pair.left(), pair.right()),
                                flow,
                                flow,
                                () -> flow.isSendingDone() && flow.isReceivingDone()));
    }

    @Test
    void bothDirectionsAtOnceWithThreeThreadsOnEachEnd() throws Exception {
        int depth = 16;
        int total = manyMessages() / 2;
        ConnectedPair pair =
                connect(PairOptions.ofDepth(depth, depth).withLayout(CompletionLayout.MIXED));
        Flow there = new Flow(pair.left(), pair.right(), total, depth, 129, 31);
        Flow back = new Flow(pair.right(), pair.left(), total, depth, 300, 32);

        run(
                List.of(there, back),
                () -> there.sendAll(patience()),
                () -> there.postAllReceives(patience()),
                () -> back.sendAll(patience()),
                () -> back.postAllReceives(patience()),
                () ->
                        pollAll(
                                List.of(pair.left()),
                                there,
                                back,
                                () -> there.isSendingDone() && back.isReceivingDone()),
                () ->
                        pollAll(
                                List.of(pair.right()),
                                back,
                                there,
                                () -> back.isSendingDone() && there.isReceivingDone()));
    }

    @Test
    void oneThreadPerEndSendsAndReceivesAtOnce() throws Exception {
        int depth = 16;
        int total = manyMessages() / 2;
        ConnectedPair pair =
                connect(PairOptions.ofDepth(depth, depth).withLayout(CompletionLayout.MIXED));
        Flow there = new Flow(pair.left(), pair.right(), total, depth, 64, 41);
        Flow back = new Flow(pair.right(), pair.left(), total, depth, 64, 42);

        run(
                List.of(there, back),
                () -> doAll(pair.left(), there, back),
                () -> doAll(pair.right(), back, there));
    }

    /// Everything that one end does, on one thread.
    private void doAll(PairEnd end, Flow outgoing, Flow incoming) throws Exception {
        PollCompletions poll = end.sendQueue().preparePoll(POLL_CAPACITY);
        Waiting waiting = new Waiting(patience());
        while (!outgoing.isSendingDone() || !incoming.isReceivingDone()) {
            outgoing.assertNotFailed();
            boolean isBusy = incoming.tryPostReceives() > 0;
            isBusy |= outgoing.trySend() > 0;
            isBusy |= poll(poll, outgoing, incoming) > 0;
            if (isBusy) {
                waiting = new Waiting(patience());
            } else {
                assertThat(waiting.pause()).as("progress of %s, %s", outgoing, incoming).isTrue();
            }
        }
    }

    private void pollAll(List<PairEnd> ends, Flow outgoing, Flow incoming, Waiting.Condition isDone)
            throws Exception {
        List<PollCompletions> polls = new ArrayList<>();
        for (PairEnd end : ends) {
            polls.add(end.sendQueue().preparePoll(POLL_CAPACITY));
            if (!end.receiveQueue().equals(end.sendQueue())) {
                polls.add(end.receiveQueue().preparePoll(POLL_CAPACITY));
            }
        }
        Waiting waiting = new Waiting(patience());
        while (!isDone.isTrue()) {
            outgoing.assertNotFailed();
            int count = 0;
            for (PollCompletions poll : polls) {
                count += poll(poll, outgoing, incoming);
            }
            if (count > 0) {
                waiting = new Waiting(patience());
            } else {
                assertThat(waiting.pause()).as("progress of %s, %s", outgoing, incoming).isTrue();
            }
        }
    }

    private static int poll(PollCompletions poll, Flow outgoing, Flow incoming) throws Exception {
        int count = poll.execute();
        for (int i = 0; i < count; i++) {
            if (poll.succeeded(i) && poll.opcode(i) == CompletionOpcode.RECEIVE) {
                incoming.onReceiveCompletion(poll, i);
            } else {
                outgoing.onSendCompletion(poll, i);
            }
        }
        return count;
    }

    /// Runs the parts on a thread each; the first failure ends them all.
    private void run(List<Flow> flows, Part... parts) throws Exception {
        List<Running<@Nullable Void>> running = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            Part part = parts[i];
            running.add(
                    start(
                            "part-" + i,
                            () -> {
                                try {
                                    part.run();
                                } catch (Exception | AssertionError e) {
                                    flows.forEach(flow -> flow.fail(e));
                                    throw e;
                                }
                                return null;
                            }));
        }
        AssertionError failure = null;
        for (Running<@Nullable Void> each : running) {
            try {
                each.join(patience().multipliedBy(6));
            } catch (AssertionError e) {
                // Prefer the cause to those who merely saw it.
                failure = failure == null || e.getCause() == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
