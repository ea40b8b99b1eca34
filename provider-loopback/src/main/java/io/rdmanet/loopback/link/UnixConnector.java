package io.rdmanet.loopback.link;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Connects to a Unix-domain socket within a time.
///
/// A blocking connect to a process that is stopped would wait for ever once its backlog is full; a
/// non-blocking one is refused with EAGAIN and tried again here.
public final class UnixConnector {
    private static final long PAUSE_MILLIS = 2;

    private UnixConnector() {}

    /// Tries until the socket takes the connection or the time is over.
    ///
    /// @return a channel in non-blocking mode
    /// @throws ConnectException if nobody listens there
    /// @throws SocketTimeoutException if somebody does, but took no connection in time
    /// @throws InterruptedException if the thread was interrupted while waiting
    public static SocketChannel connect(Path socket, long timeoutNanos)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        SocketException lastRefusal = null;
        while (true) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            boolean isConnected = false;
            try {
                channel.configureBlocking(false);
                isConnected = channel.connect(UnixDomainSocketAddress.of(socket));
            } catch (ConnectException refused) {
                throw refused;
            } catch (SocketException busyOrAbsent) {
                if (Files.notExists(socket)) {
                    throw absent(socket, busyOrAbsent);
                }
                if (isTooLong(busyOrAbsent)) {
                    throw busyOrAbsent;
                }
                lastRefusal = busyOrAbsent;
            } finally {
                if (!isConnected) {
                    channel.close();
                }
            }
            if (isConnected) {
                return channel;
            }
            if (System.nanoTime() - start >= timeoutNanos) {
                throw timeout(socket, timeoutNanos, lastRefusal);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static SocketTimeoutException timeout(
            Path socket, long timeoutNanos, @Nullable SocketException cause) {
        SocketTimeoutException timeout =
                new SocketTimeoutException(
                        socket
                                + " took no connection for "
                                + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                                + " ms: is its process stopped?");
        if (cause != null) {
            timeout.initCause(cause);
        }
        return timeout;
    }

    private static ConnectException absent(Path socket, SocketException cause) {
        ConnectException absent = new ConnectException("there is no " + socket);
        absent.initCause(cause);
        return absent;
    }

    /// Retrying does not make a path shorter.
    private static boolean isTooLong(SocketException e) {
        return String.valueOf(e.getMessage()).contains("too long");
    }
}
