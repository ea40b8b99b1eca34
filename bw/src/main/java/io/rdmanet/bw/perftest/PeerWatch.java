package io.rdmanet.bw.perftest;

import io.rdmanet.DeadlineException;
import io.rdmanet.PeerGoneException;
import io.rdmanet.bw.perftest.wire.PeerSocket;
import io.rdmanet.bw.run.RunFailedException;
import io.rdmanet.bw.run.SocketText;
import io.rdmanet.bw.run.Timeouts;
import java.io.IOException;
import java.time.Duration;

/// What a polling loop does when nothing has completed: waits a little, looks at the peer, and
/// gives up in the end. A peer that dies, or has come to its next message, shows on the socket.
///
/// Belongs to one thread. Nothing happens here while completions come.
final class PeerWatch {
    private static final int POLLS_PER_READING = 64;
    private static final long LOOK_NANOS = 5_000_000;

    /// A peer that is ahead may have left completions on their way.
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final PeerSocket socket;
    private final Duration timeout;
    private int idlePolls;
    private long idleSince;
    private long lastLook;
    private long aheadSince;
    private boolean isIdle;
    private boolean isAhead;

    PeerWatch(PeerSocket socket, Duration timeout) {
        this.socket = socket;
        this.timeout = timeout;
    }

    /// Something completed.
    void progress() {
        isIdle = false;
        isAhead = false;
        idlePolls = 0;
    }

    /// Whether the peer has come to what follows the run, and nothing completed for a while.
    boolean isPeerAhead() {
        return isAhead && System.nanoTime() - aheadSince > GRACE.toNanos();
    }

    /// Nothing completed.
    ///
    /// @param doing what was waited for
    /// @throws PeerGoneException if the peer has gone
    /// @throws DeadlineException if it took too long
    @SuppressWarnings("ThreadPriorityCheck") // It is a hint, and right without it.
    void idle(String doing) throws IOException {
        if (++idlePolls % POLLS_PER_READING != 0) {
            Thread.onSpinWait();
            return;
        }
        // Where processors are few, the device's driver may need this one.
        Thread.yield();
        long now = System.nanoTime();
        if (!isIdle) {
            isIdle = true;
            idleSince = now;
            lastLook = now;
        }
        if (now - lastLook < LOOK_NANOS) {
            return;
        }
        lastLook = now;
        look(doing, now);
        if (now - idleSince > timeout.toNanos()) {
            throw new DeadlineException(
                    "nothing completed within "
                            + Timeouts.seconds(timeout)
                            + " s while "
                            + doing
                            + ": is the peer alive, and has it -c RC (its default) and the same -n,"
                            + " -s, -q, -a and -D?");
        }
    }

    private void look(String doing, long now) throws IOException {
        switch (socket.look()) {
            case QUIET -> {}
            case SPOKE -> {
                if (!isAhead) {
                    isAhead = true;
                    aheadSince = now;
                }
            }
            case GONE ->
                    throw new PeerGoneException(
                            "the peer "
                                    + SocketText.of(socket.remoteAddress())
                                    + " closed the connection or died while this end was "
                                    + doing
                                    + ": see its own messages, and give both ends the same -n, -s, -q, -a"
                                    + " and -D");
        }
    }

    /// The peer is ahead of this end by so much that it must have other options.
    static RunFailedException ahead(long done, long of) {
        return new RunFailedException(
                "the peer ended its run when "
                        + done
                        + " of "
                        + of
                        + " messages had come: give both ends the same -n, -q and -a");
    }
}
