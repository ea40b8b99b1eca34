package io.rdmanet.bench.disni;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.impl.NatIbvCQ;
import com.ibm.disni.verbs.impl.NatIbvQP;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import com.ibm.disni.verbs.impl.RdmaVerbsNat;
import io.rdmanet.bench.micro.Card;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
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

/// The same as `PostPollBenchmark`, by DiSNI's prepared calls and JNI. Where there is no libdisni
/// it runs on the project's stand-in for that library (`provider-disni/src/test/c`), which makes
/// the same calls to libibverbs; all of DiSNI's Java is its own.
///
/// It is given nothing that our provider for DiSNI adds: no account of what is outstanding, no
/// checks.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DisniBenchmark {
    private static final int CHAIN = 32;
    private static final int CAPACITY = 128;
    private static final int KEY = 0x1234;

    private Card card;
    private Calls chained;
    private Calls single;
    private long next;

    /// A prepared post and a prepared poll, of so many.
    private static final class Calls {
        final SVCPostSend post;
        final SVCPostSend.SendWRMod[] requests;
        final SVCPollCq poll;
        final IbvWC[] completions;

        @SuppressWarnings("JdkObsolete") // what DiSNI takes
        Calls(RdmaVerbs verbs, NatIbvQP queuePair, NatIbvCQ queue, Card card, int count)
                throws IOException {
            List<IbvSendWR> list = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                IbvSge element = new IbvSge();
                element.setAddr(card.memory().address() + (long) i * Card.MESSAGE_BYTES);
                element.setLength(Card.MESSAGE_BYTES);
                element.setLkey(KEY);
                LinkedList<IbvSge> elements = new LinkedList<>();
                elements.add(element);
                IbvSendWR request = new IbvSendWR();
                request.setSg_list(elements);
                request.setNum_sge(1);
                request.setOpcode(IbvSendWR.IBV_WR_SEND);
                request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
                list.add(request);
            }
            post = verbs.postSend(queuePair, list, List.of());
            requests = new SVCPostSend.SendWRMod[count];
            for (int i = 0; i < count; i++) {
                requests[i] = post.getWrMod(i);
            }
            completions = new IbvWC[count];
            for (int i = 0; i < count; i++) {
                completions[i] = new IbvWC();
            }
            poll = verbs.pollCQ(queue, completions, count);
        }
    }

    @Setup
    public void open() throws Exception {
        card = Card.open();
        Constructor<NativeDispatcher> constructor = NativeDispatcher.class.getDeclaredConstructor();
        constructor.setAccessible(true);
        NativeDispatcher dispatcher = constructor.newInstance();
        RdmaVerbs verbs = new RdmaVerbsNat(dispatcher);
        NatIbvQP queuePair = new NatIbvQP(card.queuePair(), dispatcher);
        NatIbvCQ queue = new NatIbvCQ(card.completionQueue(), null, null, CAPACITY);
        chained = new Calls(verbs, queuePair, queue, card, CHAIN);
        single = new Calls(verbs, queuePair, queue, card, 1);
        requireSum(CHAIN, disniChain());
        requireSum(1, disniSingle());
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
        card.close();
    }

    /// 32 at once, identifiers changed.
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public long disniChain() throws IOException {
        return run(chained, CHAIN);
    }

    /// One at a time.
    @Benchmark
    public long disniSingle() throws IOException {
        return run(single, 1);
    }

    private long run(Calls calls, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            calls.requests[i].setWr_id(next++);
        }
        calls.post.execute();
        long sum = 0;
        int polled = 0;
        while (polled < count) {
            int got = calls.poll.execute().getPolls();
            for (int i = 0; i < got; i++) {
                IbvWC completion = calls.completions[i];
                if (completion.getStatus() != 0) {
                    throw new IllegalStateException("a request failed: " + completion.getStatus());
                }
                sum += completion.getWr_id();
            }
            polled += got;
        }
        return sum;
    }
}
