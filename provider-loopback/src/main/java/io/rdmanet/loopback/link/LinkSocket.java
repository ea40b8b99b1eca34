package io.rdmanet.loopback.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One socket between two devices' hubs: messages out from any thread, messages in on the
/// reactor's.
///
/// Nothing that is sent is lost while the socket lives. What the socket does not take at once waits
/// here, wakes as a set of numbers and other messages in a queue, and goes out when the reactor
/// finds the socket writable: the pending work and the interest in that are changed under one lock,
/// so neither can be seen without the other.
///
/// | field | writer | read by | guarded by |
/// |---|---|---|---|
/// | outgoing, pendingWakes, pendingMessages | any thread | any thread | sendLock |
/// | key | reactor | any thread | sendLock |
/// | incoming | reactor | reactor | one thread |
/// | isOpen | any thread | any thread | volatile, set to false once |
final class LinkSocket implements ReadyHandler {
    private static final int INCOMING_CAPACITY = 256 * LinkMessageDescriptor.LENGTH;
    private static final int OUTGOING_CAPACITY = 64 * LinkMessageDescriptor.LENGTH;

    /// One peer that floods its socket may not keep the others waiting.
    private static final int MAX_READS_PER_TURN = 4;

    /// Who takes the messages of a socket, in turns of the reactor.
    interface Receiver {
        /// Takes a message.
        ///
        /// @param buffer the message lies from `offset` on, and only during the call
        /// @throws IOException if the message breaks the protocol: the socket is ended
        void onMessage(LinkSocket socket, ByteBuffer buffer, int offset) throws IOException;

        /// The socket has ended, for whatever reason. Called once.
        void onEnd(LinkSocket socket, Throwable reason);

        /// The device is closing.
        void onReactorClosed(LinkSocket socket);
    }

    private final SocketChannel channel;
    private final Receiver receiver;
    private final Reactor reactor;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(INCOMING_CAPACITY);

    private final ReentrantLock sendLock = new ReentrantLock();

    /// From position to limit: what the socket has not taken yet.
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(OUTGOING_CAPACITY).limit(0);

    private final WakeSet pendingWakes = new WakeSet();
    private final ArrayDeque<ByteBuffer> pendingMessages = new ArrayDeque<>();
    private @Nullable SelectionKey key;
    private volatile boolean isOpen = true;

    LinkSocket(SocketChannel channel, Receiver receiver, Reactor reactor) {
        this.channel = channel;
        this.receiver = receiver;
        this.reactor = reactor;
    }

    /// Begins to receive. In a turn of the reactor.
    void register() {
        sendLock.lock();
        try {
            int interest = SelectionKey.OP_READ | (hasPending() ? SelectionKey.OP_WRITE : 0);
            key = reactor.register(channel, interest, this);
        } catch (IOException e) {
            onFailure(e);
        } finally {
            sendLock.unlock();
        }
    }

    boolean isOpen() {
        return isOpen;
    }

    /// Sends a wake, now or as soon as the peer has read enough. No allocation.
    void sendWake(int queuePairNumber) {
        sendLock.lock();
        try {
            if (hasPending()) {
                pendingWakes.add(queuePairNumber);
                return;
            }
            outgoing.clear();
            LinkMessageDescriptor.putWake(outgoing, 0, queuePairNumber);
            outgoing.limit(LinkMessageDescriptor.LENGTH);
            writeOrWatch();
        } finally {
            sendLock.unlock();
        }
    }

    void sendIdentify(long instance) {
        ByteBuffer message = ByteBuffer.allocate(LinkMessageDescriptor.LENGTH);
        LinkMessageDescriptor.putIdentify(message, 0, instance);
        send(message);
    }

    void sendRequest(long id, RemoteOperation operation) {
        ByteBuffer message = ByteBuffer.allocate(LinkMessageDescriptor.LENGTH);
        LinkMessageDescriptor.putRequest(message, 0, id, operation);
        send(message);
    }

    void sendReply(long id, int status, long value) {
        ByteBuffer message = ByteBuffer.allocate(LinkMessageDescriptor.LENGTH);
        LinkMessageDescriptor.putReply(message, 0, id, status, value);
        send(message);
    }

    private void send(ByteBuffer message) {
        sendLock.lock();
        try {
            if (hasPending()) {
                pendingMessages.add(message);
                return;
            }
            outgoing.clear();
            outgoing.put(message).flip();
            writeOrWatch();
        } finally {
            sendLock.unlock();
        }
    }

    private boolean hasPending() {
        return outgoing.hasRemaining() || !pendingWakes.isEmpty() || !pendingMessages.isEmpty();
    }

    /// Writes `outgoing`; if something remains, the reactor goes on when the socket is writable.
    private void writeOrWatch() {
        try {
            channel.write(outgoing);
            if (outgoing.hasRemaining() && key != null) {
                key.interestOpsOr(SelectionKey.OP_WRITE);
                reactor.wakeUp();
            }
        } catch (IOException | CancelledKeyException e) {
            // The reactor usually sees the end itself; but it must, so it is told.
            reactor.execute(() -> onFailure(e));
        }
    }

    @Override
    public void onReady(SelectionKey readyKey) throws IOException {
        if (readyKey.isWritable()) {
            flush(readyKey);
        }
        if (readyKey.isReadable()) {
            receive();
        }
    }

    private void flush(SelectionKey readyKey) throws IOException {
        sendLock.lock();
        try {
            while (hasPending()) {
                if (!outgoing.hasRemaining()) {
                    refill();
                }
                channel.write(outgoing);
                if (outgoing.hasRemaining()) {
                    return;
                }
            }
            readyKey.interestOpsAnd(~SelectionKey.OP_WRITE);
        } finally {
            sendLock.unlock();
        }
    }

    private void refill() {
        outgoing.clear();
        while (!pendingMessages.isEmpty() && outgoing.remaining() >= LinkMessageDescriptor.LENGTH) {
            outgoing.put(pendingMessages.remove());
        }
        pendingWakes.drainTo(outgoing);
        outgoing.flip();
    }

    private void receive() throws IOException {
        for (int turn = 0; turn < MAX_READS_PER_TURN && isOpen; turn++) {
            int count = channel.read(incoming);
            if (count < 0) {
                throw new EOFException("the peer closed the link");
            }
            if (count == 0) {
                return;
            }
            dispatch();
        }
    }

    private void dispatch() throws IOException {
        int end = incoming.position();
        int offset = 0;
        while (end - offset >= LinkMessageDescriptor.LENGTH && isOpen) {
            receiver.onMessage(this, incoming, offset);
            offset += LinkMessageDescriptor.LENGTH;
        }
        incoming.limit(end).position(offset);
        incoming.compact();
    }

    @Override
    public void onFailure(Throwable failure) {
        if (close()) {
            receiver.onEnd(this, failure);
        }
    }

    @Override
    public void onReactorClosed() {
        if (close()) {
            receiver.onReactorClosed(this);
        }
    }

    /// Ends the socket without telling the receiver. In a turn of the reactor.
    ///
    /// @return whether it was open
    boolean close() {
        boolean wasOpen = isOpen;
        isOpen = false;
        try {
            channel.close();
        } catch (IOException nothingToSave) {
            // it is of no use any more in any case
        }
        return wasOpen;
    }
}
