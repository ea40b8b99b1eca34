package io.rdmanet.internal.engine;

import io.rdmanet.ReceivedMessage;
import io.rdmanet.internal.flow.Reassembly;
import io.rdmanet.verbs.VerbsException;
import java.util.Objects;

/// Where the application is done with a message: gives slots back to the receive queue, several at
/// a time since each time takes its lock, and returns their credits to the peer.
///
/// [#consume] and [#giveBack] belong to the receiving thread, which gives back before it waits and
/// before it leaves its call: what it keeps may be what the peer waits for. Leases end in any
/// thread.
final class Consumption {
    /// Memory for so many messages of several frames is kept; that of more is garbage.
    private static final int MOST_SPARES = 8;

    private final ReceiveQueue queue;
    private final CompletionLoop loop;
    private final int maxMessageBytes;
    private final int[] consumed;
    private int consumedCount;
    // Memory of former leases, to be used again; guarded by the receive lock.
    private final Reassembly[] spares = new Reassembly[MOST_SPARES];
    private int spareCount;

    Consumption(ReceiveQueue queue, CompletionLoop loop, int maxMessageBytes) {
        this.queue = queue;
        this.loop = loop;
        this.maxMessageBytes = maxMessageBytes;
        this.consumed = new int[queue.repostChain()];
    }

    // ---- the receiving thread

    /// The payload of a slot was copied.
    void consume(int slot) {
        consumed[consumedCount++] = slot;
        if (consumedCount == consumed.length) {
            giveBack();
        }
    }

    /// Gives back what was consumed. A failure to do so ends the connection.
    void giveBack() {
        if (consumedCount == 0) {
            return;
        }
        int count = consumedCount;
        consumedCount = 0;
        try {
            queue.free(consumed, count);
        } catch (VerbsException e) {
            loop.fail(e);
            return;
        }
        returnCredits();
    }

    /// Memory to put a message together in.
    Reassembly takeMemory() {
        queue.lock.lock();
        try {
            return spareCount == 0 ? new Reassembly(maxMessageBytes) : spares[--spareCount];
        } finally {
            queue.lock.unlock();
        }
    }

    // ---- any thread

    /// A lease ends.
    void release(Lease lease) {
        try {
            queue.lock.lock();
            try {
                end(lease);
            } finally {
                queue.lock.unlock();
            }
        } catch (VerbsException e) {
            loop.fail(e);
            return;
        }
        returnCredits();
    }

    /// Leases end.
    ///
    /// @throws IllegalArgumentException if one belongs to another connection; none has ended
    void release(ReceivedMessage[] messages, int count) {
        Objects.checkFromIndexSize(0, count, messages.length);
        for (int i = 0; i < count; i++) {
            if (!(messages[i] instanceof Lease lease) || lease.owner() != this) {
                throw new IllegalArgumentException("the message belongs to another connection");
            }
        }
        try {
            queue.lock.lock();
            try {
                for (int i = 0; i < count; i++) {
                    end((Lease) messages[i]);
                }
            } finally {
                queue.lock.unlock();
            }
        } catch (VerbsException e) {
            loop.fail(e);
            return;
        }
        returnCredits();
    }

    /// Holder of the receive lock only.
    private void end(Lease lease) throws VerbsException {
        if (!lease.end()) {
            return;
        }
        Reassembly assembled = lease.assembled();
        if (assembled == null) {
            queue.freeLocked(lease.slot());
        } else if (spareCount < spares.length) {
            assembled.clear();
            spares[spareCount++] = assembled;
        }
    }

    /// Only after something was given back: a receiver that falls asleep meanwhile either finds it,
    /// or is seen here.
    private void returnCredits() {
        loop.returnCredits(loop.isReceiverAsleep());
    }
}
