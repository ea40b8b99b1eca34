package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.CLAIM_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.UNCLAIMED;

import io.rdmanet.loopback.ring.Words;

/// The right to deliver a datagram to a queue pair, held by one device at a time for a moment: a
/// word in the receiver's shared memory, 0 or the device's number. What its holders write plainly
/// passes from one to the next.
///
/// It is also what makes a flush exact, like [ExecutionRight] for connections: whoever has taken it
/// reads the receiver's state afterwards, with volatile mode.
final class DatagramClaim {
    private final long address;

    /// @param base the address of the receiver's memory
    DatagramClaim(long base) {
        address = base + CLAIM_OFFSET;
    }

    /// Takes it, unless somebody has it.
    ///
    /// @param device the taker's instance
    boolean tryBegin(long device) {
        return Words.longAcquire(address) == UNCLAIMED
                && Words.compareAndSetLong(address, UNCLAIMED, device);
    }

    /// Gives it back.
    void end() {
        Words.setLongRelease(address, UNCLAIMED);
    }

    /// The instance that has it, or 0. To learn that nobody may be writing, put a full fence
    /// before.
    long holder() {
        return Words.longAcquire(address);
    }
}
