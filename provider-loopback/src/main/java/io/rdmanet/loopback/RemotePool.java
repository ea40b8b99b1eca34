package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_SLOT_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_TICKET_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENTS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_BYTES;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.NO_TICKET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RECEIVE_COUNT_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RECEIVE_FLAGS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RECEIVE_UNSHARED;

import io.rdmanet.loopback.memory.PeerFiles;
import io.rdmanet.loopback.ring.LandingDescriptor;
import io.rdmanet.loopback.ring.ReceivePoolDescriptor;
import io.rdmanet.loopback.ring.Words;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The pool that a peer's queue pair takes its receives from, and the one receive that was taken
/// for it and has not completed yet.
final class RemotePool {
    private final PeerFiles files;
    private final int poolNumber;
    private final ReceiveTaker taker;
    private @Nullable MemorySegment landing;
    private long heldTicket = NO_TICKET;
    private int heldSlot;
    private boolean hasReachedLimit;

    /// Maps a peer's pool.
    ///
    /// @throws IOException if it is not there
    static RemotePool attach(PeerFiles files, int poolNumber) throws IOException {
        return new RemotePool(files, poolNumber, ReceiveTaker.attach(files, poolNumber));
    }

    /// @param files where the landing is found
    RemotePool(PeerFiles files, int poolNumber, ReceiveTaker taker) {
        this.files = files;
        this.poolNumber = poolNumber;
        this.taker = taker;
    }

    int maxElements() {
        return taker.maxElements();
    }

    /// Whether a receive was taken that has not completed.
    boolean isHolding() {
        return heldTicket != NO_TICKET;
    }

    int heldSlot() {
        return heldSlot;
    }

    long heldTicket() {
        return heldTicket;
    }

    /// Goes on with what somebody else has taken, or nothing if the ticket is 0.
    void hold(long ticket, int slot) {
        heldTicket = ticket;
        heldSlot = slot;
    }

    /// Takes a receive, unless one is held.
    ///
    /// @return its entry, or 0 if none is posted
    long take(int queuePairNumber) {
        while (!isHolding()) {
            long word = taker.peek();
            if (word == 0) {
                return 0;
            }
            tryHold(word, queuePairNumber);
        }
        return taker.entry(heldSlot);
    }

    private void tryHold(long word, int queuePairNumber) {
        if (taker.take(word, queuePairNumber)) {
            heldTicket = taker.ticket();
            heldSlot = ReceivePoolDescriptor.slot(word);
            hasReachedLimit |= taker.reachesLimit();
        }
    }

    /// Takes a receive that can have so many bytes, unless one is held. The next in turn decides:
    /// if it is too small it stays.
    ///
    /// @return its entry, or 0 if there is none
    long takeWithRoomFor(int bytes, int queuePairNumber) {
        while (!isHolding()) {
            long word = taker.peek();
            if (word == 0) {
                return 0;
            }
            boolean isFit = isFit(taker.entry(ReceivePoolDescriptor.slot(word)), bytes);
            if (isFit) {
                tryHold(word, queuePairNumber);
            } else if (taker.peek() == word) { // or what was read was somebody else's by then
                return 0;
            }
        }
        long held = taker.entry(heldSlot);
        return isFit(held, bytes) ? held : 0;
    }

    private boolean isFit(long entry, int bytes) {
        int count = Math.min(Words.intAt(entry + RECEIVE_COUNT_OFFSET), maxElements());
        long room = 0;
        for (int i = 0; i < count; i++) {
            long element = entry + ELEMENTS_OFFSET + (long) i * ELEMENT_BYTES;
            room += Words.intAt(element + ELEMENT_LENGTH_OFFSET);
        }
        return room >= bytes && (!isUnshared(entry) || landing() != null);
    }

    private static boolean isUnshared(long entry) {
        return (Words.intAt(entry + RECEIVE_FLAGS_OFFSET) & RECEIVE_UNSHARED) != 0;
    }

    /// Where data is to wait for a receive that is out of reach, or null if it is not.
    @Nullable MemorySegment landingOf(long entry) {
        return isUnshared(entry) ? landing() : null;
    }

    private @Nullable MemorySegment landing() {
        if (landing == null) {
            try {
                MemorySegment mapped =
                        files.map(
                                ReceivePoolDescriptor.landingFileName(poolNumber), Arena.ofAuto());
                if (mapped.byteSize() == LandingDescriptor.bytes(taker.slots())) {
                    landing = mapped;
                }
            } catch (IOException notMade) {
                System.getLogger(RemotePool.class.getName())
                        .log(System.Logger.Level.DEBUG, "no landing", notMade);
            }
        }
        return landing;
    }

    /// Says in a completion whose it is, and holds nothing any more.
    void completeHeld(long completionEntry) {
        Words.setInt(completionEntry + COMPLETION_SLOT_OFFSET, heldSlot);
        Words.setLong(completionEntry + COMPLETION_TICKET_OFFSET, heldTicket);
        heldTicket = NO_TICKET;
    }

    /// Whether the owner is to be woken because few receives are left; says so once.
    boolean hasReachedLimit() {
        boolean result = hasReachedLimit;
        hasReachedLimit = false;
        return result;
    }
}
