package io.rdmanet.internal.engine;

import io.rdmanet.ConnOptions;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// How a connection ends. In this order: nobody comes in any more and everybody inside is woken;
/// what was posted completes and the peer is told of the end; the link is cut, the queue pair
/// flushed, and everything released. Each wait is bounded.
///
/// What a thread inside may still use is not released before it has left: memory and queues belong
/// to the device's library, which does not find out by itself. If it stays for longer than closing
/// may take, a thread of this connection's own waits for it and releases everything then.
final class Teardown {
    /// Threads inside leave as soon as they notice; only a copy of a large message takes long.
    static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// A thread that is stopped inside for longer (by a debugger, say) keeps everything.
    private static final long LATEST_LEAVE_NANOS = TimeUnit.HOURS.toNanos(1);

    /// How long a flushed queue pair may bring nothing, and how long draining may take in all.
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LONGEST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    /// For cutting the link and releasing what the connection was made of.
    private static final long RELEASE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Resources resources;
    private final Link link;
    private final ConnOptions options;
    private final ConnectionState state;
    private final SendSide sendSide;
    private final Inbox inbox;
    private final ReceiveQueue receiveQueue;
    private final CompletionLoop loop;
    private final long leaveNanos;
    private final CountDownLatch done = new CountDownLatch(1);
    private boolean endPosted;

    /// @param leaveNanos how long closing waits for each half to be left
    Teardown(
            Resources resources,
            Link link,
            ConnOptions options,
            ConnectionState state,
            SendSide sendSide,
            Inbox inbox,
            ReceiveQueue receiveQueue,
            CompletionLoop loop,
            long leaveNanos) {
        this.resources = resources;
        this.link = link;
        this.options = options;
        this.state = state;
        this.sendSide = sendSide;
        this.inbox = inbox;
        this.receiveQueue = receiveQueue;
        this.loop = loop;
        this.leaveNanos = leaveNanos;
    }

    /// Ends the connection in order. A second thread waits for the first; a second call does
    /// nothing.
    void close() {
        // Whoever closes while interrupted still gets what was sent to the peer.
        boolean interrupted = Thread.interrupted();
        try {
            if (state.close()) {
                closeOnce();
            } else {
                awaitOther();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Ends a connection that never came about.
    void abandon() {
        state.close();
        takeApart(true);
    }

    private void closeOnce() {
        loop.wakeAll();
        boolean haveAllLeft = false;
        try {
            haveAllLeft = haveAllLeft(leaveNanos);
            if (haveAllLeft) {
                sayGoodbye();
            }
        } finally {
            takeApart(haveAllLeft);
        }
    }

    /// Lets nobody in any more, and waits until nobody is inside.
    private boolean haveAllLeft(long timeoutNanos) {
        boolean haveSendersLeft = sendSide.shut(timeoutNanos);
        return inbox.shut(timeoutNanos) && haveSendersLeft;
    }

    /// Completes what was sent, and tells the peer. What a peer that closed first does not take any
    /// more is lost.
    private void sayGoodbye() {
        long linger = MessageConnection.nanos(options.linger());
        loop.owner().begin(linger);
        try {
            // A peer that closed long ago does not answer any more: look before telling it.
            loop.tryProgress();
            endPosted = hasEnded() || sendSide.trySendEnd();
            if (linger == 0) {
                return;
            }
            while (!endPosted && !hasEnded()) {
                loop.backOff(loop.owner(), Waiter.Reason.END);
                endPosted = sendSide.trySendEnd();
            }
            loop.await(loop.owner(), Waiter.Reason.END, this::isEndTaken);
        } catch (IOException ignored) {
            // The peer did not take it in time: it learns from the link that this end has gone.
        }
    }

    private boolean hasEnded() {
        return state.isFinished() || state.isBroken();
    }

    private boolean isEndTaken() {
        return hasEnded() || sendSide.isComplete();
    }

    private void takeApart(boolean haveAllLeft) {
        try {
            link.disconnect();
            receiveQueue.shut();
            sendSide.shutQueue();
            flush();
        } finally {
            try {
                if (haveAllLeft) {
                    resources.release();
                } else {
                    Thread.ofPlatform()
                            .daemon()
                            .name("rdmanet-late-release")
                            .start(this::releaseLate);
                }
            } finally {
                done.countDown();
            }
        }
    }

    private void releaseLate() {
        if (haveAllLeft(LATEST_LEAVE_NANOS)) {
            resources.release();
        }
    }

    private void flush() {
        try {
            resources.queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        } catch (VerbsException | IllegalStateException ignored) {
            // It is in error already, or beyond.
        }
        loop.drain(DRAIN_NANOS, LONGEST_DRAIN_NANOS);
    }

    /// As long as the other may take: each half is shut, the peer told, the queue pair drained.
    private void awaitOther() {
        long longest =
                2 * leaveNanos
                        + MessageConnection.nanos(options.linger())
                        + LONGEST_DRAIN_NANOS
                        + RELEASE_NANOS;
        try {
            boolean ignored = done.await(longest, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
