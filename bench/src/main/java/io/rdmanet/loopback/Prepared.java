package io.rdmanet.loopback;

import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;

/// Prepared calls without a queue pair, for tests that work on the queues themselves.
final class Prepared {
    private Prepared() {}

    /// Signaled sends of no data, with consecutive identifiers; the immediate data and the remote
    /// address of each equal its identifier.
    static LoopbackPostSend sends(int firstId, int count) {
        LoopbackPostSend send =
                new LoopbackPostSend(null, new SendShape(SendOpcode.SEND_WITH_IMMEDIATE, 0), count);
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
        LoopbackPostReceive receive = new LoopbackPostReceive(null, 0, 1);
        receive.request(0).workRequestId(id);
        return receive;
    }

    static LoopbackPollCompletions poll(int capacity) {
        return new LoopbackPollCompletions(null, capacity);
    }
}
