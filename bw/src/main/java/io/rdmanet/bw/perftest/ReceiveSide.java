package io.rdmanet.bw.perftest;

import io.rdmanet.bw.run.RunFailedException;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;

/// Keeps receives posted on all queue pairs, and polls what came.
///
/// As many are posted as messages are still to come, and no more: with `-a` each size needs
/// receives of its own, so the queues must be empty in between. Belongs to one thread; allocates
/// nothing but in [#begin].
final class ReceiveSide implements AutoCloseable {
    private static final int POLL_BATCH = 32;

    private final QueuePairs queuePairs;
    private final int depth;
    private final PostReceive[] receives;
    private final PollCompletions poll;
    private final long[] posted;
    private final int[] free;
    private long limit;
    private long total;
    private int size;

    ReceiveSide(QueuePairs queuePairs, int depth) throws VerbsException {
        this.queuePairs = queuePairs;
        this.depth = depth;
        int count = queuePairs.count();
        receives = new PostReceive[count];
        posted = new long[count];
        free = new int[count];
        poll = queuePairs.receiveCompletions().preparePoll(POLL_BATCH);
        for (int i = 0; i < count; i++) {
            receives[i] = queuePairs.get(i).preparePostReceive(1, depth);
        }
    }

    /// Posts receives for a run. The peer may be told then.
    ///
    /// @param messageSize bytes of each message
    /// @param messages of each queue pair
    void begin(int messageSize, long messages) throws VerbsException {
        size = messageSize;
        limit = messages;
        total = 0;
        Buffers buffers = queuePairs.buffers();
        for (int i = 0; i < receives.length; i++) {
            for (int slot = 0; slot < depth; slot++) {
                receives[i]
                        .request(slot)
                        .workRequestId(i)
                        .scatterGather(
                                0,
                                queuePairs.region(),
                                buffers.targetOffset(i) + buffers.messageOffset(slot, size),
                                size);
            }
            posted[i] = 0;
            free[i] = depth;
            repost(i);
        }
    }

    private void repost(int queuePair) throws VerbsException {
        int count = (int) Math.min(free[queuePair], limit - posted[queuePair]);
        if (count > 0) {
            int accepted = receives[queuePair].execute(0, count);
            posted[queuePair] += accepted;
            free[queuePair] -= accepted;
        }
    }

    /// Takes what came, and posts receives in its place.
    ///
    /// @return messages that came
    int poll() throws IOException {
        int count = poll.execute();
        for (int i = 0; i < count; i++) {
            if (!poll.succeeded(i)) {
                throw Failures.of("receiving", poll, i);
            }
            if (poll.byteLength(i) != size) {
                throw otherSize(poll.byteLength(i));
            }
            free[(int) poll.workRequestId(i)]++;
        }
        if (count > 0) {
            total += count;
            for (int i = 0; i < receives.length; i++) {
                repost(i);
            }
        }
        return count;
    }

    private RunFailedException otherSize(int bytes) {
        return new RunFailedException(
                "a message of "
                        + bytes
                        + " bytes came where "
                        + size
                        + " were due: give both ends the same -s and -a");
    }

    /// Messages that came in this run.
    long received() {
        return total;
    }

    @Override
    public void close() {
        for (PostReceive receive : receives) {
            receive.close();
        }
    }
}
