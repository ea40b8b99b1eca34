package io.rdmanet.bw.latency;

import io.rdmanet.DeadlineException;
import io.rdmanet.RawConn;
import io.rdmanet.RawProgress;
import io.rdmanet.RawVerb;
import io.rdmanet.bw.run.PayloadPattern;
import io.rdmanet.bw.run.SocketText;
import io.rdmanet.bw.run.Timeouts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/// Ping-pong over a [RawConn]: each end writes into a buffer of the other's, and watches one of its
/// own, as ib_write_lat does. A raw connection sends messages one way only, but writes both ways.
///
/// ```
///            client             server
/// buffer 0   source   ------>   watched
/// buffer 1   unused             unused
/// buffer 2   watched  <------   source
/// ```
///
/// So each line is written by one end only, and a processor that fetches lines in pairs has both of
/// one kind: with a single buffer, source and target by turns, a half round took one more way
/// between the processors. The number of the half round stands in the last aligned 8 bytes of the
/// message (in the last byte of shorter ones): when it has come, so has what was written before it.
final class RawPinger implements Pinger {
    /// The half round that says that the client is done.
    private static final long FAREWELL = -1;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final int SPINS_PER_READING = 256;

    /// Nothing tells who watches memory that the peer has gone, so it is asked so often.
    private static final long LOOK_NANOS = 50_000_000;

    private static final long SEED = 0x1a7e;

    /// A device may place the bytes of one write in any order: the rest must follow within this.
    private static final long REST_NANOS = 100_000_000;

    /// Buffers of the connection, and the writes that it has room for.
    static final int BUFFERS = 3;

    private static final int OF_CLIENT = 0;
    private static final int OF_SERVER = 2;

    private final RawConn conn;
    private final int sourceIndex;
    private final MemorySegment source;
    private final MemorySegment watched;
    private final int size;
    private final long signOffset;
    private final boolean isClient;
    private final boolean verify;
    private final long timeoutNanos;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment expectation;
    private long badMessages;

    RawPinger(RawConn conn, boolean isClient, boolean verify, Duration timeout) {
        this.conn = conn;
        this.sourceIndex = isClient ? OF_CLIENT : OF_SERVER;
        this.source = conn.buffer(sourceIndex);
        this.watched = conn.buffer(isClient ? OF_SERVER : OF_CLIENT);
        this.size = conn.options().maxMessageBytes();
        this.signOffset = size >= Long.BYTES ? (size - Long.BYTES) & -Long.BYTES : size - 1;
        this.isClient = isClient;
        this.verify = verify;
        this.expectation = arena.allocate(verify ? size : 1, Long.BYTES);
        this.timeoutNanos = timeout.toNanos();
    }

    private boolean isWide() {
        return size >= Long.BYTES;
    }

    /// The number of a half round, never 0 in its lowest byte, which fresh memory is.
    private static long sign(long round, boolean ofClient) {
        long half = 2 * round + (ofClient ? 0 : 1);
        return half % 127 + 1 + ((half / 127) << Byte.SIZE);
    }

    @Override
    public void send(long round) throws IOException {
        if (verify) {
            PayloadPattern.fill(source, size, SEED, round);
        }
        write(sign(round, isClient));
    }

    @Override
    public void sendWrong(long round) throws IOException {
        PayloadPattern.fill(source, size, SEED, ~round);
        write(sign(round, isClient));
    }

    private void write(long sign) throws IOException {
        if (isWide()) {
            LONG.setRelease(source, signOffset, sign);
        } else {
            BYTE.setRelease(source, signOffset, (byte) sign);
        }
        conn.pipeline(RawVerb.WRITE, sourceIndex, 1, size, RawProgress.NONE);
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // It is a hint, and right without it.
    public boolean receive(long round) throws IOException {
        long expected = sign(round, !isClient);
        long deadline = 0;
        long look = 0;
        for (int spins = 1; !isThere(expected); spins++) {
            if (isThere(FAREWELL)) {
                return false;
            }
            if (spins % SPINS_PER_READING == 0) {
                Thread.yield();
                long now = System.nanoTime();
                if (deadline == 0) {
                    deadline = now + timeoutNanos;
                    look = now + LOOK_NANOS;
                }
                requireTime(now, deadline);
                if (now - look > 0) {
                    requirePeer(expected);
                    look = System.nanoTime() + LOOK_NANOS;
                }
            } else {
                Thread.onSpinWait();
            }
        }
        if (verify && !matches(round, expected)) {
            badMessages++;
        }
        return true;
    }

    /// Writes nothing to the peer, which fails if it has gone. What it has written before counts.
    private void requirePeer(long expected) throws IOException {
        try {
            conn.pipeline(RawVerb.WRITE, sourceIndex, 1, 0, RawProgress.NONE);
        } catch (IOException e) {
            if (!isThere(expected) && !isThere(FAREWELL)) {
                throw e;
            }
        }
    }

    private void requireTime(long now, long deadline) throws IOException {
        if (now - deadline > 0) {
            throw new DeadlineException(
                    "the peer "
                            + SocketText.of(conn.remoteAddress())
                            + " did not answer within "
                            + Timeouts.seconds(Duration.ofNanos(timeoutNanos))
                            + " s");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while waiting for the peer");
        }
    }

    private boolean isThere(long sign) {
        return isWide()
                ? (long) LONG.getAcquire(watched, signOffset) == sign
                : (byte) BYTE.getAcquire(watched, signOffset) == (byte) sign;
    }

    /// Whether the payload is right, but for where the number stands.
    private boolean matches(long round, long sign) {
        PayloadPattern.fill(expectation, size, SEED, round);
        long behind = signOffset + (isWide() ? Long.BYTES : 1);
        long deadline = System.nanoTime() + REST_NANOS;
        do {
            if (isAsExpected(0, signOffset) && isAsExpected(behind, size)) {
                return isThere(sign);
            }
        } while (System.nanoTime() - deadline < 0);
        return false;
    }

    private boolean isAsExpected(long from, long to) {
        return MemorySegment.mismatch(watched, from, to, expectation, from, to) < 0;
    }

    /// Tells a server that waits for the next round that there is none.
    void sayFarewell() throws IOException {
        write(FAREWELL);
    }

    @Override
    public long badMessages() {
        return badMessages;
    }

    @Override
    public void close() {
        arena.close();
    }
}
