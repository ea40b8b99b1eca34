package io.rdmanet.internal.engine;

import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A queue pair that moves data when it is posted, under one lock for both ends. There are no RNR
/// retries.
final class FakeQueuePair implements QueuePair {
    private static final int NEVER = -1;

    // One lock for all: simple, and deadlocks are the engine's then.
    private static final Object LOCK = new Object();

    private record Receive(long identifier, MemoryRegion region, long offset, int length) {}

    final QueuePairCapacity capacity;
    private final ProtectionDomain domain;
    private final FakeCompletionQueue queue;
    private final Deque<Receive> receives = new ArrayDeque<>();
    private final List<Sends> prepared = new ArrayList<>();
    private @Nullable FakeQueuePair peer;
    private QueuePairState state = QueuePairState.INIT;
    private long posted;
    private long retired;

    /// Frames that met an empty receive queue here.
    int emptyReceives;

    /// Times that a send found the queue full.
    int fullSends;

    /// Frames that were to report their completion.
    long signaledSends;

    /// Frames that were taken from memory of no region.
    int unregisteredSends;

    /// Which of them cannot be read.
    int failsAtUnregisteredSend = NEVER;

    /// The most sends a chain may bring next; what is beyond is refused as if the queue were full.
    int acceptsNext = Integer.MAX_VALUE;

    /// Sends, then receives, that succeed before one is refused with ENOMEM.
    int sendsBeforeFailure = Integer.MAX_VALUE;

    int receivesBeforeFailure = Integer.MAX_VALUE;

    /// What a thread does that posts sends next, where nothing ends it.
    @Nullable Runnable insideNextSend;

    /// How the next send fails; its completion comes after those that it flushes.
    @Nullable CompletionStatus nextFailure;

    FakeQueuePair(ProtectionDomain domain, QueuePairInitialAttributes attributes) {
        this.domain = domain;
        this.queue = (FakeCompletionQueue) attributes.sendCompletionQueue();
        this.capacity = attributes.capacity();
    }

    void connect(FakeQueuePair other) {
        synchronized (LOCK) {
            peer = other;
            state = QueuePairState.READY_TO_SEND;
        }
    }

    /// Fails everything outstanding, as a device does when it gives up.
    void toError() {
        synchronized (LOCK) {
            if (state == QueuePairState.ERROR) {
                return;
            }
            state = QueuePairState.ERROR;
            for (Receive receive = receives.poll(); receive != null; receive = receives.poll()) {
                complete(receive, CompletionStatus.WORK_REQUEST_FLUSH_ERROR, 0, null);
            }
        }
    }

    int postedReceives() {
        synchronized (LOCK) {
            return receives.size();
        }
    }

    /// Prepared sends that name memory of no region and were not taken over.
    long unregisteredRequests() {
        return prepared.stream().mapToLong(sends -> sends.isUnregistered.cardinality()).sum();
    }

    private void complete(
            Receive receive, CompletionStatus status, int bytes, @Nullable Integer immediate) {
        queue.add(
                new FakeCompletionQueue.Entry(
                        receive.identifier(), status, bytes, immediate, () -> {}));
    }

    private void completeSend(long identifier, CompletionStatus status, long sequence) {
        Runnable onPolled =
                () -> {
                    synchronized (LOCK) {
                        retired = Math.max(retired, sequence + 1);
                    }
                };
        queue.add(new FakeCompletionQueue.Entry(identifier, status, 0, null, onPolled));
    }

    /// Moves one frame.
    private void send(
            long identifier, boolean isSignaled, MemorySegment data, @Nullable Integer immediate) {
        long sequence = posted++;
        CompletionStatus status = CompletionStatus.SUCCESS;
        FakeQueuePair other = peer;
        CompletionStatus failure = nextFailure;
        if (state == QueuePairState.ERROR) {
            status = CompletionStatus.WORK_REQUEST_FLUSH_ERROR;
        } else if (failure != null) {
            status = failure;
            toError();
        } else if (other == null || other.state != QueuePairState.READY_TO_SEND) {
            status = CompletionStatus.RETRY_EXCEEDED_ERROR;
        } else if (other.receives.isEmpty()) {
            other.emptyReceives++;
            status = CompletionStatus.RNR_RETRY_EXCEEDED_ERROR;
        } else {
            Receive receive = other.receives.remove();
            int length = (int) data.byteSize();
            if (length > receive.length()) {
                status = CompletionStatus.REMOTE_INVALID_REQUEST_ERROR;
                other.complete(receive, CompletionStatus.LOCAL_LENGTH_ERROR, length, null);
            } else {
                MemorySegment.copy(data, 0, receive.region().segment(), receive.offset(), length);
                other.complete(receive, CompletionStatus.SUCCESS, length, immediate);
            }
        }
        if (isSignaled || status != CompletionStatus.SUCCESS) {
            completeSend(identifier, status, sequence);
        }
        if (status != CompletionStatus.SUCCESS) {
            toError();
        }
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return 7;
    }

    @Override
    public QueuePairType type() {
        return QueuePairType.RELIABLE_CONNECTION;
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public CompletionQueue sendCompletionQueue() {
        return queue;
    }

    @Override
    public CompletionQueue receiveCompletionQueue() {
        return queue;
    }

    @Override
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return null;
    }

    @Override
    public QueuePairCapacity capacity() {
        return capacity;
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        toError();
    }

    @Override
    public QueuePairAttributes query() {
        throw new UnsupportedOperationException();
    }

    @Override
    public PostSend preparePostSend(SendShape shape, int chain) {
        Sends sends = new Sends(shape, chain);
        prepared.add(sends);
        return sends;
    }

    @Override
    public PostReceive preparePostReceive(int maxScatterGather, int chain) {
        return new Receives(chain);
    }

    @Override
    public void close() {
        synchronized (LOCK) {
            if (state != QueuePairState.RESET) {
                state = QueuePairState.ERROR;
                receives.clear();
                state = QueuePairState.RESET;
                ((FakeContext) domain.context()).open.decrementAndGet();
                peer = null;
            }
        }
    }

    private final class Sends implements PostSend {
        private final SendShape shape;
        private final long[] identifiers;
        private final int[] flags;
        private final MemorySegment[] data;
        private final int[] immediates;
        private final BitSet isUnregistered = new BitSet();
        private int cursor;

        Sends(SendShape shape, int chain) {
            this.shape = shape;
            this.identifiers = new long[chain];
            this.flags = new int[chain];
            this.data = new MemorySegment[chain];
            Arrays.fill(data, MemorySegment.NULL);
            this.immediates = new int[chain];
        }

        @Override
        public SendShape shape() {
            return shape;
        }

        @Override
        public int capacity() {
            return identifiers.length;
        }

        @Override
        public PostSend request(int index) {
            cursor = index;
            return this;
        }

        @Override
        public PostSend workRequestId(long workRequestId) {
            identifiers[cursor] = workRequestId;
            return this;
        }

        @Override
        public PostSend flags(int newFlags) {
            flags[cursor] = newFlags;
            return this;
        }

        @Override
        public PostSend scatterGather(int element, MemoryRegion region, long offset, int length) {
            Objects.checkIndex(element, shape.maxScatterGather());
            if ((flags[cursor] & SendFlags.INLINE) != 0 && length > capacity.maxInlineData()) {
                throw new IllegalArgumentException("too long for inline data: " + length);
            }
            data[cursor] = region.segment().asSlice(offset, length);
            isUnregistered.clear(cursor);
            return this;
        }

        @Override
        public PostSend inlineData(int element, MemorySegment source, long offset, int length)
                throws UnsupportedCapabilityException {
            domain.context().provider().require(Capability.UNREGISTERED_INLINE_DATA);
            Objects.checkIndex(element, shape.maxScatterGather());
            if (unregisteredSends == failsAtUnregisteredSend) {
                failsAtUnregisteredSend = NEVER;
                throw new IllegalStateException("the memory was closed meanwhile");
            }
            if (length > capacity.maxInlineData()) {
                throw new IllegalArgumentException("too long for inline data: " + length);
            }
            unregisteredSends++;
            data[cursor] = source.asSlice(offset, length);
            isUnregistered.set(cursor);
            return this;
        }

        @Override
        public PostSend remote(long address, int key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PostSend datagram(AddressHandle receiver, int queuePairNumber, int queueKey) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PostSend immediate(int immediate) {
            immediates[cursor] = immediate;
            return this;
        }

        @Override
        public PostSend compareAndSwap(long compare, long swap) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PostSend fetchAndAdd(long addend) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int execute(int first, int count) throws VerbsException {
            Runnable inside = insideNextSend;
            if (inside != null) {
                insideNextSend = null;
                inside.run();
            }
            synchronized (LOCK) {
                if (!state.allowsPostSend()) {
                    throw new IllegalStateException("the queue pair is in " + state);
                }
                int limit = Math.min(count, acceptsNext);
                acceptsNext = Integer.MAX_VALUE;
                for (int i = 0; i < limit; i++) {
                    if (posted - retired >= capacity.maxSends()) {
                        fullSends++;
                        return i;
                    }
                    if (sendsBeforeFailure-- <= 0) {
                        throw new PostException("post_send", ErrorNumber.ENOMEM, i, "fake");
                    }
                    boolean isSignaled = (flags[first + i] & SendFlags.SIGNALED) != 0;
                    signaledSends += isSignaled ? 1 : 0;
                    Integer immediate =
                            shape.opcode().hasImmediate() ? immediates[first + i] : null;
                    send(identifiers[first + i], isSignaled, data[first + i], immediate);
                    isUnregistered.clear(first + i);
                }
                return limit;
            }
        }

        @Override
        public void close() {}
    }

    private final class Receives implements PostReceive {
        private final Receive[] requests;
        private long identifier;
        private int cursor;

        Receives(int chain) {
            requests = new Receive[chain];
        }

        @Override
        public int maxScatterGather() {
            return 1;
        }

        @Override
        public int capacity() {
            return requests.length;
        }

        @Override
        public PostReceive request(int index) {
            cursor = index;
            return this;
        }

        @Override
        public PostReceive workRequestId(long workRequestId) {
            identifier = workRequestId;
            return this;
        }

        @Override
        public PostReceive scatterGather(
                int element, MemoryRegion region, long offset, int length) {
            requests[cursor] = new Receive(identifier, region, offset, length);
            return this;
        }

        @Override
        public int execute(int first, int count) throws VerbsException {
            synchronized (LOCK) {
                for (int i = 0; i < count; i++) {
                    Receive request = requests[first + i];
                    if (receivesBeforeFailure-- <= 0) {
                        throw new PostException("post_recv", ErrorNumber.ENOMEM, i, "fake");
                    }
                    if (state == QueuePairState.ERROR) {
                        complete(request, CompletionStatus.WORK_REQUEST_FLUSH_ERROR, 0, null);
                    } else if (receives.size() >= capacity.maxReceives()) {
                        return i;
                    } else {
                        receives.add(request);
                    }
                }
                return count;
            }
        }

        @Override
        public void close() {}
    }
}
