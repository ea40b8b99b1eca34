package io.rdmanet.bw.run;

import io.rdmanet.RawConn;
import java.lang.foreign.MemorySegment;

/// Writes the payloads of a raw run that is to be verified, ahead of the posts.
///
/// Message k of a run lies in buffer k modulo the number of buffers. A buffer may be written again
/// once the message that lay in it has completed; since there are as many buffers as messages in
/// flight, everything that can be posted next is written by the time it is.
final class RawPayloads {
    private final MemorySegment[] buffers;
    private final int size;
    private final long seed;
    private long filled;

    RawPayloads(RawConn conn, int size, long seed) {
        this.size = size;
        this.seed = seed;
        buffers = buffers(conn);
    }

    /// All buffers of a connection.
    static MemorySegment[] buffers(RawConn conn) {
        MemorySegment[] buffers = new MemorySegment[conn.options().bufferCount()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = conn.buffer(i);
        }
        return buffers;
    }

    /// Writes what may be posted when so many have completed.
    void fill(long completed) {
        for (; filled < completed + buffers.length; filled++) {
            PayloadPattern.fill(buffers[(int) (filled % buffers.length)], size, seed, filled);
        }
    }
}
