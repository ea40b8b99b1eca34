package io.rdmanet.loopback;

import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import java.lang.foreign.MemorySegment;

/// Prepared calls without a queue pair, for tests that work on the queues themselves.
final class Prepared {
    private Prepared() {}

    /// Signaled sends of no data, with consecutive identifiers; the immediate data and the remote
    /// address of each equal its identifier.
    static LoopbackPostSend sends(int firstId, int count) {
        LoopbackPostSend send =
                new LoopbackPostSend(
                        null, null, new SendShape(SendOpcode.SEND_WITH_IMMEDIATE, 0), count);
        for (int i = 0; i < count; i++) {
            int id = firstId + i;
            send.request(i)
                    .workRequestId(id)
                    .flags(SendFlags.SIGNALED)
                    .immediate(id)
                    .remote(id, id);
        }
        return send;
    }

    /// A receive without room.
    static LoopbackPostReceive receive(int id) {
        LoopbackPostReceive receive = new LoopbackPostReceive(null, null, 0, 1);
        receive.request(0).workRequestId(id);
        return receive;
    }

    /// A receive with room in a region.
    static LoopbackPostReceive receive(LoopbackMemoryRegion region, long offset, int length) {
        LoopbackPostReceive receive = new LoopbackPostReceive(null, null, 1, 1);
        receive.regions[0] = region;
        receive.offsets[0] = offset;
        receive.lengths[0] = length;
        return receive;
    }

    /// A pool of one or two receives.
    static ReceivePool pool(int slots) {
        return new ReceivePool(new ReceivePoolMemory(null, 1, null, Lines.nextPool(slots), 1));
    }

    /// A queue pair that takes its receives from a pool, as its peers see it.
    static RemoteQueuePair peerOf(MemorySegment memory, ReceivePool pool) {
        RemotePool taking = new RemotePool(null, 1, new ReceiveTaker(pool.memory().segment()));
        return new RemoteQueuePair(1, null, memory, null, taking);
    }

    /// Delivers an empty datagram if the claim is free, the receiver ready and a receive posted.
    ///
    /// @return how many were delivered
    static int deliver(RemoteQueuePair receiver, int source) {
        if (!receiver.claim().tryBegin(source)) {
            return 0;
        }
        int delivered = 0;
        receiver.resumeDatagrams();
        if (receiver.acceptsDatagrams(0) && receiver.nextDatagramReceive(0) != 0) {
            receiver.completeDatagram(0, 0, 0, false, source);
            delivered = 1;
        }
        receiver.suspendDatagrams();
        receiver.claim().end();
        return delivered;
    }

    static LoopbackPollCompletions poll(int capacity) {
        return new LoopbackPollCompletions(null, capacity);
    }
}
