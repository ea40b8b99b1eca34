package io.rdmanet.internal.raw;

import io.rdmanet.DeadlineException;
import io.rdmanet.PeerGoneException;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.internal.setup.PortWatch;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.WorkCompletionException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.AsynchronousCloseException;

/// What a thread does while its completion queue is empty: spins, and now and then looks whether
/// waiting still makes sense.
///
/// Belongs to the thread that works. Costs nothing while completions flow: [#reset()] is two plain
/// stores, and the clock is read once in [#SPINS_PER_LOOK] empty polls.
final class IdleWatch {
    /// Empty polls between two looks at the clock.
    private static final int SPINS_PER_LOOK = 256;

    /// How often the link is asked whether the peer lives.
    private static final long LINK_LOOK_NANOS = 10_000_000L;

    /// After so long a silence the thread lets others run at each look. A peer that runs answers in
    /// a microsecond or two, so this one probably does not, and may be waiting for this very core:
    /// on a loaded machine of two cores 128 messages per time slice became ten times as many.
    private static final long YIELD_AFTER_NANOS = 20_000L;

    /// How long a queue pair's error may run ahead of the news that the peer has gone.
    private static final long NEWS_WAIT_NANOS = 500_000_000L;

    private static final long NEWS_PAUSE_MILLIS = 1;

    private final Link link;
    private final PortWatch portWatch;
    private final RawGate gate;
    private final long timeoutNanos;
    private final String peer;

    private int spins;
    private long quietSinceNanos;
    private long lookedNanos = System.nanoTime();
    private boolean isPeerGone;

    IdleWatch(Link link, RawGate gate, long timeoutNanos) {
        this.link = link;
        this.portWatch = new PortWatch(link);
        this.gate = gate;
        this.timeoutNanos = timeoutNanos;
        this.peer = AddressText.describe(link.remoteAddress());
    }

    /// Something moved.
    void reset() {
        spins = 0;
        quietSinceNanos = 0;
    }

    /// Nothing moved. The caller polls again when this returns: also when the peer has gone, once,
    /// since what it sent before is taken first.
    ///
    /// @param doing what the caller waits for
    /// @throws PeerGoneException if the peer has gone and nothing more came
    /// @throws DeadlineException if nothing moved for the timeout
    /// @throws AsynchronousCloseException if another thread closes the connection
    /// @throws InterruptedIOException if the thread was interrupted
    void idle(String doing) throws IOException {
        if (isPeerGone) {
            throw new PeerGoneException(
                    peer + " has gone (" + link.howGone() + "), noticed while " + doing);
        }
        Thread.onSpinWait();
        if (++spins % SPINS_PER_LOOK == 0) {
            look(doing);
        }
    }

    /// As [#idle], while the peer has yet to answer what this end sent.
    ///
    /// @throws PeerGoneException also if this end's port is down, and nothing moved for a while
    void idleSending(String doing) throws IOException {
        idle(doing);
        if (spins % SPINS_PER_LOOK == 0) {
            lookAtPort(doing);
        }
    }

    private void lookAtPort(String doing) throws PeerGoneException {
        long now = System.nanoTime();
        if (quietSinceNanos != 0 && portWatch.seesPortDown(now - quietSinceNanos, now)) {
            throw new PeerGoneException(
                    "%s is cut off: nothing moved for %.3f s while %s, %s"
                            .formatted(peer, (now - quietSinceNanos) / 1e9, doing, link.route()));
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding is for others' sake; nothing relies on it
    private void look(String doing) throws IOException {
        long now = System.nanoTime();
        if (quietSinceNanos == 0) {
            quietSinceNanos = now;
        }
        long quietNanos = now - quietSinceNanos;
        if (now - lookedNanos >= LINK_LOOK_NANOS) {
            lookedNanos = now;
            isPeerGone = link.isPeerGone();
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while " + doing);
            }
        }
        if (gate.isClosing()) {
            throw new AsynchronousCloseException();
        }
        if (quietNanos >= timeoutNanos) {
            throw new DeadlineException(
                    "nothing moved for %.3f s while %s; %s is alive but does not answer"
                            .formatted(quietNanos / 1e9, doing, peer));
        }
        if (quietNanos >= YIELD_AFTER_NANOS) {
            Thread.yield();
        }
    }

    /// The exception for a completion that failed: that the peer has gone, if that is the cause.
    ///
    /// @param doing what the work was for
    IOException failure(String doing, PollCompletions completions, int index) {
        CompletionStatus status = completions.status(index);
        if (canComeOfDeath(status) && awaitNews()) {
            return new PeerGoneException(
                    peer
                            + " has gone ("
                            + link.howGone()
                            + "), noticed by the completion of "
                            + doing
                            + " ("
                            + status
                            + ")",
                    new WorkCompletionException(doing, completions, index));
        }
        WorkCompletionException failure = new WorkCompletionException(doing, completions, index);
        String route = route(status);
        return route.isEmpty()
                ? failure
                : new PeerGoneException(
                        peer + " cannot be reached: " + failure.getMessage() + "; " + route,
                        failure);
    }

    /// Where the way to the peer may be the cause, that way. Some devices only flush when their
    /// port goes down, and tell no reason.
    private String route(CompletionStatus status) {
        boolean mayBeCause =
                status == CompletionStatus.RETRY_EXCEEDED_ERROR
                        || status == CompletionStatus.WORK_REQUEST_FLUSH_ERROR;
        return mayBeCause ? link.route() : "";
    }

    private static boolean canComeOfDeath(CompletionStatus status) {
        return switch (status) {
            case WORK_REQUEST_FLUSH_ERROR,
                    RETRY_EXCEEDED_ERROR,
                    RNR_RETRY_EXCEEDED_ERROR,
                    RESPONSE_TIMEOUT_ERROR,
                    REMOTE_ABORTED_ERROR,
                    REMOTE_OPERATION_ERROR,
                    FATAL_ERROR ->
                    true;
            default -> false;
        };
    }

    private boolean awaitNews() {
        long start = System.nanoTime();
        while (!link.isPeerGone()) {
            if (System.nanoTime() - start > NEWS_WAIT_NANOS) {
                return false;
            }
            try {
                Thread.sleep(NEWS_PAUSE_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return link.isPeerGone();
            }
        }
        return true;
    }
}
