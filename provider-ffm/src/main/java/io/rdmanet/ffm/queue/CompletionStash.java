package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.VerbsOperations;
import io.rdmanet.ffm.c.WorkCompletionDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Completions that were taken from a completion queue when a queue pair was closed that shares its
/// receives, and that wait there for the next poll.
///
/// Receives that the queue pair has taken from the shared queue, and whose completions nobody has
/// polled, come back to that queue. Which they are, only their completions say; and some devices
/// drop these when the queue pair is destroyed.
///
/// Used while polling is paused, or by the polling thread.
final class CompletionStash {
    private static final int SIZE = WorkCompletionDescriptor.SIZE;

    /// What a drain polls for at least.
    private static final int MIN_ROOM = 64;

    /// Each block is freed once there is a larger one in its place.
    private MemorySegment memory = MemorySegment.NULL;

    private int first;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    int capacity() {
        return (int) (memory.byteSize() / SIZE);
    }

    private long entry(int index) {
        return memory.address() + (long) (first + index) * SIZE;
    }

    /// Takes everything that is in a completion queue.
    void drain(MemorySegment pollFunction, long completionQueue) {
        int polled;
        do {
            makeRoom();
            polled =
                    VerbsOperations.poll(
                            pollFunction,
                            completionQueue,
                            capacity() - first - count,
                            entry(count));
            count += Math.max(0, polled);
        } while (polled > 0);
    }

    private void makeRoom() {
        if (capacity() - first - count >= MIN_ROOM) {
            return;
        }
        MemorySegment target = memory;
        if (capacity() - count < MIN_ROOM) {
            target = Arena.ofAuto().allocate((2L * count + 2 * MIN_ROOM) * SIZE, Long.BYTES);
        }
        MemorySegment.copy(memory, (long) first * SIZE, target, 0, (long) count * SIZE);
        memory = target;
        first = 0;
    }

    /// Gives back the receives that a queue pair has taken from a shared queue.
    void giveBack(int queuePairNumber, WorkQueueAccount sharedReceives) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            long completion = entry(i);
            long identifier =
                    NativeMemory.longAt(completion + WorkCompletionDescriptor.WORK_REQUEST_ID);
            int number =
                    NativeMemory.intAt(completion + WorkCompletionDescriptor.QUEUE_PAIR_NUMBER);
            if (number == queuePairNumber
                    && (int) (identifier >>> Integer.SIZE) == sharedReceives.number()) {
                sharedReceives.complete((int) identifier);
                sharedReceives.freeThrough((int) identifier);
            } else {
                NativeMemory.copy(completion, entry(kept), SIZE);
                kept++;
            }
        }
        count = kept;
    }

    /// Moves the oldest completions elsewhere.
    ///
    /// @return how many
    int take(long into, int limit) {
        int taken = Math.min(count, limit);
        NativeMemory.copy(entry(0), into, (long) taken * SIZE);
        count -= taken;
        first = count == 0 ? 0 : first + taken;
        return taken;
    }
}
