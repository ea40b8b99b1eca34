package io.rdmanet.ffm.queue;

import io.rdmanet.bench.micro.Card;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.VerbsException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// A work request's way through provider-ffm and back, on a card that takes no time: prepared once,
/// posted with a new identifier, polled, looked at. Beside it the same in C, through the same
/// function pointers, in a loop that Java enters once a thousand chains.
///
/// Each sums the identifiers that it got back, and none starts before that sum was right.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PostPollBenchmark {
    private static final int CHAIN = 32;
    private static final int C_ROUNDS = 1000;

    private CardQueue chained;
    private CardQueue single;
    private BareChain bareChained;
    private BareChain bareAlone;
    private long next;

    @Setup
    public void open() throws Exception {
        chained = new CardQueue(CHAIN);
        single = new CardQueue(1);
        bareChained = new BareChain(chained.card(), CHAIN);
        bareAlone = new BareChain(single.card(), 1);
        requireSum(CHAIN, ffmChain());
        requireSum(CHAIN, ffmChainFilled());
        requireSum(1, ffmSingle());
        requireSum(CHAIN, bareChained.run(0));
        requireSum(1, bareAlone.run(0));
        requireSum(CHAIN, chained.card().loop(1, CHAIN, true));
        requireSum(1, single.card().loop(1, 1, false));
    }

    private void requireSum(int count, long sum) {
        next = 0;
        if (sum != (long) count * (count - 1) / 2) {
            throw new IllegalStateException(
                    "gate: " + count + " requests came back with the sum " + sum);
        }
    }

    @TearDown
    public void close() {
        chained.close();
        single.close();
    }

    /// 32 at once, identifiers changed.
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public long ffmChain() throws VerbsException {
        return run(chained, CHAIN, false);
    }

    /// 32 at once; where the data lies changes as well.
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public long ffmChainFilled() throws VerbsException {
        return run(chained, CHAIN, true);
    }

    /// One at a time.
    @Benchmark
    public long ffmSingle() throws VerbsException {
        return run(single, 1, false);
    }

    private long run(CardQueue queue, int count, boolean fills) throws VerbsException {
        PostSend post = queue.post();
        long first = next;
        for (int i = 0; i < count; i++) {
            post.request(i).workRequestId(first + i);
            if (fills) {
                long message = (first + i) % Card.MESSAGES;
                post.scatterGather(
                        0, queue.memoryRegion(), message * Card.MESSAGE_BYTES, Card.MESSAGE_BYTES);
            }
        }
        next = first + count;
        if (post.execute(0, count) != count) {
            throw new IllegalStateException("the card is full");
        }
        PollCompletions poll = queue.poll();
        long sum = 0;
        int polled = 0;
        while (polled < count) {
            int got = poll.execute();
            for (int i = 0; i < got; i++) {
                if (!poll.succeeded(i)) {
                    throw new IllegalStateException("a request failed: " + poll.status(i));
                }
                sum += poll.workRequestId(i);
            }
            polled += got;
        }
        return sum;
    }

    /// 32 at once, by the calls alone.
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public long bareChain() {
        long first = next;
        next += CHAIN;
        return bareChained.run(first);
    }

    /// One at a time, by the calls alone.
    @Benchmark
    public long bareSingle() {
        return bareAlone.run(next++);
    }

    /// 32 at once in C.
    @Benchmark
    @OperationsPerInvocation(CHAIN * C_ROUNDS)
    public long cChain() {
        return chained.card().loop(C_ROUNDS, CHAIN, false);
    }

    /// 32 at once in C; where the data lies changes as well.
    @Benchmark
    @OperationsPerInvocation(CHAIN * C_ROUNDS)
    public long cChainFilled() {
        return chained.card().loop(C_ROUNDS, CHAIN, true);
    }

    /// One at a time in C.
    @Benchmark
    @OperationsPerInvocation(CHAIN * C_ROUNDS)
    public long cSingle() {
        return single.card().loop((long) CHAIN * C_ROUNDS, 1, false);
    }

    /// Calling C and nothing else.
    @Benchmark
    public int ffmCallOnly() {
        return chained.pollNothing();
    }
}
