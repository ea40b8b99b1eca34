package io.rdmanet.internal.engine;

import io.rdmanet.ConnOptions;
import io.rdmanet.MessageTooLargeException;
import io.rdmanet.SendSlot;
import io.rdmanet.internal.flow.CreditLedger;
import io.rdmanet.internal.frame.FrameFlags;
import io.rdmanet.internal.frame.HelloDescriptor;
import io.rdmanet.internal.frame.HelloDescriptor.MessageHello;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The sending half: cuts messages into frames, takes slots and credits for them, and posts chains.
///
/// Methods of the sending thread come first; those that return credits may be called by any thread.
final class SendSide {
    /// Who claims so many asks first what has completed: those slots come back that the caches
    /// still know.
    private static final int LEAST_POLLED_CLAIM = 8;

    private final CreditLedger ledger;
    private final SendQueue queue;
    private final ReceiveSide receiveSide;
    private final ConnectionState state;
    private final Gate gate = new Gate("sending");
    private final int ownMaxMessageBytes;
    private final ClaimedSlot[] slots;
    private final Awaited roomAwaited = this::hasRoomOrEnded;
    private final Awaited completionAwaited = this::isCompletedOrEnded;
    private final MemorySegment[] single = new MemorySegment[1];
    private final SendSlot[] singleSlot = new SendSlot[1];
    private final ChainWriter writer;
    private @Nullable CompletionLoop attachedLoop;

    // Set by the hello.
    private int slotBytes;
    private int peerMaxMessageBytes;

    private long awaitedSequence;
    private long commits;

    SendSide(
            ConnOptions options,
            CreditLedger ledger,
            SendQueue queue,
            ReceiveSide receiveSide,
            ConnectionState state) {
        this.ledger = ledger;
        this.queue = queue;
        this.receiveSide = receiveSide;
        this.state = state;
        this.ownMaxMessageBytes = MessageConnection.maxMessageBytes(options);
        this.writer = new ChainWriter(ledger, queue);
        this.slots = new ClaimedSlot[options.depth()];
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] = new ClaimedSlot(this, slot, queue.memory().payload(slot));
        }
    }

    void attach(CompletionLoop loop) {
        attachedLoop = loop;
    }

    /// Takes over what the peer announced.
    void onHello(MessageHello hello) {
        peerMaxMessageBytes = hello.maxMessageBytes();
        slotBytes =
                Math.min(
                        Math.min(queue.memory().slotBytes(), hello.slotBytes()), maxMessageBytes());
    }

    /// The longest message in one frame.
    int slotBytes() {
        return slotBytes;
    }

    /// The longest message that both ends allow.
    int maxMessageBytes() {
        return Math.min(ownMaxMessageBytes, peerMaxMessageBytes);
    }

    // ---- messages in memory of the caller's

    void send(MemorySegment message) throws IOException {
        enter();
        try {
            single[0] = message;
            sendAll(single, 1);
        } finally {
            single[0] = MemorySegment.NULL; // the caller's memory is not kept
            gate.leave();
        }
    }

    void send(MemorySegment[] messages, int count) throws IOException {
        enter();
        try {
            sendAll(messages, count);
        } finally {
            gate.leave();
        }
    }

    private void sendAll(MemorySegment[] messages, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            requireLength(messages[i].byteSize());
            requireReadable(messages[i]);
        }
        CompletionLoop loop = loop();
        loop.sender().begin(state.timeoutNanos());
        writer.begin();
        try {
            while (writer.messageIndex() < count) {
                state.checkSending();
                if (!writer.postSome(messages, count, slotBytes)) {
                    awaitRoom(loop);
                } else if (writer.messageIndex() < count) {
                    // A device that is done already gives slots back that the caches still know.
                    loop.tryProgress();
                }
            }
            awaitCompletion(loop, queue.posted());
        } catch (InterruptedIOException e) {
            // Half a call cannot be taken back: the peer would take the rest for another message.
            // Once all of it is posted, only the news that it has arrived is missing.
            if (writer.isHalfWay(count)) {
                loop.fail(e);
            }
            throw e;
        } catch (VerbsException e) {
            loop.fail(e);
            throw e;
        } catch (RuntimeException e) {
            if (writer.isHalfWay(count)) {
                loop.fail(
                        new IOException(
                                "what was to be sent could not be read to its end, and the peer has"
                                        + " a part of it",
                                e));
            }
            throw e;
        }
    }

    // ---- messages that are written in place

    SendSlot claim(int length) throws IOException {
        enter();
        try {
            claimAny(singleSlot, 1, length);
            return singleSlot[0];
        } finally {
            gate.leave();
        }
    }

    int claim(SendSlot[] into, int count, int length) throws IOException {
        enter();
        try {
            return claimAny(into, count, length);
        } finally {
            gate.leave();
        }
    }

    private int claimAny(SendSlot[] into, int count, int length) throws IOException {
        if (length < 0 || length > slotBytes) {
            throw new IllegalArgumentException(
                    "length must be 0 to sendSlotBytes (" + slotBytes + "), is " + length);
        }
        CompletionLoop loop = loop();
        loop.sender().begin(state.timeoutNanos());
        if (count >= LEAST_POLLED_CLAIM) {
            loop.tryProgress();
        }
        while (true) {
            state.checkSending();
            int claimed = claimSome(into, count, length);
            if (claimed > 0) {
                return claimed;
            }
            awaitRoom(loop);
        }
    }

    private int claimSome(SendSlot[] into, int count, int length) {
        queue.lock.lock();
        try {
            int room = Math.min(queue.freeSlots(), ledger.credits());
            int claimed = Math.min(room, count);
            if (claimed <= 0) {
                return 0;
            }
            if (!(into[0] instanceof ClaimedSlot)) {
                into[0] = slots[0]; // throws, while nothing is taken, if it is no array for slots
            }
            for (int i = 0; i < claimed; i++) {
                ClaimedSlot slot = slots[queue.takeSlot()];
                slot.claim(length);
                if (into[i] != slot) { // mostly it is the same, and storing references costs
                    into[i] = slot;
                }
            }
            ledger.useCredits(claimed);
            return claimed;
        } finally {
            queue.lock.unlock();
        }
    }

    void commit(ClaimedSlot slot) throws IOException {
        enter();
        try {
            singleSlot[0] = slot;
            commitAll(singleSlot, 1);
        } finally {
            gate.leave();
        }
    }

    void commit(SendSlot[] claimed, int count) throws IOException {
        enter();
        try {
            commitAll(claimed, count);
        } finally {
            gate.leave();
        }
    }

    /// Posts claimed slots. Does not wait, unless the device refuses room it should have.
    private void commitAll(SendSlot[] claimed, int count) throws IOException {
        commits++;
        for (int i = 0; i < count; i++) {
            requireClaimed(claimed[i]);
        }
        CompletionLoop loop = loop();
        loop.sender().begin(state.timeoutNanos());
        int done = 0;
        try {
            while (done < count) {
                state.checkSending();
                int accepted = commitSome(claimed, done, count);
                done += accepted;
                if (accepted == 0) {
                    loop.backOff(loop.sender(), Waiter.Reason.COMPLETION);
                }
            }
        } catch (InterruptedIOException e) {
            if (done > 0) {
                loop.fail(e);
            }
            throw e;
        } catch (VerbsException e) {
            loop.fail(e);
            throw e;
        }
    }

    private int commitSome(SendSlot[] claimed, int from, int count) throws VerbsException {
        queue.lock.lock();
        try {
            int length = Math.min(count - from, queue.maxChain());
            queue.startChain();
            for (int i = 0; i < length; i++) {
                ClaimedSlot slot = (ClaimedSlot) claimed[from + i];
                if (!slot.isClaimed()) {
                    throw ClaimedSlot.notClaimed();
                }
                queue.add(slot.slot(), slot.length(), FrameFlags.LAST);
            }
            int accepted = 0;
            try {
                accepted = queue.postChain();
            } catch (PostException e) {
                accepted = e.acceptedCount();
                throw e;
            } finally {
                // Those are the device's now, even if a later one was refused.
                for (int i = 0; i < accepted; i++) {
                    ((ClaimedSlot) claimed[from + i]).release();
                }
            }
            return accepted;
        } finally {
            queue.lock.unlock();
        }
    }

    void cancel(ClaimedSlot slot) {
        queue.lock.lock();
        try {
            if (slot.isClaimed()) {
                slot.release();
                if (!state.isBroken()) {
                    queue.returnSlot(slot.slot());
                    ledger.returnUnused(1);
                }
            }
        } finally {
            queue.lock.unlock();
        }
    }

    void flush() throws IOException {
        enter();
        try {
            state.checkCompleting();
            CompletionLoop loop = loop();
            loop.sender().begin(state.timeoutNanos());
            awaitCompletion(loop, queue.posted());
        } finally {
            gate.leave();
        }
    }

    private void enter() throws IOException {
        state.checkOpen();
        gate.enter();
    }

    /// Lets nobody in any more.
    ///
    /// @return false if a thread stayed inside for so long
    boolean shut(long timeoutNanos) {
        return gate.shut(timeoutNanos);
    }

    /// Posts nothing any more, neither for the sending thread nor for whoever returns credits.
    void shutQueue() {
        queue.shut();
    }

    // ---- the first frame and the last

    /// Posts the hello. Before anything else.
    void sendHello(MessageHello hello) throws IOException {
        queue.lock.lock();
        try {
            queue.freeSlots();
            int slot = queue.takeSlot();
            HelloDescriptor.write(queue.memory().payload(slot), 0, hello);
            if (!queue.postHello(slot, HelloDescriptor.LENGTH)) {
                throw new VerbsException("post_send", "the empty send queue took no hello");
            }
        } finally {
            queue.lock.unlock();
        }
    }

    /// Posts the end of the stream.
    ///
    /// @return false if there is no room now
    boolean trySendEnd() throws VerbsException {
        queue.lock.lock();
        try {
            return ledger.mayEnd() && queue.postControl(FrameFlags.FIN);
        } finally {
            queue.lock.unlock();
        }
    }

    // ---- credits; any thread

    /// Posts consumed receives again and tells the peer, if that is due.
    ///
    /// @param blocking whether a thread of this end blocks or is about to
    void returnCredits(boolean blocking) throws VerbsException {
        if (blocking) {
            receiveSide.repostFreed();
        }
        if (!ledger.isCreditFrameDue(blocking)) {
            return;
        }
        queue.lock.lock();
        try {
            if (ledger.isCreditFrameDue(blocking) && !state.endsSending()) {
                queue.postControl(FrameFlags.CREDIT);
            }
        } finally {
            queue.lock.unlock();
        }
    }

    /// Whether the peer can go on for a while without the credits that are owed. Any thread.
    boolean mayDelayCredits() {
        return ledger.isPeerSupplied();
    }

    /// A send has completed. Progress only.
    void onCompleted(long sequence) {
        queue.onCompleted(sequence);
    }

    /// A send has failed. Progress only.
    void onFailed(long sequence) {
        queue.onEnded(sequence);
    }

    /// Whether everything that was posted has completed.
    boolean isComplete() {
        return queue.completed() >= queue.posted();
    }

    /// Whether everything that was posted has ended. Progress only, once nobody posts any more.
    boolean isDrained() {
        return queue.isDrained();
    }

    // ---- waiting

    private void awaitRoom(CompletionLoop loop) throws IOException {
        if (hasRoom()) {
            // Slot and credit are there, but the device took nothing.
            loop.backOff(loop.sender(), Waiter.Reason.COMPLETION);
            return;
        }
        Waiter.Reason reason =
                ledger.credits() <= 0 ? Waiter.Reason.CREDIT : Waiter.Reason.COMPLETION;
        loop.await(loop.sender(), reason, roomAwaited);
    }

    private void awaitCompletion(CompletionLoop loop, long sequence) throws IOException {
        awaitedSequence = sequence;
        while (queue.completed() < sequence) {
            state.checkCompleting();
            loop.await(loop.sender(), Waiter.Reason.COMPLETION, completionAwaited);
        }
    }

    private boolean hasRoom() {
        if (ledger.credits() <= 0) {
            return false;
        }
        queue.lock.lock();
        try {
            return queue.freeSlots() > 0;
        } finally {
            queue.lock.unlock();
        }
    }

    private boolean hasRoomOrEnded() {
        return state.endsSending() || hasRoom();
    }

    private boolean isCompletedOrEnded() {
        return queue.completed() >= awaitedSequence || state.endsCompleting();
    }

    /// Throws before anything is sent, as copying would in the middle.
    private static void requireReadable(MemorySegment message) {
        if (!message.scope().isAlive()) {
            throw new IllegalStateException("the message's memory is closed");
        }
        if (!message.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("the message's memory belongs to another thread");
        }
    }

    private void requireLength(long length) throws MessageTooLargeException {
        if (length > ownMaxMessageBytes) {
            throw new MessageTooLargeException(length, ownMaxMessageBytes, "this end");
        }
        if (length > peerMaxMessageBytes) {
            throw new MessageTooLargeException(length, peerMaxMessageBytes, "the peer");
        }
    }

    private void requireClaimed(SendSlot slot) {
        if (!(slot instanceof ClaimedSlot claimed) || claimed.side() != this) {
            throw new IllegalArgumentException("the slot belongs to another connection");
        }
        if (!claimed.isClaimed()) {
            throw ClaimedSlot.notClaimed();
        }
        if (!claimed.isFirstIn(commits)) {
            throw new IllegalArgumentException("the slot is in the batch twice");
        }
    }

    private CompletionLoop loop() {
        CompletionLoop loop = attachedLoop;
        if (loop == null) {
            throw new IllegalStateException("no completion loop yet");
        }
        return loop;
    }
}
