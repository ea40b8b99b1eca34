package io.rdmanet.loopback.connection;

import io.rdmanet.loopback.link.Reactor;
import io.rdmanet.loopback.link.ReadyHandler;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/// The socket of one connection: records out from any thread, records in on the reactor's. As long
/// as it is open the peer lives, since the system closes it when the peer's process ends.
final class RecordChannel implements ReadyHandler {
    /// Who takes the records, on the reactor's thread.
    interface Receiver {
        /// Takes a record.
        ///
        /// @throws RecordException if the record was not due: the channel is ended
        void onRecord(RecordChannel channel, ConnectionRecord record) throws RecordException;

        /// What came is no record; the channel is ended next. An answer can still be sent.
        default void onMalformed(RecordChannel channel, RecordException reason) {}

        /// The channel has ended. Called at most once; a [RecordChannel#close] at the same time may
        /// not prevent it.
        void onEnd(RecordChannel channel, Throwable reason);
    }

    private final SocketChannel channel;
    private final Reactor reactor;
    private final ByteBuffer incoming = ByteBuffer.allocate(ConnectionRecordDescriptor.LENGTH);

    /// Written by the reactor's thread once it runs.
    private Receiver receiver;

    private volatile boolean isOpen = true;

    RecordChannel(SocketChannel channel, Reactor reactor, Receiver receiver) {
        this.channel = channel;
        this.reactor = reactor;
        this.receiver = receiver;
    }

    /// Begins to receive. Any thread.
    void start() {
        if (reactor.isInTurn()) {
            register();
        } else if (!reactor.execute(this::register)) {
            onReactorClosed();
        }
    }

    private void register() {
        try {
            reactor.register(channel, SelectionKey.OP_READ, this);
        } catch (IOException e) {
            onFailure(e);
        }
    }

    /// Hands what comes from now on to somebody else. On the reactor's thread.
    void handOver(Receiver next) {
        receiver = next;
    }

    /// Sends a record. The socket's buffer always has room for the few records a connection sends,
    /// so nothing waits; should it not, the connection is broken and says so.
    void send(ConnectionRecord record) throws IOException {
        ByteBuffer buffer = ConnectionRecordDescriptor.encode(record);
        channel.write(buffer);
        if (buffer.hasRemaining()) {
            throw new IOException("the socket took only " + buffer.position() + " bytes");
        }
    }

    /// Sends a record to somebody who may have gone already.
    void sendIfPossible(ConnectionRecord record) {
        try {
            send(record);
        } catch (IOException peerHasGone) {
            // it needs no telling then
        }
    }

    @Override
    public void onReady(SelectionKey key) throws IOException {
        while (isOpen) {
            int count = channel.read(incoming);
            if (count < 0) {
                throw new EOFException("the peer closed the connection's socket");
            }
            if (count == 0) {
                return;
            }
            if (!incoming.hasRemaining()) {
                incoming.clear();
                receiver.onRecord(this, decode());
            }
        }
    }

    private ConnectionRecord decode() throws RecordException {
        try {
            return ConnectionRecordDescriptor.decode(incoming);
        } catch (RecordException e) {
            receiver.onMalformed(this, e);
            throw e;
        }
    }

    @Override
    public void onFailure(Throwable failure) {
        if (isOpen) {
            close();
            receiver.onEnd(this, failure);
        }
    }

    @Override
    public void onReactorClosed() {
        onFailure(new ClosedChannelException());
    }

    /// Ends it; the receiver hears no more. Any thread.
    void close() {
        isOpen = false;
        try {
            channel.close();
        } catch (IOException nothingToSave) {
            // it is of no use any more in any case
        }
        reactor.wakeUp();
    }
}
