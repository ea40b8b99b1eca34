package io.rdmanet.disni;

import static io.rdmanet.disni.PreparedCalls.DEPTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Receiving: which of DiSNI's prepared calls are made, and found again by the buffers they hold.
class ReceiveCallsTest {
    private static final long SEED = 1;

    private final PreparedCalls calls;

    ReceiveCallsTest() throws Exception {
        calls = new PreparedCalls();
    }

    @Test
    void findsAReceiveAgainByWhatItHolds() throws Exception {
        PostReceive receive = calls.connection.queuePair().preparePostReceive(1, 4);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 4; i++) {
                receive.request(i)
                        .workRequestId(10L * round + i)
                        .scatterGather(0, calls.region, 64L * i, 64);
            }
            assertThat(receive.execute(0, 4)).isEqualTo(4);
        }

        assertThat(calls.receiveLengths).containsExactly(4);
        verify(calls.receives.getFirst(), times(3)).execute();
    }

    @Test
    void cutsARingOfBuffersAlwaysAtTheSamePlaces() throws Exception {
        when(calls.disni.verbs.pollCQ(any(), any(), anyInt()))
                .thenAnswer(call -> new OldestReceives(call.getArgument(1)));
        PollCompletions poll = calls.connection.queue().preparePoll(DEPTH);
        PostReceive receive = calls.connection.queuePair().preparePostReceive(1, DEPTH);
        for (int i = 0; i < DEPTH; i++) {
            receive.request(i).scatterGather(0, calls.region, 64L * i, 64);
        }
        int slot = 0;
        for (int round = 0; round < 200; round++) {
            int length = Math.min(1 + round * 7 % DEPTH, DEPTH - slot);
            assertThat(receive.execute(slot, length)).isEqualTo(length);
            OldestReceives.count = length;
            assertThat(poll.execute()).isEqualTo(length);
            slot = (slot + length) % DEPTH;
        }

        // Each buffer alone, and each aligned pair, four, eight and sixteen of them.
        assertThat(calls.receives).hasSizeLessThanOrEqualTo(2 * DEPTH - 1);
    }

    @Test
    void preparesNothingMoreAfterAWhileHoweverTheBuffersAreOrdered() throws Exception {
        when(calls.disni.verbs.pollCQ(any(), any(), anyInt()))
                .thenAnswer(call -> new OldestReceives(call.getArgument(1)));
        PollCompletions poll = calls.connection.queue().preparePoll(DEPTH);
        PostReceive receive = calls.connection.queuePair().preparePostReceive(1, DEPTH);
        List<Integer> buffers = new ArrayList<>(IntStream.range(0, DEPTH).boxed().toList());
        Random random = new Random(SEED);
        int prepared = 0;
        for (int round = 0; round < 1000; round++) {
            Collections.shuffle(buffers, random);
            for (int i = 0; i < DEPTH; i++) {
                receive.request(i).scatterGather(0, calls.region, 64L * buffers.get(i), 64);
            }
            assertThat(receive.execute(0, DEPTH)).isEqualTo(DEPTH);
            OldestReceives.count = DEPTH;
            assertThat(poll.execute()).isEqualTo(DEPTH);
            prepared = round < 900 ? calls.receives.size() : prepared;
        }

        assertThat(calls.receives).hasSize(prepared);
    }

    /// Completes the oldest receives of the second account of the device, that of the queue pair's
    /// receives.
    private static final class OldestReceives extends SVCPollCq {
        private static int count;
        private final IbvWC[] completions;

        OldestReceives(IbvWC[] completions) {
            this.completions = completions;
        }

        @Override
        public int getPolls() {
            return count;
        }

        @Override
        public SVCPollCq execute() {
            for (int i = 0; i < count; i++) {
                completions[i].setWr_id(1L << Integer.SIZE);
                completions[i].setStatus(0);
            }
            return this;
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public SVCPollCq free() {
            return this;
        }
    }

    @Test
    void preparesAnotherReceiveForOtherBuffers() throws Exception {
        PostReceive receive = calls.connection.queuePair().preparePostReceive(1, 3);
        for (int i = 0; i < 3; i++) {
            receive.request(i).scatterGather(0, calls.region, 64L * i, 64);
        }
        assertThat(receive.execute(0, 3)).isEqualTo(3);
        receive.request(0).scatterGather(0, calls.region, 1024, 64);

        assertThat(receive.execute(0, 3)).isEqualTo(3);
        assertThat(receive.execute(1, 1)).isEqualTo(1);
        receive.close();

        assertThat(calls.receiveLengths).containsExactly(2, 1, 2, 1);
        for (SVCPostRecv each : calls.receives) {
            verify(each).free();
        }
    }
}
