package io.rdmanet.internal.stream;

import io.rdmanet.Conn;
import io.rdmanet.SendSlot;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Sends what is written as messages of one slot each, written straight into registered memory; a
/// part of a slot goes out on flush. Belongs to the sending thread; writing blocks like claiming.
/// Closing it flushes and closes the connection.
public final class MessageOutputStream extends OutputStream {
    private final Conn connection;
    private final byte[] single = new byte[1];
    private @Nullable SendSlot slot;
    private int position;
    private boolean isClosed;

    /// @param connection where to send
    public MessageOutputStream(Conn connection) {
        this.connection = connection;
    }

    @Override
    public void write(int value) throws IOException {
        single[0] = (byte) value;
        write(single, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        write(MemorySegment.ofArray(bytes).asSlice(offset, length));
    }

    /// Writes memory of any kind.
    void write(MemorySegment source) throws IOException {
        if (isClosed) {
            throw new ClosedChannelException();
        }
        long done = 0;
        while (done < source.byteSize()) {
            SendSlot current = slot;
            if (current == null) {
                current = connection.claim(connection.sendSlotBytes());
                slot = current;
                position = 0;
            }
            int count = (int) Math.min(source.byteSize() - done, current.length() - position);
            MemorySegment.copy(source, done, current.segment(), position, count);
            position += count;
            done += count;
            if (position == current.length()) {
                slot = null;
                current.commit();
            }
        }
    }

    /// Sends what was written and waits until the peer's device has it.
    @Override
    public void flush() throws IOException {
        push();
        connection.flush();
    }

    /// Sends what was written.
    void push() throws IOException {
        SendSlot current = slot;
        if (current != null) {
            current.truncate(position);
            slot = null;
            current.commit();
        }
    }

    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try (Conn closing = connection) {
            if (closing.isOpen()) {
                flush();
            }
        }
    }
}
