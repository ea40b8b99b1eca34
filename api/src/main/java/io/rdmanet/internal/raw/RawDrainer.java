package io.rdmanet.internal.raw;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.RawDrain;
import io.rdmanet.RawReceiver;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import org.jspecify.annotations.Nullable;

/// Keeps receives posted and counts what arrives.
///
/// One ring of prepared receives, posted again in the order in which they complete, in chains. What
/// a poll took beyond the end of a run stays for the next call, and so do the counts of a run in
/// which a call ended by its deadline or an interrupt. Belongs to one thread.
final class RawDrainer {
    private static final String DOING = "draining a raw run";

    private final RawLayout layout;
    private final PostReceive receives;
    private final PollCompletions poll;
    private final IdleWatch watch;
    private final RawGate gate;
    private final int ringLength;
    private final int chainLength;

    /// The next completion of the last poll, and how many that took.
    private int cursor;

    private int available;

    /// Receives to be posted again: so many, from this slot.
    private int idleCount;

    private int idleSlot;

    private boolean isGoodbyeSaid;

    /// The run so far, which may have begun in an earlier call.
    private long messages;

    private long bytes;
    private long firstNanos;
    private long lastNanos;

    RawDrainer(
            RawQueues queues, RawLayout layout, MemoryRegion region, IdleWatch watch, RawGate gate)
            throws VerbsException {
        this.layout = layout;
        this.poll = queues.receivePoll();
        this.watch = watch;
        this.gate = gate;
        this.ringLength = layout.receiveCount(queues.receiveRoom());
        this.chainLength = Math.clamp(ringLength / 4, 1, RawQueues.POLL_BATCH);
        this.receives = queues.keep(queues.queuePair().preparePostReceive(1, ringLength));
        int size = layout.options().maxMessageBytes();
        for (int slot = 0; slot < ringLength; slot++) {
            receives.request(slot)
                    .workRequestId(slot)
                    .scatterGather(0, region, layout.offset(buffer(slot)), size);
        }
        this.idleCount = ringLength;
    }

    private int buffer(int slot) {
        return slot % layout.receiveBufferCount();
    }

    /// Posts every receive that is not posted.
    ///
    /// @throws VerbsException if the receive queue takes fewer than it was made for
    void postAll() throws VerbsException {
        while (idleCount > 0) {
            int length = Math.min(idleCount, ringLength - idleSlot);
            int accepted = receives.execute(idleSlot, length);
            idleSlot = (idleSlot + accepted) % ringLength;
            idleCount -= accepted;
            if (accepted < length) {
                throw new VerbsException(
                        "post_recv",
                        "the receive queue is full with "
                                + (ringLength - idleCount)
                                + " of "
                                + ringLength
                                + " receives posted: it is smaller than it says");
            }
        }
    }

    /// Receives until the run ends or the sender says goodbye.
    RawDrain drain(@Nullable RawReceiver receiver) throws IOException {
        if (isGoodbyeSaid) {
            return new RawDrain(0, 0, 0, 0, RawDrain.GOODBYE);
        }
        watch.reset();
        while (true) {
            if (cursor == available && !pollAgain()) {
                // The clock is read when the stream pauses, not per message: it costs as much as
                // one.
                if (messages > 0 && lastNanos == 0) {
                    lastNanos = System.nanoTime();
                }
                watch.idle(DOING);
                continue;
            }
            if (messages == 0 && !poll.hasImmediate(cursor)) {
                firstNanos = System.nanoTime();
            }
            takeMessages(receiver);
            if (cursor < available) {
                int immediate = poll.immediate(cursor);
                int length = poll.byteLength(cursor);
                consume(1);
                if (messages > 0 && lastNanos == 0) {
                    lastNanos = System.nanoTime();
                }
                postAll();
                return endRun(tag(immediate, length));
            }
            lastNanos = 0;
        }
    }

    /// Takes what the last poll found, up to what is not a message.
    private void takeMessages(@Nullable RawReceiver receiver) throws IOException {
        int index = cursor;
        long sum = 0;
        while (index < available) {
            if (!poll.succeeded(index)) {
                throw watch.failure(DOING, poll, index);
            }
            if (poll.hasImmediate(index)) {
                break;
            }
            int length = poll.byteLength(index);
            sum += length;
            if (receiver != null) {
                receiver.onMessage(buffer((int) poll.workRequestId(index)), length);
            }
            index++;
        }
        messages += index - cursor;
        bytes += sum;
        consume(index - cursor);
    }

    private RawDrain endRun(int tag) {
        RawDrain run = new RawDrain(messages, bytes, firstNanos, lastNanos, tag);
        messages = 0;
        bytes = 0;
        firstNanos = 0;
        lastNanos = 0;
        return run;
    }

    /// @return whether there is a completion to look at
    private boolean pollAgain() throws IOException {
        if (idleCount >= chainLength) {
            postAll();
        }
        cursor = 0;
        available = poll.execute();
        if (available == 0) {
            postAll();
            return false;
        }
        watch.reset();
        if (gate.isClosing()) {
            throw new AsynchronousCloseException();
        }
        return true;
    }

    private void consume(int count) {
        cursor += count;
        idleCount += count;
    }

    private int tag(int immediate, int length) throws ProtocolViolationException {
        int kind = RawImmediateDescriptor.kind(immediate);
        if (length == 0 && kind == RawImmediateDescriptor.KIND_END_OF_RUN) {
            return RawImmediateDescriptor.tag(immediate);
        }
        if (length == 0 && kind == RawImmediateDescriptor.KIND_GOODBYE) {
            isGoodbyeSaid = true;
            return RawDrain.GOODBYE;
        }
        throw new ProtocolViolationException(
                "the peer sent immediate data 0x"
                        + Integer.toHexString(immediate)
                        + " with "
                        + length
                        + " bytes, which means nothing in a raw run");
    }
}
