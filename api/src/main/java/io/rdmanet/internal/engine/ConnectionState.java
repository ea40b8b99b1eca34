package io.rdmanet.internal.engine;

import io.rdmanet.PeerGoneException;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.provider.AddressText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// Whether and how a connection has ended. Any thread may change it; each field is set once.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | closing | the closing thread | volatile | volatile | threads about to sleep: it is set before they are woken |
/// | failure | any thread, under this object's lock | volatile | volatile | likewise |
/// | finished | progress | volatile | volatile | the receiver: every frame before it is in the ring |
/// | gone | progress | volatile | volatile | likewise |
/// | peer, timeoutNanos | any thread | volatile | volatile | none |
final class ConnectionState {
    private volatile boolean closing;
    private volatile @Nullable IOException failure;
    private volatile boolean finished;
    private volatile @Nullable PeerGoneException gone;
    private volatile String peer = "";
    private volatile long timeoutNanos;

    ConnectionState(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
    }

    /// How long a blocking call may take.
    long timeoutNanos() {
        return timeoutNanos;
    }

    /// Changes how long a blocking call may take.
    void timeoutNanos(long nanos) {
        timeoutNanos = nanos;
    }

    /// Names the peer, for messages.
    void peer(InetSocketAddress address) {
        peer = AddressText.describe(address);
    }

    /// This end closes.
    ///
    /// @return false if it did already
    synchronized boolean close() {
        boolean first = !closing;
        closing = true;
        return first;
    }

    /// The connection has failed; only the first failure counts.
    synchronized void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /// The peer has closed, in order.
    void finish() {
        finished = true;
    }

    /// The peer has gone, or its device does not answer. After an orderly end that is no news.
    synchronized void lose(String how, @Nullable Throwable cause) {
        if (gone == null) {
            String detail = "the peer " + peer + " has gone: " + how;
            gone =
                    cause == null
                            ? new PeerGoneException(detail)
                            : new PeerGoneException(detail, cause);
        }
    }

    boolean isClosing() {
        return closing;
    }

    /// Whether the peer has closed in order.
    boolean isFinished() {
        return finished;
    }

    /// Whether neither end has closed and nothing has failed.
    boolean isOpen() {
        return !closing && !finished && !isBroken();
    }

    /// Whether nothing will arrive or complete any more.
    boolean isBroken() {
        return failure != null || gone != null;
    }

    /// Whether a thread that waits for a completion waits in vain.
    boolean endsCompleting() {
        return closing || isBroken();
    }

    /// Whether a thread that waits for a credit waits in vain.
    boolean endsSending() {
        return finished || endsCompleting();
    }

    /// Whether a thread that waits for a message waits in vain, once the ring is empty.
    boolean endsReceiving() {
        return finished || endsCompleting();
    }

    /// Throws if nothing more can be sent.
    void checkSending() throws IOException {
        if (endsSending()) {
            throwEnd(true);
        }
    }

    /// Throws if what was posted cannot complete.
    void checkCompleting() throws IOException {
        if (endsCompleting()) {
            throwEnd(true);
        }
    }

    /// Throws if nothing more can arrive, unless the peer has closed in order.
    void checkReceiving() throws IOException {
        if (endsReceiving()) {
            throwEnd(false);
        }
    }

    /// Throws if this end has closed.
    void checkOpen() throws ClosedChannelException {
        if (closing) {
            throw new ClosedChannelException();
        }
    }

    /// What ended the connection, afresh: an exception belongs to the thread it is thrown on.
    private void throwEnd(boolean sending) throws IOException {
        if (closing) {
            throw new AsynchronousCloseException();
        }
        IOException first = failure;
        if (first != null) {
            throw again(first);
        }
        if (finished) {
            if (sending) {
                throw new PeerClosedException(
                        "the peer " + peer + " has closed the connection and takes no more");
            }
            return;
        }
        PeerGoneException lost = gone;
        if (lost != null) {
            throw again(lost);
        }
    }

    private static IOException again(IOException first) {
        String message = String.valueOf(first.getMessage());
        if (first instanceof PeerGoneException) {
            return new PeerGoneException(message, first);
        }
        if (first instanceof ProtocolViolationException) {
            ProtocolViolationException repeated = new ProtocolViolationException(message);
            repeated.initCause(first);
            return repeated;
        }
        return new IOException("the connection has failed: " + message, first);
    }
}
