package io.rdmanet.internal.stream;

import io.rdmanet.Conn;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;

/// Both directions of a connection as a channel of bytes. One thread at a time may read and one may
/// write; reading blocks for the first byte, writing until everything was posted. What is written
/// goes out at once. Closing it closes the connection.
public final class MessageByteChannel implements ByteChannel {
    private final Conn connection;
    private final MessageInputStream input;
    private final MessageOutputStream output;
    private volatile boolean isOpen = true;

    /// @param connection whose messages to read, and where to send
    /// @param input its bytes received, shared with who reads it as a stream
    /// @param output likewise
    public MessageByteChannel(
            Conn connection, MessageInputStream input, MessageOutputStream output) {
        this.connection = connection;
        this.input = input;
        this.output = output;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        requireOpen();
        int count = input.read(MemorySegment.ofBuffer(target));
        if (count > 0) {
            target.position(target.position() + count);
        }
        return count;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        requireOpen();
        int count = source.remaining();
        output.write(MemorySegment.ofBuffer(source));
        output.push();
        source.position(source.limit());
        return count;
    }

    @Override
    public boolean isOpen() {
        return isOpen && connection.isOpen();
    }

    @Override
    public void close() {
        isOpen = false;
        connection.close();
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen) {
            throw new ClosedChannelException();
        }
    }
}
