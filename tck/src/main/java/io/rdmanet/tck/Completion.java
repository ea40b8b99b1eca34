package io.rdmanet.tck;

import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PollCompletions;
import org.jspecify.annotations.Nullable;

/// A copy of one completion, since those of a poll live until the next.
///
/// @param id the work request's identifier
/// @param opcode null if it failed, since it is not defined then
/// @param byteLength -1 if it failed
/// @param immediate null if there was none
/// @param sourceQueuePair the sender of a datagram; means something for received datagrams only
/// @param hasGlobalRoute whether a datagram says where from; for received datagrams only
record Completion(
        long id,
        CompletionStatus status,
        @Nullable CompletionOpcode opcode,
        int byteLength,
        @Nullable Integer immediate,
        int queuePairNumber,
        int sourceQueuePair,
        boolean hasGlobalRoute) {
    static Completion copyOf(PollCompletions poll, int index) {
        boolean succeeded = poll.succeeded(index);
        return new Completion(
                poll.workRequestId(index),
                poll.status(index),
                succeeded ? poll.opcode(index) : null,
                succeeded ? poll.byteLength(index) : -1,
                succeeded && poll.hasImmediate(index) ? poll.immediate(index) : null,
                poll.queuePairNumber(index),
                poll.sourceQueuePair(index),
                poll.hasGlobalRoute(index));
    }

    boolean succeeded() {
        return status == CompletionStatus.SUCCESS;
    }
}
