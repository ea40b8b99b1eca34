package io.rdmanet.bw.perftest.wire;

import io.rdmanet.DeadlineException;
import io.rdmanet.PeerGoneException;
import io.rdmanet.bw.run.SocketText;
import io.rdmanet.bw.run.Timeouts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// The TCP connection to a C tool: whole messages, each with a deadline, and a look at the peer in
/// between. Belongs to one thread; the caller closes it.
public final class PeerSocket implements AutoCloseable {
    private static final int READ_AHEAD = 1024;
    private static final int KEEP_ALIVE_IDLE_SECONDS = 60;
    private static final int KEEP_ALIVE_INTERVAL_SECONDS = 15;
    private static final int KEEP_ALIVE_COUNT = 4;

    private final SocketChannel channel;
    private final Selector selector;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final ByteBuffer readAhead = ByteBuffer.allocate(READ_AHEAD).limit(0);
    private boolean isEnded;

    /// What is seen of the peer without waiting.
    public enum Sign {
        /// Nothing.
        QUIET,
        /// It has sent something that nobody has read yet.
        SPOKE,
        /// It has closed the connection, or died.
        GONE
    }

    /// Takes over a connected channel.
    ///
    /// @throws IOException if it is broken already; it is closed then
    public PeerSocket(SocketChannel channel) throws IOException {
        this.channel = channel;
        try {
            local = (InetSocketAddress) channel.getLocalAddress();
            remote = (InetSocketAddress) channel.getRemoteAddress();
            // Each message is one write, and the peer takes half of one for an error.
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            keepAlive(channel);
            channel.configureBlocking(false);
            selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException failure) {
            channel.close();
            throw explained(failure);
        }
    }

    /// A peer that dies at once may be noticed by anything that is asked of the socket.
    private static IOException explained(IOException failure) {
        String text = failure.getMessage();
        return failure instanceof SocketException && text != null && text.contains("reset")
                ? new PeerGoneException(
                        "the peer closed the connection or died as soon as it was made; its own"
                                + " messages say why",
                        failure)
                : failure;
    }

    /// A peer's machine that vanished sends nothing, as one does that is busy for long: the system
    /// asks it, and sees in 2 minutes that nobody answers (by default: in 2 hours).
    private static void keepAlive(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS)
                    .setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_INTERVAL_SECONDS)
                    .setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_COUNT);
        }
    }

    /// Connects to a server.
    public static PeerSocket connect(InetSocketAddress server, Duration timeout)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(server, Math.clamp(timeout.toMillis(), 1, Integer.MAX_VALUE));
        } catch (ConnectException refused) {
            channel.close();
            throw new ConnectException(
                    "nobody listens on "
                            + SocketText.of(server)
                            + " ("
                            + refused.getMessage()
                            + "): start the server first, with the same -p, and without -R or -z:"
                            + " those listen by rdma_cm only");
        } catch (SocketTimeoutException late) {
            channel.close();
            throw new DeadlineException(
                    SocketText.of(server)
                            + " did not answer within "
                            + Timeouts.seconds(timeout)
                            + " s");
        } catch (IOException failure) {
            channel.close();
            throw explained(failure);
        }
        return new PeerSocket(channel);
    }

    /// This end's address.
    public InetSocketAddress localAddress() {
        return local;
    }

    /// The peer's address.
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    /// Sends a message, by one write.
    ///
    /// @throws PeerGoneException if the peer has closed
    public void send(byte[] message, String what) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(message);
        try {
            // Never a short write in truth: what is sent is small, and nothing is sent unanswered.
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException gone) {
            throw gone("sending " + what, gone);
        }
    }

    /// Receives a message of known length.
    ///
    /// @param what it is, for messages
    /// @throws DeadlineException if it is not there in time
    /// @throws PeerGoneException if the peer closes
    public byte[] receive(int length, String what, Duration timeout) throws IOException {
        byte[] message = receiveUpTo(length, what, timeout);
        if (message.length < length) {
            throw new DeadlineException(
                    "the peer "
                            + SocketText.of(remote)
                            + " sent "
                            + (message.length == 0 ? "nothing" : message.length + " bytes")
                            + " within "
                            + Timeouts.seconds(timeout)
                            + " s, where "
                            + what
                            + " ("
                            + length
                            + " bytes) was due: has it -c RC (its default) and the same -n, -s, -q, -a"
                            + " and -D, and is it alive?"
                            + " (--timeout gives it more time)");
        }
        return message;
    }

    /// Receives what comes in time.
    ///
    /// @return `length` bytes, or fewer
    public byte[] receiveUpTo(int length, String what, Duration timeout) throws IOException {
        byte[] message = new byte[length];
        long deadline = System.nanoTime() + timeout.toNanos();
        int filled = 0;
        while (true) {
            filled += take(message, filled);
            long left = deadline - System.nanoTime();
            if (filled == length || left <= 0) {
                return Arrays.copyOf(message, filled);
            }
            if (isEnded) {
                throw gone("waiting for " + what, null);
            }
            fill(left, what);
        }
    }

    private int take(byte[] message, int filled) {
        int count = Math.min(readAhead.remaining(), message.length - filled);
        readAhead.get(message, filled, count);
        return count;
    }

    private void fill(long nanos, String what) throws IOException {
        if (readAvailable(what) == 0) {
            selector.select(Math.max(1, Math.min(nanos / 1_000_000, 1000)));
            selector.selectedKeys().clear();
            readAvailable(what);
        }
    }

    private int readAvailable(String what) throws IOException {
        readAhead.compact();
        try {
            int count = readAhead.hasRemaining() ? channel.read(readAhead) : 0;
            isEnded |= count < 0;
            return Math.max(0, count);
        } catch (IOException reset) {
            throw gone("waiting for " + what, reset);
        } finally {
            readAhead.flip();
        }
    }

    /// Looks at the peer. Never blocks.
    public Sign look() {
        if (readAhead.hasRemaining()) {
            return Sign.SPOKE;
        }
        try {
            readAvailable("a sign");
        } catch (IOException reset) {
            isEnded = true;
        }
        if (readAhead.hasRemaining()) {
            return Sign.SPOKE;
        }
        return isEnded ? Sign.GONE : Sign.QUIET;
    }

    private PeerGoneException gone(String doing, @Nullable IOException cause) {
        String message =
                "the peer "
                        + SocketText.of(remote)
                        + " closed the connection or died while this end was "
                        + doing
                        + "; its own messages say why";
        return cause == null
                ? new PeerGoneException(message)
                : new PeerGoneException(message, cause);
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            // Nobody is left to be told.
        }
    }
}
