package io.rdmanet.loopback.ring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Single words of mapped memory by address: the one place where bounds are not checked.
///
/// A mapped segment costs a check of its arena and its bounds at each access, 2 to 4 times as much
/// per 64-byte message as this. Callers keep the mapping reachable while they use its addresses,
/// and stay inside the layouts of this package.
public final class Words {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    /// For accesses without ordering, which need not check that an address is aligned.
    private static final VarHandle PLAIN_LONG = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();

    private static final VarHandle PLAIN_INT = ValueLayout.JAVA_INT_UNALIGNED.varHandle();

    /// All of memory. One segment for every access: a segment made per access is free where the
    /// compiler inlines everything around it, and garbage wherever it does not.
    @SuppressWarnings("restricted") // the addresses are those of this device's own mappings
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final boolean IS_LITTLE_ENDIAN =
            ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private Words() {}

    /// Reads a 64-bit word with no ordering.
    public static long longAt(long address) {
        return (long) PLAIN_LONG.get(MEMORY, address);
    }

    /// Reads a 64-bit word; what its writer wrote before releasing it is seen afterwards.
    public static long longAcquire(long address) {
        return (long) LONG.getAcquire(MEMORY, address);
    }

    /// Writes a 64-bit word with no ordering.
    public static void setLong(long address, long value) {
        PLAIN_LONG.set(MEMORY, address, value);
    }

    /// Writes a 64-bit word after everything written before.
    public static void setLongRelease(long address, long value) {
        LONG.setRelease(MEMORY, address, value);
    }

    /// Replaces a 64-bit word if it equals `expected`; atomic between processes.
    ///
    /// @return what it was
    public static long compareAndExchangeLong(long address, long expected, long value) {
        return (long) LONG.compareAndExchange(MEMORY, address, expected, value);
    }

    /// Replaces a 64-bit word if it equals `expected`, with volatile mode; atomic between
    /// processes.
    ///
    /// @return whether it did
    public static boolean compareAndSetLong(long address, long expected, long value) {
        return LONG.compareAndSet(MEMORY, address, expected, value);
    }

    /// Adds to a 64-bit word; atomic between processes.
    ///
    /// @return what it was
    public static long getAndAddLong(long address, long addend) {
        return (long) LONG.getAndAdd(MEMORY, address, addend);
    }

    /// Reads a 32-bit word with no ordering.
    public static int intAt(long address) {
        return (int) PLAIN_INT.get(MEMORY, address);
    }

    /// Reads a 32-bit word; what its writer wrote before releasing it is seen afterwards.
    public static int intAcquire(long address) {
        return (int) INT.getAcquire(MEMORY, address);
    }

    /// Reads a 32-bit word, not before what was written with volatile mode or compare-and-set.
    public static int intVolatile(long address) {
        return (int) INT.getVolatile(MEMORY, address);
    }

    /// Writes a 32-bit word with no ordering.
    public static void setInt(long address, int value) {
        PLAIN_INT.set(MEMORY, address, value);
    }

    /// Writes a 32-bit word after everything written before.
    public static void setIntRelease(long address, int value) {
        INT.setRelease(MEMORY, address, value);
    }

    /// Writes a 32-bit word; nothing that is read afterwards with volatile mode is older.
    public static void setIntVolatile(long address, int value) {
        INT.setVolatile(MEMORY, address, value);
    }

    /// The 64-bit word that two 32-bit words make, one after the other in memory.
    public static long pair(int first, int second) {
        long low = Integer.toUnsignedLong(IS_LITTLE_ENDIAN ? first : second);
        long high = IS_LITTLE_ENDIAN ? second : first;
        return high << Integer.SIZE | low;
    }

    /// Replaces a 32-bit word if it equals `expected`, with volatile mode; atomic between
    /// processes.
    ///
    /// @return whether it did
    public static boolean compareAndSetInt(long address, int expected, int value) {
        return INT.compareAndSet(MEMORY, address, expected, value);
    }
}
