package io.rdmanet.loopback;

import io.rdmanet.loopback.memory.PeerRegion;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;

/// Executes short sends of a prepared chain several at a time: those that go from one element into
/// one, and whose completions are shown together.
///
/// What a short message costs is its stores. A line of completions comes from the other core, and
/// while it does, no more stores wait behind it than the processor has room for: with few of them
/// the next lines are asked for meanwhile, and with many each is waited for. So what is counted
/// along a group is kept in variables, and stored at its end.
///
/// Belongs to the holder of the execution right.
final class ShortSends {
    private static final long ONE_SHARED_ELEMENT = Words.pair(1, 0);

    private final RemoteQueuePair peer;

    ShortSends(RemoteQueuePair peer) {
        this.peer = peer;
    }

    /// Whether requests of a prepared call may go this way at all.
    boolean takes(SendRequests requests) {
        return requests.hasOneElementEach() && !peer.hasPool();
    }

    /// Executes the first requests of a chain, up to one that does not go this way: it is too long,
    /// has no receive, or will fail. That one is left as it is, to be executed otherwise.
    ///
    /// @param outcome of the receives
    /// @return how many were executed; all of them succeeded
    int execute(SendRequests requests, int first, int count, int outcome) {
        int done = 0;
        int group;
        do {
            int most = Math.min(count - done, peer.receivesInARow(count - done));
            group = executeGroup(requests, first + done, most, outcome);
            done += group;
        } while (group > 0 && done < count);
        return done;
    }

    /// Executes requests whose completions are shown together.
    private int executeGroup(SendRequests requests, int first, int most, int outcome) {
        int stride = peer.stride();
        int sequence = peer.nextSequence();
        long entry = peer.nextReceiveEntry();
        long completion = peer.nextCompletionEntry();
        LoopbackMemoryRegion source = null;
        PeerRegion target = null;
        boolean isUrgent = false;
        int bytes = 0;
        int done = 0;
        try {
            while (done < most && bytes < RemoteQueuePair.MOST_HELD_BACK_BYTES) {
                int index = first + done;
                int total = requests.total(index);
                if (total >= RemoteQueuePair.MOST_HELD_BACK_BYTES
                        || Words.longAt(entry + QueuePairDescriptor.RECEIVE_COUNT_OFFSET)
                                != ONE_SHARED_ELEMENT) {
                    break;
                }
                LoopbackMemoryRegion own = requests.onlyRegionOrNone(index);
                if (own != source) {
                    if (own != null && !own.isOpen()) {
                        break;
                    }
                    source = own;
                }
                long element = entry + QueuePairDescriptor.ELEMENTS_OFFSET;
                int key = Words.intAt(element + QueuePairDescriptor.ELEMENT_KEY_OFFSET);
                if (target == null || target.key() != key) {
                    target = peer.regions().find(key);
                }
                // Read once: who owns the entry may write it at any time.
                int length = Words.intAt(element + QueuePairDescriptor.ELEMENT_LENGTH_OFFSET);
                long offset = Words.longAt(element + QueuePairDescriptor.ELEMENT_OFFSET_OFFSET);
                if (target == null
                        || !target.isShared()
                        || !target.contains(offset, length)
                        || total > length) {
                    break;
                }
                requests.copyOnly(index, target.memory(), offset, total);
                if (done == 0) {
                    peer.show();
                }
                // The first one's sequence is still to come: it shows them all.
                RemoteQueuePair.writeCompletion(
                        completion,
                        done == 0 ? sequence - 1 : sequence + done,
                        outcome,
                        total,
                        requests.immediate(index));
                isUrgent |= requests.isSolicited(index);
                bytes += total + RemoteQueuePair.BYTES_PER_COMPLETION;
                entry += stride;
                completion += QueuePairDescriptor.COMPLETION_BYTES;
                done++;
            }
        } catch (RuntimeException | Error failed) {
            // A region was closed meanwhile, or less of it is there than its owner says. Executing
            // that request meets it again, and throws once those before it are counted.
        }
        if (done > 0) {
            peer.showWritten(done, isUrgent);
        }
        return done;
    }
}
