package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.ACCESS_FAULT;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ACCESS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ARMED_ANY;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ARMED_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.CAPACITY_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETED_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_SEQUENCE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_SOURCE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COPY_OFFER_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.DATAGRAM;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.DOMAIN_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ENTRY_UNIT;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.FAULT_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.HAS_CHANNEL_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.HELD_SLOT_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.HELD_TICKET_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MAGIC;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MAGIC_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MIN_RNR_TIMER_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.NOT_ARMED;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.NO_POOL;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.PEER_ID_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.PEER_NUMBER_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.POOL_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.POSTED_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.QUEUE_KEY_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RINGS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.STATE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.STRIDE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.TRANSPORT_OFFSET;

import io.rdmanet.loopback.link.PeerLink;
import io.rdmanet.loopback.memory.PeerFiles;
import io.rdmanet.loopback.memory.PeerRegions;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.QueuePairState;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The queue pair at the other end, as seen through its shared memory.
///
/// Its receives are in a ring of its own, or in a pool ([RemotePool]).
///
/// Belongs to the holder of the execution right, except for the questions at the end.
final class RemoteQueuePair {
    /// Completions of short messages are shown together, so that the owner does not ask for a line
    /// while the next entry is written to it: after so many bytes, which take about a microsecond
    /// to copy, where each completion counts as some.
    static final int MOST_HELD_BACK_BYTES = 8192;

    static final int BYTES_PER_COMPLETION = 192;

    private final int number;
    private final PeerLink link;
    private final MemorySegment memory;
    private final PeerRegions regions;
    private final @Nullable RemotePool pool;
    private final DatagramClaim claim;
    private final long base;
    private final long completions;
    private final int stride;
    private final int completionStride;
    private final int capacity;
    private final int maxReceiveElements;
    private final boolean hasChannel;

    private long nextReceive;

    /// The entries of the next receive.
    private int nextIndex;

    /// The end of what was posted when it was looked at last.
    private long postedSeen;

    /// The address of the completion that is kept back, or 0: its sequence shows it and those after
    /// it.
    private long heldBackEntry;

    private int heldBackSequence;
    private long heldBackBytes;
    private boolean hasUnannounced;
    private boolean hasUrgent;

    /// Maps the peer's memory.
    ///
    /// @throws IOException if the peer is not there
    static RemoteQueuePair attach(PeerLink link, GlobalIdentifier gid, int number)
            throws IOException {
        PeerFiles files = new PeerFiles(gid);
        MemorySegment memory = files.map(QueuePairDescriptor.fileName(number), Arena.ofAuto());
        if (memory.byteSize() < RINGS_OFFSET
                || Words.longAcquire(memory.address() + MAGIC_OFFSET) != MAGIC) {
            throw new IOException("the peer's loopback device has another version");
        }
        int poolNumber = Words.intAt(memory.address() + POOL_OFFSET);
        RemotePool pool = poolNumber == NO_POOL ? null : RemotePool.attach(files, poolNumber);
        RemoteQueuePair peer =
                new RemoteQueuePair(number, link, memory, new PeerRegions(files), pool);
        peer.requireConsistent();
        return peer;
    }

    /// Everything else about the rings follows from capacity and stride, so the rings are inside
    /// the memory. Of what was read once: the peer can write them at any time.
    private void requireConsistent() throws IOException {
        if (capacity < 1
                || (pool != null ? stride != 0 : stride < ENTRY_UNIT)
                || stride % ENTRY_UNIT != 0
                || memory.byteSize() != QueuePairDescriptor.bytes(capacity, stride)) {
            throw new IOException(
                    "the peer's queue pair has "
                            + memory.byteSize()
                            + " bytes for "
                            + capacity
                            + " entries of "
                            + stride);
        }
    }

    /// @param pool where its receives are, or null if they are in a ring of its own
    RemoteQueuePair(
            int number,
            PeerLink link,
            MemorySegment memory,
            PeerRegions regions,
            @Nullable RemotePool pool) {
        this.number = number;
        this.link = link;
        this.memory = memory;
        this.regions = regions;
        this.pool = pool;
        base = memory.address();
        claim = new DatagramClaim(base);
        capacity = Words.intAt(base + CAPACITY_OFFSET);
        stride = Words.intAt(base + STRIDE_OFFSET);
        completionStride = QueuePairDescriptor.completionStride(stride);
        completions = base + QueuePairDescriptor.completionsOffset(capacity, stride);
        maxReceiveElements =
                pool != null
                        ? pool.maxElements()
                        : (stride - QueuePairDescriptor.ELEMENTS_OFFSET)
                                / QueuePairDescriptor.ELEMENT_BYTES;
        hasChannel = Words.intAt(base + HAS_CHANNEL_OFFSET) != 0;
    }

    /// Whether it is ready for what the given queue pair sends.
    boolean accepts(int senderNumber, long senderId) {
        return isConnectedTo(senderNumber, senderId) && link.isAlive();
    }

    /// Whether its owner has connected it to the given queue pair, and it has not failed since.
    boolean isConnectedTo(int senderNumber, long senderId) {
        return isReady()
                && Words.intAt(base + PEER_NUMBER_OFFSET) == senderNumber
                && Words.longAt(base + PEER_ID_OFFSET) == senderId;
    }

    private boolean isReady() {
        return QueuePairDescriptor.isReceiving(Words.intVolatile(base + STATE_OFFSET));
    }

    /// The entry of the next posted receive, or 0 if none is posted. One of a pool is taken by
    /// this.
    long nextReceive() {
        RemotePool from = pool;
        if (from != null) {
            // A sender that was stopped in between takes nothing for a queue pair that has ended.
            return from.isHolding() || isReady() ? from.take(number) : 0;
        }
        if (nextReceive >= postedSeen) {
            postedSeen = Words.longAcquire(base + POSTED_OFFSET);
            if (nextReceive >= postedSeen) {
                return 0;
            }
        }
        return nextReceiveEntry();
    }

    /// How many of the next receives are posted and beside each other, in a ring of its own.
    ///
    /// @param wanted the most that matter
    int receivesInARow(int wanted) {
        if (postedSeen - nextReceive < wanted) {
            postedSeen = Words.longAcquire(base + POSTED_OFFSET);
        }
        return Math.clamp(postedSeen - nextReceive, 0, capacity - nextIndex); // whatever it says
    }

    /// Bytes from one receive to the next, in a ring of its own.
    int stride() {
        return stride;
    }

    /// The address of the next receive, in a ring of its own.
    long nextReceiveEntry() {
        return base + RINGS_OFFSET + (long) nextIndex * stride;
    }

    /// The address of the next completion.
    long nextCompletionEntry() {
        return completions + (long) nextIndex * completionStride;
    }

    /// The sequence of the next completion.
    int nextSequence() {
        return QueuePairDescriptor.sequence(nextReceive);
    }

    /// The address of the offer to copy a part of a message; mapped as long as this is reachable.
    long copyOffer() {
        return base + COPY_OFFER_OFFSET;
    }

    /// Whether its receives are in a pool.
    boolean hasPool() {
        return pool != null;
    }

    /// The most elements a receive can have.
    int maxReceiveElements() {
        return maxReceiveElements;
    }

    /// What the owner knows the next receive by: its position, or its slot in a pool.
    long nextReceivePosition() {
        return pool != null ? pool.heldSlot() : nextReceive;
    }

    /// Uses the next receive up and shows the owner how it ended.
    void completeReceive(int outcome, int byteLength, int immediate, boolean isUrgent) {
        long entry = nextCompletionEntry();
        int sequence = nextSequence();
        boolean isHeldBack = heldBackEntry == 0;
        writeCompletion(
                entry, isHeldBack ? sequence - 1 : sequence, outcome, byteLength, immediate);
        if (pool != null) {
            pool.completeHeld(entry);
        }
        if (isHeldBack) {
            heldBackEntry = entry;
            heldBackSequence = sequence;
        }
        useUp(1, isUrgent);
        heldBackBytes += (long) byteLength + BYTES_PER_COMPLETION;
        if (heldBackBytes >= MOST_HELD_BACK_BYTES || pool != null) {
            show();
        }
    }

    /// Writes a completion.
    ///
    /// @param sequence that of its position, or the one before it if it is not to be there yet
    static void writeCompletion(
            long entry, int sequence, int outcome, int byteLength, int immediate) {
        Words.setLong(entry + COMPLETION_SEQUENCE_OFFSET, Words.pair(sequence, outcome));
        Words.setLong(entry + COMPLETION_LENGTH_OFFSET, Words.pair(byteLength, immediate));
    }

    /// Uses up the next receives, which are beside each other and whose completions are written,
    /// and shows them to the owner by the sequence of the first.
    void showWritten(int count, boolean isUrgent) {
        Words.setIntRelease(nextCompletionEntry() + COMPLETION_SEQUENCE_OFFSET, nextSequence());
        useUp(count, isUrgent);
    }

    private void useUp(int count, boolean isUrgent) {
        nextReceive += count;
        nextIndex = nextIndex + count == capacity ? 0 : nextIndex + count;
        hasUnannounced = true;
        hasUrgent |= isUrgent;
    }

    /// So many bytes are about to be copied: nothing is kept back for as long as that takes.
    void beforeCopying(long bytes) {
        if (bytes >= MOST_HELD_BACK_BYTES) {
            show();
        }
    }

    /// Shows the owner the completions that were kept back.
    void show() {
        if (heldBackEntry != 0) {
            Words.setIntRelease(heldBackEntry + COMPLETION_SEQUENCE_OFFSET, heldBackSequence);
            heldBackEntry = 0;
            heldBackBytes = 0;
        }
    }

    /// Wakes the owner if it sleeps and something was completed since the last call.
    void announce() {
        if (hasUnannounced) {
            show();
            boolean isLimitReached = pool != null && pool.hasReachedLimit();
            if ((hasChannel && disarm(hasUrgent)) || isLimitReached) {
                link.wake(number);
            }
            hasUnannounced = false;
            hasUrgent = false;
        }
    }

    /// Takes the owner's wish to be woken, after completions were written.
    ///
    /// @return whether it is to be woken now
    boolean disarm(boolean isUrgent) {
        VarHandle.fullFence();
        int armed = Words.intAcquire(base + ARMED_OFFSET);
        return (armed == ARMED_ANY || (armed != NOT_ARMED && isUrgent))
                && Words.compareAndSetInt(base + ARMED_OFFSET, armed, NOT_ARMED);
    }

    /// Puts the peer into the error state, as a request does that breaks its rules.
    ///
    /// @param isAccessFault whether its owner gets an event for that
    void fail(boolean isAccessFault) {
        show();
        if (isAccessFault) {
            Words.setInt(base + FAULT_OFFSET, ACCESS_FAULT);
        }
        int state = Words.intAcquire(base + STATE_OFFSET);
        while (QueuePairDescriptor.isReceiving(state)
                && !Words.compareAndSetInt(
                        base + STATE_OFFSET, state, QueuePairState.ERROR.code())) {
            state = Words.intAcquire(base + STATE_OFFSET);
        }
        link.wake(number);
    }

    // ---- datagrams; belongs to the holder of the claim

    /// The right to deliver.
    DatagramClaim claim() {
        return claim;
    }

    /// Goes on where the last holder of the claim has left off.
    void resumeDatagrams() {
        nextReceive = Words.longAt(base + COMPLETED_OFFSET);
        nextIndex = Math.floorMod(nextReceive, capacity); // whatever stands there: inside the ring
        if (pool != null) {
            pool.hold(
                    Words.longAt(base + HELD_TICKET_OFFSET), Words.intAt(base + HELD_SLOT_OFFSET));
        }
    }

    /// Leaves off, for the next holder.
    void suspendDatagrams() {
        if (pool != null) {
            Words.setInt(base + HELD_SLOT_OFFSET, pool.heldSlot());
            Words.setLong(base + HELD_TICKET_OFFSET, pool.heldTicket());
        }
        Words.setLong(base + COMPLETED_OFFSET, nextReceive);
    }

    /// Whether it takes datagrams with a key.
    boolean acceptsDatagrams(int queueKey) {
        return pool != null
                && isReady()
                && Words.intAt(base + TRANSPORT_OFFSET) == DATAGRAM
                && Words.intAcquire(base + QUEUE_KEY_OFFSET) == queueKey;
    }

    /// The entry of the next posted receive, which is taken, or 0 if none is posted that has room
    /// for so many bytes; one without is left where it is.
    long nextDatagramReceive(int bytes) {
        return pool == null ? 0 : pool.takeWithRoomFor(bytes, number);
    }

    /// Where data is to wait for a receive that is out of reach, or null if it is not.
    @Nullable MemorySegment landingOf(long entry) {
        return pool == null ? null : pool.landingOf(entry);
    }

    /// Uses the receive that was taken up, for a datagram.
    void completeDatagram(
            int outcome, int byteLength, int immediate, boolean isUrgent, int source) {
        long entry = nextCompletionEntry();
        Words.setInt(entry + COMPLETION_SOURCE_OFFSET, source);
        completeReceive(outcome, byteLength, immediate, isUrgent);
    }

    /// The slot of the receive that was taken.
    int heldSlot() {
        return pool == null ? 0 : pool.heldSlot();
    }

    /// Whether it is RESET: not begun yet, or at its end for good.
    boolean isReset() {
        return Words.intVolatile(base + STATE_OFFSET) == QueuePairState.RESET.code();
    }

    /// Its regions.
    PeerRegions regions() {
        return regions;
    }

    /// The way to its device.
    PeerLink link() {
        return link;
    }

    /// Its number.
    int number() {
        return number;
    }

    /// What its access flags allow peers.
    boolean allows(int accessMask) {
        return (Words.intAt(base + ACCESS_OFFSET) & accessMask) == accessMask;
    }

    /// The protection domain it belongs to.
    int domain() {
        return Words.intAt(base + DOMAIN_OFFSET);
    }

    /// The code of the time between two tries when it has no receive posted.
    int minRnrTimer() {
        return Words.intAt(base + MIN_RNR_TIMER_OFFSET);
    }

    /// Unmaps its regions.
    void close() {
        regions.close();
    }

    // ---- any thread

    /// Whether it may be writing to this end at the moment. The caller has put a full fence before.
    boolean isExecuting() {
        return memory.scope().isAlive() && ExecutionRight.isHeld(base) && link.isAlive();
    }
}
