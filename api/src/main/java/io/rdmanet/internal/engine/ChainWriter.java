package io.rdmanet.internal.engine;

import io.rdmanet.internal.flow.CreditLedger;
import io.rdmanet.internal.frame.FrameFlags;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/// Cuts the messages of one call into frames and posts them as chains, copied into slots unless
/// they are long enough and the device takes them from where they are; knows how far it has come.
/// Belongs to the sending thread.
///
/// A chain is no longer than [#CHAIN_BYTES], so that its slots are still in the core's cache when
/// the device reads them, and so that nobody waits long for the send lock.
final class ChainWriter {
    /// Half of a usual second-level cache.
    private static final int CHAIN_BYTES = 256 << 10;

    /// Up to so many bytes are copied in less time than the device needs to be told of other
    /// memory, while a slot it knows from before.
    private static final int LONGEST_COPIED = 128;

    private final CreditLedger ledger;
    private final SendQueue queue;
    private final int[] chainMessages;
    private final long[] chainOffsets;
    private int messageIndex;
    private long messageOffset;
    private boolean hasPosted;

    ChainWriter(CreditLedger ledger, SendQueue queue) {
        this.ledger = ledger;
        this.queue = queue;
        this.chainMessages = new int[queue.maxChain()];
        this.chainOffsets = new long[queue.maxChain()];
    }

    /// A call begins.
    void begin() {
        messageIndex = 0;
        messageOffset = 0;
        hasPosted = false;
    }

    /// The first message of which not everything was posted.
    int messageIndex() {
        return messageIndex;
    }

    /// Whether something of this call was posted, and something was not.
    ///
    /// @param count the messages of the call
    boolean isHalfWay(int count) {
        return hasPosted && messageIndex < count;
    }

    /// Posts one chain with as much as there is room for.
    ///
    /// @return false if there is no room
    boolean postSome(MemorySegment[] messages, int count, int slotBytes) throws VerbsException {
        queue.lock.lock();
        try {
            int room = Math.min(queue.freeSlots(), ledger.credits());
            room = Math.min(room, queue.maxChain());
            if (room <= 0) {
                return false;
            }
            int index = messageIndex;
            long offset = messageOffset;
            long bytes = 0;
            int taken = 0;
            queue.startChain();
            try {
                while (taken < room && index < count && bytes < CHAIN_BYTES) {
                    MemorySegment message = messages[index];
                    long rest = message.byteSize() - offset;
                    int length = (int) Math.min(rest, slotBytes);
                    int flags = length < rest ? FrameFlags.MORE : FrameFlags.LAST;
                    add(message, offset, length, flags);
                    chainMessages[taken] = index;
                    chainOffsets[taken] = offset;
                    taken++;
                    bytes += length;
                    if (length < rest) {
                        offset += length;
                    } else {
                        index++;
                        offset = 0;
                    }
                }
            } catch (RuntimeException | VerbsException | Error e) {
                returnSlots(0);
                queue.dropChain();
                throw e;
            }
            int accepted = 0;
            // Before posting, since the peer may return the credits before posting returns.
            ledger.useCredits(taken);
            try {
                accepted = queue.postChain();
            } catch (PostException e) {
                accepted = e.acceptedCount(); // those are the device's now
                throw e;
            } finally {
                ledger.returnUnused(taken - accepted);
                returnSlots(accepted);
            }
            messageIndex = accepted == taken ? index : chainMessages[accepted];
            messageOffset = accepted == taken ? offset : chainOffsets[accepted];
            hasPosted |= accepted > 0;
            return accepted > 0;
        } finally {
            queue.lock.unlock();
        }
    }

    private void add(MemorySegment message, long offset, int length, int flags)
            throws VerbsException {
        if (length > LONGEST_COPIED && length <= queue.maxUnregisteredBytes()) {
            queue.addFrom(queue.takeSlot(), message, offset, length, flags);
        } else {
            int slot = queue.takeSlot();
            queue.add(slot, length, flags);
            MemorySegment.copy(message, offset, queue.memory().payload(slot), 0, length);
        }
    }

    private void returnSlots(int from) {
        for (int i = queue.chainLength() - 1; i >= from; i--) {
            queue.returnSlot(queue.chainSlot(i));
        }
    }
}
