package io.rdmanet.ffm.c;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/// `struct pollfd` (poll.h):
///
/// ```
///  0            4        6        8
/// +------------+--------+--------+
/// | fd         | events | revents|
/// +------------+--------+--------+
/// ```
public final class PollDescriptor {
    public static final long SIZE = 8;
    public static final long FD = 0;
    public static final long EVENTS = 4;
    public static final long REVENTS = 6;

    /// There is something to read.
    public static final short POLLIN = 1;

    private PollDescriptor() {}

    /// Asks whether a file descriptor can be read.
    public static void watch(MemorySegment array, int index, int descriptor) {
        array.set(JAVA_INT, index * SIZE + FD, descriptor);
        array.set(JAVA_SHORT, index * SIZE + EVENTS, POLLIN);
        array.set(JAVA_SHORT, index * SIZE + REVENTS, (short) 0);
    }

    /// Whether the last poll found it readable, at its end, or broken: a read will tell.
    public static boolean isReady(MemorySegment array, int index) {
        return array.get(JAVA_SHORT, index * SIZE + REVENTS) != 0;
    }
}
