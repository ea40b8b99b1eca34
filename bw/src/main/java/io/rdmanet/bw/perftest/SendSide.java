package io.rdmanet.bw.perftest;

import io.rdmanet.RawVerb;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;

/// Posts the messages of all queue pairs in turn, and polls their completions.
///
/// Each queue pair has a ring of prepared requests, as many as may be in flight; a post changes the
/// last one's flags only. The last request of each chain is signaled, and its identifier says whose
/// it is and how many were posted up to it. Belongs to one thread; allocates nothing but in
/// [#begin].
final class SendSide implements AutoCloseable {
    private static final int CHAINS_PER_DEPTH = 4;
    private static final int POLL_BATCH = 32;
    private static final int COUNT_BITS = 48;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

    private final QueuePairs queuePairs;
    private final SendOpcode opcode;
    private final int depth;
    private final int chainLength;
    private final PostSend[] rings;
    private final PollCompletions poll;
    private final long[] posted;
    private final long[] completed;
    private final int[] slots;
    private long limit;
    private long total;

    SendSide(QueuePairs queuePairs, RawVerb verb, int depth) throws VerbsException {
        this.queuePairs = queuePairs;
        this.depth = depth;
        this.chainLength = Math.max(1, depth / CHAINS_PER_DEPTH);
        this.opcode =
                switch (verb) {
                    case SEND -> SendOpcode.SEND;
                    case WRITE -> SendOpcode.RDMA_WRITE;
                    case READ -> SendOpcode.RDMA_READ;
                };
        int count = queuePairs.count();
        rings = new PostSend[count];
        posted = new long[count];
        completed = new long[count];
        slots = new int[count];
        poll = queuePairs.sendCompletions().preparePoll(POLL_BATCH);
        for (int i = 0; i < count; i++) {
            rings[i] = queuePairs.get(i).preparePostSend(SendShape.of(opcode), depth);
        }
    }

    /// A run begins, with nothing in flight.
    ///
    /// @param size bytes of each message
    /// @param messages of each queue pair
    void begin(int size, long messages) {
        limit = messages;
        total = 0;
        Buffers buffers = queuePairs.buffers();
        for (int i = 0; i < rings.length; i++) {
            posted[i] = 0;
            completed[i] = 0;
            slots[i] = 0;
            for (int slot = 0; slot < depth; slot++) {
                long offset = buffers.messageOffset(slot, size);
                PostSend request =
                        rings[i].request(slot)
                                .flags(SendFlags.NONE)
                                .scatterGather(
                                        0,
                                        queuePairs.region(),
                                        buffers.sendOffset(i) + offset,
                                        size);
                if (opcode.isOneSided()) {
                    request.remote(
                            queuePairs.peer(i).address() + offset, queuePairs.peer(i).remoteKey());
                }
            }
        }
    }

    /// Posts what there is room for.
    void post() throws VerbsException {
        for (int i = 0; i < rings.length; i++) {
            long wanted = Math.min(chainLength, limit - posted[i]);
            while (wanted > 0 && depth - (posted[i] - completed[i]) >= wanted) {
                if (!postChain(i, (int) Math.min(wanted, depth - slots[i]))) {
                    break;
                }
                wanted = Math.min(chainLength, limit - posted[i]);
            }
        }
    }

    /// @return false if the queue took less
    private boolean postChain(int queuePair, int length) throws VerbsException {
        PostSend ring = rings[queuePair];
        int first = slots[queuePair];
        int last = first + length - 1;
        long upTo = posted[queuePair] + length;
        ring.request(last)
                .flags(SendFlags.SIGNALED)
                .workRequestId((long) queuePair << COUNT_BITS | (upTo & COUNT_MASK));
        int accepted = ring.execute(first, length);
        ring.request(last).flags(SendFlags.NONE);
        posted[queuePair] += accepted;
        slots[queuePair] = (first + accepted) % depth;
        if (accepted < length && posted[queuePair] == completed[queuePair]) {
            throw new VerbsException(
                    "post_send",
                    "an empty send queue of depth " + depth + " took no chain of " + length);
        }
        return accepted == length;
    }

    /// Takes completions.
    ///
    /// @return messages that completed
    int poll() throws IOException {
        int count = poll.execute();
        long before = total;
        for (int i = 0; i < count; i++) {
            if (!poll.succeeded(i)) {
                throw Failures.of("sending", poll, i);
            }
            long identifier = poll.workRequestId(i);
            int queuePair = (int) (identifier >>> COUNT_BITS);
            long upTo = identifier & COUNT_MASK;
            total += upTo - completed[queuePair];
            completed[queuePair] = upTo;
        }
        return (int) (total - before);
    }

    /// Messages that have completed in this run.
    long completed() {
        return total;
    }

    @Override
    public void close() {
        for (PostSend ring : rings) {
            ring.close();
        }
    }
}
