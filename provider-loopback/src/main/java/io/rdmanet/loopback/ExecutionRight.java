package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.EXECUTING;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.EXECUTING_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.NOT_EXECUTING;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RETIRED;

import io.rdmanet.loopback.ring.Words;
import java.util.concurrent.locks.LockSupport;

/// The right to get on with a queue pair's sends, held by one thread at a time for a moment. It is
/// a word in the queue pair's shared memory, so that the peer sees when nobody may be writing to
/// it.
///
/// What its holders write plainly passes from one to the next. A right belongs to one life of the
/// queue pair; it ends with it, so that a thread which comes late with the old one in its hands
/// cannot meddle with the next life.
final class ExecutionRight {
    private static final int SPINS_BEFORE_YIELD = 1_000;
    private static final long YIELD_NANOS = 10_000;

    private final long address;

    /// @param base the address of the queue pair's memory
    ExecutionRight(long base) {
        address = base + EXECUTING_OFFSET;
    }

    /// Takes the right, unless somebody has it. States must be read with volatile mode afterwards:
    /// whoever sets a queue pair to ERROR and then looks at this word relies on one of the two
    /// being seen.
    boolean tryBegin() {
        return Words.compareAndSetInt(address, NOT_EXECUTING, EXECUTING);
    }

    /// Waits for the right, which nobody holds for long. For control threads; not after [#retire].
    void begin() {
        for (int i = 0; !tryBegin(); i++) {
            if (i < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(YIELD_NANOS);
            }
        }
    }

    /// Gives the right back.
    void end() {
        Words.setIntRelease(address, NOT_EXECUTING);
    }

    /// Gives the right back for good: nobody will get it again.
    void retire() {
        Words.setIntRelease(address, RETIRED);
    }

    /// Whether somebody holds it. The caller has put a full fence before.
    static boolean isHeld(long base) {
        return Words.intAcquire(base + EXECUTING_OFFSET) == EXECUTING;
    }
}
