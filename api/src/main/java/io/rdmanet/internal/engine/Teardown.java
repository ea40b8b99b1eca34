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
final class Teardown {
    /// Threads inside leave as soon as they notice; only a copy of a large message takes long.
    private static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(10);

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
    private final CountDownLatch done = new CountDownLatch(1);
    private boolean endPosted;

    Teardown(
            Resources resources,
            Link link,
            ConnOptions options,
            ConnectionState state,
            SendSide sendSide,
            Inbox inbox,
            ReceiveQueue receiveQueue,
            CompletionLoop loop) {
        this.resources = resources;
        this.link = link;
        this.options = options;
        this.state = state;
        this.sendSide = sendSide;
        this.inbox = inbox;
        this.receiveQueue = receiveQueue;
        this.loop = loop;
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
        takeApart();
    }

    private void closeOnce() {
        loop.wakeAll();
        try {
            boolean sendersLeft = sendSide.shut(LEAVE_NANOS);
            boolean receiversLeft = inbox.shut(LEAVE_NANOS);
            if (sendersLeft && receiversLeft) {
                sayGoodbye();
            }
        } finally {
            takeApart();
        }
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

    private void takeApart() {
        try {
            link.disconnect();
            receiveQueue.shut();
            flush();
        } finally {
            try {
                resources.release();
            } finally {
                done.countDown();
            }
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
                2 * LEAVE_NANOS
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
