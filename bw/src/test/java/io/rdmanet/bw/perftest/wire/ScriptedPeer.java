package io.rdmanet.bw.perftest.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A peer that sends and reads what a script says, on a thread of its own, over a real connection.
public final class ScriptedPeer implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;

    private final Socket socket;
    private final List<byte[]> heard = new ArrayList<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /// What the peer does.
    @FunctionalInterface
    public interface Script {
        void run(ScriptedPeer peer) throws IOException;
    }

    private ScriptedPeer(Socket socket, Script script) {
        this.socket = socket;
        Thread.ofPlatform()
                .daemon()
                .name("scripted peer")
                .start(() -> {
                    try {
                        script.run(this);
                        end.complete(null);
                    } catch (IOException | RuntimeException e) {
                        end.completeExceptionally(e);
                    }
                });
    }

    /// A peer that connects.
    public static ScriptedPeer client(InetSocketAddress server, Script script) throws IOException {
        return new ScriptedPeer(new Socket(server.getAddress(), server.getPort()), script);
    }

    /// A peer that is connected to.
    ///
    /// @param listener to be connected to by then
    public static ScriptedPeer server(ServerSocket listener, Script script) throws IOException {
        return new ScriptedPeer(listener.accept(), script);
    }

    /// Listens on any free port of this machine.
    public static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /// Plays one end of a recording.
    public static Script playing(Recording recording, boolean client) {
        return peer -> {
            for (Recording.Message message : recording.messages()) {
                if (message.isFromClient() == client) {
                    peer.say(message.bytes());
                } else if (message.bytes().length != 5) {
                    peer.hear(message.bytes().length);
                }
            }
        };
    }

    /// Sends.
    public void say(byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    /// Reads so many bytes.
    public byte[] hear(int length) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("heard " + bytes.length + " of " + length + " bytes");
        }
        heard.add(bytes);
        return bytes;
    }

    /// Goes away, as a process that dies.
    public void die() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /// Waits for the end of the script.
    ///
    /// @return all that was read
    public List<byte[]> heard() throws Exception {
        try {
            end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("the script failed", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("the script did not end", e);
        }
        return List.copyOf(heard);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
