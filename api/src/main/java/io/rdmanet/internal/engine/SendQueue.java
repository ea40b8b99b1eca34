package io.rdmanet.internal.engine;

import io.rdmanet.internal.flow.CreditLedger;
import io.rdmanet.internal.frame.FrameDescriptor;
import io.rdmanet.internal.frame.HelloDescriptor;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/// The send queue and the slots that go through it: who takes a slot posts it here, and gets it
/// back once its completion, or that of a later frame, was polled. Control frames have no payload
/// and so no slot, but a limited number of places.
///
/// Everything but [#onCompleted] and [#shut] needs [#lock], which both the sender and whoever
/// returns credits take; nobody sleeps while holding it. The queue holds as many requests as there
/// are slots and places, so both always have room; a device that refuses it all the same is asked
/// again later.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | completed | progress | getAcquire | setRelease | the sender, which then reuses the slots |
/// | ended | progress | plain | plain | leadership of the loop |
/// | posted | holder of the lock | getOpaque | setOpaque | none: own or approximate use |
/// | all others | holder of the lock | plain | plain | lock |
final class SendQueue {
    private static final VarHandle COMPLETED;
    private static final VarHandle POSTED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COMPLETED = lookup.findVarHandle(SendQueue.class, "completed", long.class);
            POSTED = lookup.findVarHandle(SendQueue.class, "posted", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// What is in flight where a control frame is; else the slot.
    private static final int CONTROL = -1;

    /// What a request has whose payload is not in a slot.
    private static final int NO_SLOT = -1;

    /// Held for every other method.
    final ReentrantLock lock = new ReentrantLock();

    private final CreditLedger ledger;
    private final SlotMemory memory;
    private final PostSend postData;
    private final PostSend postControl;
    private final Probe probe;
    private final int maxInlineData;
    private final int maxUnregisteredBytes;
    private final int signalInterval;

    private final int[] freeSlots;

    /// The slot of each frame by its sequence; beyond what is posted, of the chain that is made.
    private final int[] inFlight;

    // What the requests of chains have from before; most of the next chain is the same. The element
    // is said by slot and length.
    private final int[] requestFlags;
    private final int[] requestImmediates;
    private final int[] requestSlots;
    private final int[] requestLengths;

    /// The request that is signaled since a chain has ended there.
    private int signaledEnd;

    private int freeCount;
    private int freeControlSends;
    private long chainStart;
    private int chainLength;
    private int firstFlags;
    private long retired;
    private boolean isShut;
    private long posted;
    private long completed;
    private long ended;

    SendQueue(Resources resources, CreditLedger ledger, int depth, Probe probe) {
        this.ledger = ledger;
        this.memory = resources.sendMemory;
        this.postData = resources.postData;
        this.postControl = resources.postControl;
        this.maxInlineData = resources.maxInlineData;
        this.maxUnregisteredBytes = resources.maxUnregisteredBytes;
        this.probe = probe;
        int requests = depth + Resources.CONTROL_SENDS;
        this.signalInterval = Math.max(1, requests / 4);
        this.freeSlots = descending(depth);
        this.freeCount = depth;
        this.freeControlSends = Resources.CONTROL_SENDS;
        this.inFlight = new int[Integer.highestOneBit(requests) << 1];
        this.postControl.request(0).flags(SendFlags.SIGNALED);
        this.requestFlags = new int[postData.capacity()];
        this.requestImmediates = new int[postData.capacity()];
        this.requestSlots = new int[postData.capacity()];
        this.requestLengths = new int[postData.capacity()];
        Arrays.fill(requestSlots, NO_SLOT);
        for (int i = 0; i < postData.capacity(); i++) {
            postData.request(i).flags(SendFlags.NONE).immediate(0); // as the arrays say
        }
    }

    SlotMemory memory() {
        return memory;
    }

    // ---- slots

    /// How many data slots are free.
    int freeSlots() {
        long done = (long) COMPLETED.getAcquire(this);
        for (long sequence = done - 1; sequence >= retired; sequence--) {
            int slot = inFlight[(int) sequence & inFlight.length - 1];
            if (slot == CONTROL) {
                freeControlSends++;
            } else {
                freeSlots[freeCount++] = slot;
            }
        }
        retired = done;
        return freeCount;
    }

    /// Takes a free data slot, of those used last, since the caches still know them; in the order
    /// in which they were used then, so that the same go with the same requests again.
    int takeSlot() {
        return freeSlots[--freeCount];
    }

    /// Gives a slot back that was taken and not posted.
    void returnSlot(int slot) {
        freeSlots[freeCount++] = slot;
    }

    // ---- chains of data frames

    /// The most frames in one chain.
    int maxChain() {
        return postData.capacity();
    }

    /// Frames in the chain that is being made.
    int chainLength() {
        return chainLength;
    }

    /// Begins a chain.
    void startChain() {
        chainStart = posted;
        chainLength = 0;
    }

    /// Adds a frame whose payload is in its slot, or will be.
    void add(int slot, int length, int flags) {
        int index = chainLength;
        addRequest(slot, flags, inlineFlag(length));
        setElement(index, slot, length);
    }

    /// The longest payload that [#addFrom] is for.
    int maxUnregisteredBytes() {
        return maxUnregisteredBytes;
    }

    /// Adds a frame whose payload the device takes from where it is. The slot stays unused, but it
    /// is the frame's place in the queue.
    void addFrom(int slot, MemorySegment source, long offset, int length, int flags)
            throws VerbsException {
        requestSlots[chainLength] = NO_SLOT;
        addRequest(slot, flags, SendFlags.INLINE);
        postData.inlineData(0, source, offset, length);
    }

    private void addRequest(int slot, int frameFlags, int sendFlags) {
        int index = chainLength;
        chainLength = index + 1;
        long sequence = chainStart + index;
        inFlight[(int) sequence & inFlight.length - 1] = slot;
        postData.request(index).workRequestId(sequence);
        if (index == 0) {
            firstFlags = frameFlags; // it is stamped when all are there
        } else {
            setImmediate(index, FrameDescriptor.encode(frameFlags, 0, 0));
        }
        // Chains are mostly as long as the one before: who was signaled will be again.
        setFlags(index, sendFlags | (requestFlags[index] & SendFlags.SIGNALED));
    }

    private void setElement(int index, int slot, int length) {
        if (requestSlots[index] != slot || requestLengths[index] != length) {
            postData.request(index).scatterGather(0, memory.region(), memory.offset(slot), length);
            requestSlots[index] = slot;
            requestLengths[index] = length;
        }
    }

    private void setImmediate(int index, int immediate) {
        if (requestImmediates[index] != immediate) {
            postData.request(index).immediate(immediate);
            requestImmediates[index] = immediate;
        }
    }

    private void setFlags(int index, int flags) {
        if (requestFlags[index] != flags) {
            postData.request(index).flags(flags);
            requestFlags[index] = flags;
        }
    }

    /// Signals the last request of the chain, and some before it, and no other.
    private void setSignals() {
        int end = chainLength - 1;
        if (signaledEnd != end) {
            setFlags(signaledEnd, requestFlags[signaledEnd] & ~SendFlags.SIGNALED);
            signaledEnd = end;
        }
        for (int i = signalInterval - 1; i < end; i += signalInterval) {
            setFlags(i, requestFlags[i] | SendFlags.SIGNALED);
        }
        setFlags(end, requestFlags[end] | SendFlags.SIGNALED);
    }

    /// The slot of a frame in the chain.
    int chainSlot(int index) {
        return inFlight[(int) (chainStart + index) & inFlight.length - 1];
    }

    /// Forgets the chain, and whose memory it was to be taken from.
    void dropChain() {
        forgetSources(0);
        chainLength = 0;
    }

    /// The device has not taken the frames from one on: their payloads are the caller's again.
    private void forgetSources(int from) {
        if (maxUnregisteredBytes == 0) {
            return;
        }
        for (int i = from; i < chainLength; i++) {
            requestSlots[i] = NO_SLOT;
            postData.request(i).scatterGather(0, memory.region(), 0, 0);
        }
    }

    /// Posts the chain.
    ///
    /// @return how many frames were accepted, from the first; the others' slots are still the
    ///   caller's
    /// @throws PostException if one was refused: those accepted before it are posted
    int postChain() throws VerbsException {
        if (chainLength == 0 || isShut) {
            forgetSources(0);
            return 0;
        }
        setSignals();
        int first = ledger.stamp(firstFlags);
        setImmediate(0, first);
        int accepted = 0;
        long start = probe.start();
        try {
            accepted = postData.execute(0, chainLength);
        } catch (PostException e) {
            accepted = e.acceptedCount();
            throw e;
        } finally {
            probe.stop(Probe.POST_NANOS, start);
            if (accepted == 0) {
                ledger.unstamp(first);
            }
            POSTED.setOpaque(this, chainStart + accepted);
            probe.posted(accepted);
            forgetSources(accepted);
        }
        return accepted;
    }

    // ---- control frames

    /// Posts a control frame.
    ///
    /// @return whether it was posted; if not, there was no room
    boolean postControl(int flags) throws VerbsException {
        freeSlots();
        if (freeControlSends == 0 || isShut) {
            return false;
        }
        ledger.onControlSend();
        int header = ledger.stamp(flags);
        postControl.request(0).workRequestId(posted).immediate(header);
        boolean accepted = postSingle(postControl, CONTROL);
        if (accepted) {
            freeControlSends--;
        } else {
            ledger.unstamp(header);
            ledger.onControlNotSent();
        }
        return accepted;
    }

    /// Posts the hello, whose record is in the slot already; it uses no credit.
    boolean postHello(int slot, int length) throws VerbsException {
        postData.request(0).workRequestId(posted);
        setElement(0, slot, length);
        setFlags(0, SendFlags.SIGNALED | inlineFlag(length));
        signaledEnd = 0;
        setImmediate(0, HelloDescriptor.HEADER);
        return postSingle(postData, slot);
    }

    private boolean postSingle(PostSend post, int entry) throws VerbsException {
        long sequence = posted;
        long start = probe.start();
        boolean accepted = post.execute(0, 1) == 1;
        probe.stop(Probe.POST_NANOS, start);
        if (accepted) {
            inFlight[(int) sequence & inFlight.length - 1] = entry;
            POSTED.setOpaque(this, sequence + 1);
            probe.posted(1);
        }
        return accepted;
    }

    private int inlineFlag(int bytes) {
        return bytes > 0 && bytes <= maxInlineData ? SendFlags.INLINE : SendFlags.NONE;
    }

    /// Posts nothing any more. Whoever was about to has done so when this returns. Takes the lock.
    void shut() {
        lock.lock();
        try {
            isShut = true;
        } finally {
            lock.unlock();
        }
    }

    // ---- completions

    /// A send has completed, and with it all before it. Progress only; needs no lock.
    void onCompleted(long sequence) {
        if (sequence >= (long) COMPLETED.get(this)) {
            COMPLETED.setRelease(this, sequence + 1);
        }
        onEnded(sequence);
    }

    /// A send has ended with or without success. Progress only; needs no lock.
    void onEnded(long sequence) {
        ended = Math.max(ended, sequence + 1);
    }

    /// Whether everything that was posted has ended. Progress only, once nobody posts any more.
    boolean isDrained() {
        return ended >= posted();
    }

    /// How many frames were posted since the connection was opened.
    long posted() {
        return (long) POSTED.getOpaque(this);
    }

    /// How many of them have completed. Needs no lock.
    long completed() {
        return (long) COMPLETED.getAcquire(this);
    }

    private static int[] descending(int count) {
        int[] slots = new int[count];
        for (int i = 0; i < count; i++) {
            slots[i] = count - 1 - i;
        }
        return slots;
    }
}
