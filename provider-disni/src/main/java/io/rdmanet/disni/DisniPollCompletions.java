package io.rdmanet.disni;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Objects;

/// A prepared poll. DiSNI fills the same objects each time, and of a failed completion only some of
/// their fields; so everything is copied into columns at once, and what DiSNI left from an earlier
/// completion is left out: the queue pair is known by the identifier of the request.
final class DisniPollCompletions implements PollCompletions {
    private static final int SUCCESS = 0;
    private static final int FLAG_GLOBAL_ROUTE = 1; // IBV_WC_GRH
    private static final int FLAG_IMMEDIATE = 1 << 1; // IBV_WC_WITH_IMM

    private static final boolean IS_LITTLE_ENDIAN =
            ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final DisniCompletionQueue queue;
    private final CallGuard guard;
    private final IbvWC[] completions;
    private final SVCPollCq call;
    private final long[] identifiers;
    private final int[] statuses;
    private final int[] opcodes;
    private final int[] lengths;
    private final int[] immediates;
    private final int[] flags;
    private final int[] numbers;
    private final int[] sources;
    private final int[] vendorErrors;
    private int count;

    static DisniPollCompletions prepare(DisniCompletionQueue queue, CallGuard guard, int capacity) {
        IbvWC[] completions = new IbvWC[capacity];
        for (int i = 0; i < capacity; i++) {
            completions[i] = new IbvWC();
        }
        if (!guard.tryEnter()) {
            throw new IllegalStateException("poll_cq: the completion queue is closed");
        }
        try {
            SVCPollCq call =
                    queue.context().disni().verbs().pollCQ(queue.queue(), completions, capacity);
            return new DisniPollCompletions(queue, guard, completions, call);
        } catch (IOException e) {
            throw new IllegalStateException("poll_cq: " + DisniFailure.text(e), e);
        } finally {
            guard.leave();
        }
    }

    private DisniPollCompletions(
            DisniCompletionQueue queue, CallGuard guard, IbvWC[] completions, SVCPollCq call) {
        this.queue = queue;
        this.guard = guard;
        this.completions = completions;
        this.call = call;
        int capacity = completions.length;
        identifiers = new long[capacity];
        statuses = new int[capacity];
        opcodes = new int[capacity];
        lengths = new int[capacity];
        immediates = new int[capacity];
        flags = new int[capacity];
        numbers = new int[capacity];
        sources = new int[capacity];
        vendorErrors = new int[capacity];
    }

    @Override
    public int capacity() {
        return completions.length;
    }

    @Override
    public int execute() throws VerbsException {
        count = 0;
        if (!guard.tryEnter()) {
            throw new IllegalStateException("poll_cq: the completion queue is closed");
        }
        try {
            int polled;
            do {
                call.execute();
                polled = call.getPolls();
                settle(polled);
                // Polls again if everything was of queue pairs that are no more.
            } while (count == 0 && polled > 0);
            return count;
        } catch (IOException e) {
            throw DisniFailure.of(
                    "poll_cq",
                    e,
                    "a completion queue of "
                            + queue.capacity()
                            + " entries on "
                            + queue.context()
                            + "; was it overrun?");
        } finally {
            guard.leave();
        }
    }

    private void settle(int polled) {
        int kept = 0;
        WorkAccount account = null;
        int number = 0;
        for (int i = 0; i < polled; i++) {
            IbvWC completion = completions[i];
            long identifier = completion.getWr_id();
            int wanted = (int) (identifier >>> Integer.SIZE);
            if (account == null || wanted != number) {
                account = queue.context().accounts().find(wanted);
                number = wanted;
            }
            if (account != null) {
                identifiers[kept] =
                        account.isOfSends()
                                ? account.completeSend((int) identifier)
                                : account.completeReceive();
                numbers[kept] = account.owner().number();
                copy(completion, kept);
                if (statuses[kept] != SUCCESS) {
                    account.owner().onFailedCompletion();
                }
                kept++;
            }
        }
        count = kept;
    }

    private void copy(IbvWC from, int to) {
        int status = from.getStatus();
        boolean hasRest = status == SUCCESS;
        statuses[to] = status;
        opcodes[to] = from.getOpcode();
        lengths[to] = hasRest ? from.getByte_len() : 0;
        immediates[to] = hasRest ? from.getImm_data() : 0;
        flags[to] = hasRest ? from.getWc_flags() : 0;
        sources[to] = hasRest ? from.getSrc_qp() : 0;
        vendorErrors[to] = hasRest ? from.getVendor_err() : 0;
    }

    @Override
    public long workRequestId(int index) {
        return identifiers[check(index)];
    }

    @Override
    public CompletionStatus status(int index) {
        return CompletionStatus.of(statusCode(index));
    }

    @Override
    public int statusCode(int index) {
        return statuses[check(index)];
    }

    @Override
    public boolean succeeded(int index) {
        return statusCode(index) == SUCCESS;
    }

    @Override
    public CompletionOpcode opcode(int index) {
        return CompletionOpcode.of(opcodes[check(index)]);
    }

    @Override
    public int byteLength(int index) {
        return lengths[check(index)];
    }

    @Override
    public boolean hasImmediate(int index) {
        return (flags[check(index)] & FLAG_IMMEDIATE) != 0;
    }

    @Override
    public int immediate(int index) {
        int inNetworkOrder = immediates[check(index)];
        return IS_LITTLE_ENDIAN ? Integer.reverseBytes(inNetworkOrder) : inNetworkOrder;
    }

    @Override
    public int queuePairNumber(int index) {
        return numbers[check(index)];
    }

    @Override
    public int sourceQueuePair(int index) {
        return sources[check(index)];
    }

    @Override
    public boolean hasGlobalRoute(int index) {
        return (flags[check(index)] & FLAG_GLOBAL_ROUTE) != 0;
    }

    /// Always 0 for a failed completion: DiSNI does not tell it.
    @Override
    public int vendorError(int index) {
        return vendorErrors[check(index)];
    }

    private int check(int index) {
        return Objects.checkIndex(index, count);
    }
}
