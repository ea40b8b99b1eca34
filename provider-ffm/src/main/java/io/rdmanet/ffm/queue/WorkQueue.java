package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.QueuePairDescriptor;
import io.rdmanet.ffm.c.VerbsOperations;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/// Where chains of requests are posted: the sends or the receives of a queue pair, or a shared
/// receive queue. One thread at a time posts.
final class WorkQueue {
    /// What it is part of.
    interface Owner {
        /// Asks the device for the state, which a fault may have changed. Also brings the state in
        /// the native struct up to date.
        QueuePairState queryState() throws VerbsException;

        /// Has flushed what was posted in the error state.
        void flush();

        /// A failed completion of this owner's work was polled.
        void onFailedCompletion();
    }

    private static final int ERROR = QueuePairState.ERROR.code();

    private final String verb;
    private final MemorySegment function;
    private final long nativeQueue;
    private final int leastState;
    private final Owner owner;
    private final ExecutionGuard guard = new ExecutionGuard();

    /// The first request that was refused, 64 bits, and the state of a queue that has none, 32
    /// bits. Lives as long as somebody can post; 12 bytes are not worth a lifetime of their own.
    private final MemorySegment memory = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);

    private final long badRequest = memory.address();
    private final long stateAddress;

    private volatile WorkQueueAccount account;

    private WorkQueue(
            String verb,
            MemorySegment function,
            long nativeQueue,
            @Nullable QueuePairState leastState,
            Owner owner,
            WorkQueueAccount account) {
        this.verb = verb;
        this.function = function;
        this.nativeQueue = nativeQueue;
        if (leastState == null) {
            stateAddress = badRequest + Long.BYTES;
            this.leastState = QueuePairState.RESET.code(); // which is what fresh memory says
        } else {
            stateAddress = nativeQueue + QueuePairDescriptor.STATE;
            this.leastState = leastState.code();
        }
        this.owner = owner;
        this.account = account;
    }

    /// The sends of a queue pair.
    static WorkQueue ofSends(
            MemorySegment function, long queuePair, Owner owner, WorkQueueAccount account) {
        QueuePairState least = QueuePairState.READY_TO_SEND;
        return new WorkQueue("post_send", function, queuePair, least, owner, account);
    }

    /// The receives of a queue pair.
    static WorkQueue ofReceives(
            MemorySegment function, long queuePair, Owner owner, WorkQueueAccount account) {
        QueuePairState least = QueuePairState.INIT;
        return new WorkQueue("post_recv", function, queuePair, least, owner, account);
    }

    /// A shared receive queue.
    static WorkQueue ofShared(
            MemorySegment function, long queue, Owner owner, WorkQueueAccount account) {
        return new WorkQueue("post_srq_recv", function, queue, null, owner, account);
    }

    String verb() {
        return verb;
    }

    WorkQueueAccount account() {
        return account;
    }

    /// Begins again with nothing outstanding. Nobody posts meanwhile: the queue pair is in RESET.
    void account(WorkQueueAccount fresh) {
        account = fresh;
    }

    ExecutionGuard guard() {
        return guard;
    }

    /// Posts a run of requests as one chain.
    ///
    /// @return how many were accepted; fewer than `count` if the queue is full
    int post(RequestChain chain, int first, int count) throws VerbsException {
        if (!guard.tryEnter()) {
            throw new IllegalStateException(verb + ": " + owner + " is closed");
        }
        try {
            boolean isInError = requireState();
            int accepted = postInside(chain, first, count);
            if (isInError) {
                owner.flush();
            }
            return accepted;
        } finally {
            guard.leave();
            Reference.reachabilityFence(chain);
            Reference.reachabilityFence(memory);
        }
    }

    private int postInside(RequestChain chain, int first, int count) throws VerbsException {
        WorkQueueAccount current = account;
        chain.bind(current);
        int begun = current.begin(chain, first, count);
        if (begun == 0) {
            return 0;
        }
        if (chain.namesClosed(first, begun)) {
            current.withdraw(chain, first, begun);
            throw new IllegalStateException(
                    verb
                            + " on "
                            + owner
                            + ": a request names a memory region or an address handle that is"
                            + " closed");
        }
        chain.endBehind(first + begun - 1);
        int error = VerbsOperations.post(function, nativeQueue, chain.request(first), badRequest);
        return error == 0 ? begun : refused(chain, first, begun, Math.abs(error));
    }

    /// Finds out how far the device came, and why it stopped.
    private int refused(RequestChain chain, int first, int begun, int errno) throws VerbsException {
        WorkQueueAccount current = account;
        int accepted = acceptedOf(chain, first, begun);
        current.withdraw(chain, first + accepted, begun - accepted);
        if (errno == ErrorNumber.ENOMEM && current.outstanding() > 0) {
            return accepted; // full in its own counting: as good as in ours
        }
        if (accepted == 0 && owner.queryState().code() < leastState) {
            requireState();
        }
        throw new PostException(
                verb,
                errno,
                accepted,
                owner + ", " + current.outstanding() + " requests outstanding");
    }

    private int acceptedOf(RequestChain chain, int first, int begun) {
        long bad = NativeMemory.longAt(badRequest);
        NativeMemory.setLong(badRequest, 0);
        int index = chain.indexOf(bad);
        // A driver that names no request has taken all of them, and failed afterwards.
        return index < first || index >= first + begun ? begun : index - first;
    }

    /// Throws unless the state allows posting.
    ///
    /// @return whether it is ERROR
    private boolean requireState() {
        int state = NativeMemory.intAt(stateAddress);
        if (state < leastState) {
            throw new IllegalStateException(
                    verb
                            + " on "
                            + owner
                            + " in state "
                            + QueuePairState.ofCode(state)
                            + "; it needs "
                            + QueuePairState.ofCode(leastState));
        }
        return state == ERROR;
    }
}
