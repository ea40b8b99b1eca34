package io.rdmanet.internal.stream;

import io.rdmanet.Conn;
import io.rdmanet.ReceivedMessage;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The bytes of the messages received, one message after another, read from where they lie. Belongs
/// to the receiving thread; reading blocks like receiving. Closing it closes the connection.
public final class MessageInputStream extends InputStream {
    private final Conn connection;
    private final byte[] single = new byte[1];
    private @Nullable ReceivedMessage message;
    private int position;

    /// @param connection whose messages to read
    public MessageInputStream(Conn connection) {
        this.connection = connection;
    }

    @Override
    public int read() throws IOException {
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        ReceivedMessage current = current();
        if (current == null) {
            return -1;
        }
        int count = Math.min(length, current.length() - position);
        MemorySegment.copy(
                current.segment(), ValueLayout.JAVA_BYTE, position, bytes, offset, count);
        consume(current, count);
        return count;
    }

    /// Reads into memory of any kind.
    ///
    /// @return how many bytes, or -1 at the end of the stream
    int read(MemorySegment target) throws IOException {
        if (target.byteSize() == 0) {
            return 0;
        }
        ReceivedMessage current = current();
        if (current == null) {
            return -1;
        }
        int count = (int) Math.min(target.byteSize(), current.length() - position);
        MemorySegment.copy(current.segment(), position, target, 0, count);
        consume(current, count);
        return count;
    }

    @Override
    public int available() {
        ReceivedMessage current = message;
        return current == null ? 0 : current.length() - position;
    }

    @Override
    public void close() {
        connection.close();
    }

    /// The message to read from, with at least one byte left; null at the end of the stream.
    private @Nullable ReceivedMessage current() throws IOException {
        ReceivedMessage current = message;
        while (current == null) {
            current = connection.receiveLease();
            if (current == null) {
                return null;
            }
            if (current.length() == 0) {
                current.close();
                current = null;
            }
        }
        message = current;
        return current;
    }

    private void consume(ReceivedMessage current, int count) {
        position += count;
        if (position == current.length()) {
            message = null;
            position = 0;
            current.close();
        }
    }
}
