package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Many messages in one direction, of lengths and contents that follow from their number, whose
/// posting and polling may be done by one thread or by several: one that sends, one that posts
/// receives, and for each completion queue one that polls.
///
/// | field | written by | read by |
/// |---|---|---|
/// | sent, posted | the thread that sends, or posts receives | the same |
/// | sendsDone | the poller of the sending end | the sender |
/// | received | the poller of the receiving end | the thread that posts receives |
final class Flow {
    private static final int CHAIN = 5;
    private static final int SIGNAL_EACH = 3;

    private final int total;
    private final int depth;
    private final int slotBytes;
    private final long seed;
    private final MemoryRegion source;
    private final MemoryRegion target;
    private final PostSend send;
    private final PostReceive receive;
    private final AtomicInteger sendsDone = new AtomicInteger();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private int sent;
    private int posted;

    /// @param depth slots on each end; the queues hold as many
    Flow(PairEnd from, PairEnd to, int total, int depth, int slotBytes, long seed)
            throws Exception {
        this.total = total;
        this.depth = depth;
        this.slotBytes = slotBytes;
        this.seed = seed;
        source = from.memory((long) depth * slotBytes);
        target = to.memory((long) depth * slotBytes);
        send = from.prepareSend(SendOpcode.SEND, CHAIN);
        receive = to.prepareReceive(1, CHAIN);
    }

    boolean isSendingDone() {
        return sendsDone.get() == total;
    }

    boolean isReceivingDone() {
        return received.get() == total;
    }

    /// Ends all loops of the flow.
    void fail(Throwable cause) {
        failure.compareAndSet(null, cause);
    }

    void assertNotFailed() {
        Throwable cause = failure.get();
        if (cause != null) {
            throw new AssertionError("another thread of the flow failed", cause);
        }
    }

    /// Sends everything; a slot is written again only after its completion.
    void sendAll(Duration patience) throws Exception {
        Waiting waiting = new Waiting(patience);
        int seen = -1;
        while (sent < total) {
            assertNotFailed();
            int accepted = trySend();
            int done = sendsDone.get();
            if (accepted > 0 || done != seen) {
                waiting = new Waiting(patience);
                seen = done;
            } else {
                assertThat(waiting.pause()).as("progress of %s", this).isTrue();
            }
        }
    }

    /// Posts one chain into the slots that are free.
    ///
    /// @return how many were accepted
    int trySend() throws Exception {
        int free = depth - (sent - sendsDone.get());
        int count = Math.min(Math.min(CHAIN, free), total - sent);
        for (int i = 0; i < count; i++) {
            int number = sent + i;
            long offset = slot(number);
            int length = length(number);
            Payload.fill(source.segment(), offset, length, seed + number);
            send.request(i)
                    .workRequestId(number)
                    .flags(isSignaled(number) ? SendFlags.SIGNALED : SendFlags.NONE)
                    .scatterGather(0, source, offset, length);
        }
        int accepted = count == 0 ? 0 : send.execute(0, count);
        assertThat(accepted).isBetween(0, count);
        sent += accepted;
        return accepted;
    }

    /// The last of all, and enough others that a full queue always holds one.
    private boolean isSignaled(int number) {
        return number % Math.min(SIGNAL_EACH, depth) == 0 || number == total - 1;
    }

    /// Posts receives for everything; a slot is posted again only after its message was checked.
    void postAllReceives(Duration patience) throws Exception {
        Waiting waiting = new Waiting(patience);
        int seen = -1;
        while (posted < total) {
            assertNotFailed();
            int accepted = tryPostReceives();
            int done = received.get();
            if (accepted > 0 || done != seen) {
                waiting = new Waiting(patience);
                seen = done;
            } else {
                assertThat(waiting.pause()).as("progress of %s", this).isTrue();
            }
        }
    }

    /// Posts one chain of receives into the slots that are free.
    ///
    /// @return how many were accepted
    int tryPostReceives() throws Exception {
        int free = depth - (posted - received.get());
        int count = Math.min(Math.min(CHAIN, free), total - posted);
        for (int i = 0; i < count; i++) {
            receive.request(i)
                    .workRequestId(posted + i)
                    .scatterGather(0, target, slot(posted + i), slotBytes);
        }
        int accepted = count == 0 ? 0 : receive.execute(0, count);
        assertThat(accepted).isBetween(0, count);
        posted += accepted;
        return accepted;
    }

    /// A send has completed, and with it all before it.
    void onSendCompletion(PollCompletions poll, int index) {
        assertSucceeded(poll, index);
        int number = (int) poll.workRequestId(index);
        if (number < sendsDone.get() || !isSignaled(number)) {
            throw new AssertionError("completion of send " + number + " at " + this);
        }
        sendsDone.set(number + 1);
    }

    /// The next message has come; it must be the right one, whole and unharmed.
    void onReceiveCompletion(PollCompletions poll, int index) {
        assertSucceeded(poll, index);
        int number = received.get();
        int length = length(number);
        if (poll.workRequestId(index) != number || poll.byteLength(index) != length) {
            throw new AssertionError(
                    "received id "
                            + poll.workRequestId(index)
                            + " with "
                            + poll.byteLength(index)
                            + " bytes, not "
                            + length
                            + ", at "
                            + this);
        }
        long mismatch = Payload.mismatch(target.segment(), slot(number), length, seed + number);
        if (mismatch >= 0) {
            throw new AssertionError(
                    "message " + number + " of " + length + " bytes differs at byte " + mismatch);
        }
        received.set(number + 1);
    }

    private void assertSucceeded(PollCompletions poll, int index) {
        if (!poll.succeeded(index)) {
            throw new AssertionError(
                    poll.status(index) + " of id " + poll.workRequestId(index) + " at " + this);
        }
    }

    private long slot(int number) {
        return (long) (number % depth) * slotBytes;
    }

    private int length(int number) {
        long mixed = (number + seed) * 0x9e3779b97f4a7c15L;
        return (int) Long.remainderUnsigned(mixed ^ mixed >>> 32, slotBytes + 1L);
    }

    @Override
    public String toString() {
        return "flow with seed "
                + seed
                + ": of "
                + total
                + " messages "
                + sendsDone
                + " sends completed, "
                + received
                + " received";
    }
}
