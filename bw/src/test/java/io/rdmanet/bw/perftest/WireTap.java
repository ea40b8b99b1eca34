package io.rdmanet.bw.perftest;

import io.rdmanet.bw.perftest.wire.Recording;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Stands between a client and its server, passes on what they say, and notes its lengths. The
/// exchange goes in lock-step and each message is one write, so that what is read at once is one
/// message.
final class WireTap implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final int delayedLength;
    private final long delayMillis;
    private final Thread thread;
    private boolean isDelayed;

    private WireTap(InetSocketAddress server, int delayedLength, long delayMillis)
            throws IOException {
        this.delayedLength = delayedLength;
        this.delayMillis = delayMillis;
        thread = Thread.ofPlatform().daemon().name("tap").start(() -> stand(server));
    }

    static WireTap before(InetSocketAddress server) throws IOException {
        return new WireTap(server, 0, 0);
    }

    /// Passes on the first message of some length only after a while.
    static WireTap delaying(int length, long millis, InetSocketAddress server) throws IOException {
        return new WireTap(server, length, millis);
    }

    /// What a message looks like from here.
    static String shape(boolean isFromClient, int length) {
        return (isFromClient ? "client " : "server ") + length;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /// Everything, once both ends have ended.
    List<String> heard() throws InterruptedException {
        thread.join(10_000);
        return List.copyOf(heard);
    }

    private void stand(InetSocketAddress server) {
        try (Socket client = listener.accept();
                Socket onward = new Socket(server.getAddress(), server.getPort())) {
            client.setTcpNoDelay(true);
            onward.setTcpNoDelay(true);
            Thread answers = Thread.ofPlatform().daemon().start(() -> pass(onward, client, false));
            pass(client, onward, true);
            answers.join(10_000);
        } catch (IOException closed) {
            // The ends say what they miss.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(Socket from, Socket to, boolean isFromClient) {
        byte[] buffer = new byte[4096];
        try {
            int count = from.getInputStream().read(buffer);
            while (count > 0) {
                if (!Recording.isFarewell(Arrays.copyOf(buffer, count))) {
                    heard.add(shape(isFromClient, count));
                }
                if (count == delayedLength && !isDelayed) {
                    isDelayed = true;
                    Thread.sleep(delayMillis);
                }
                to.getOutputStream().write(buffer, 0, count);
                count = from.getInputStream().read(buffer);
            }
            to.shutdownOutput();
        } catch (IOException closed) {
            // The ends say what they miss.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
