package io.rdmanet.ffm.c;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Fields of C structs by address: the one place where bounds are not checked.
///
/// Structs that a library made can be reached by nothing else, and the structs of the data path are
/// written many million times a second, where checks of arena and bounds would double the cost. Nor
/// is alignment, which costs a branch each time, and which these processors do not need. Callers
/// keep what they address alive, and stay inside the descriptors of this package.
public final class NativeMemory {
    /// All of memory. One segment for every access: a segment made per access is free where the
    /// compiler inlines everything around it, and garbage wherever it does not.
    @SuppressWarnings("restricted") // the addresses are those of structs of ours or the library's
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final int MAX_STRING_BYTES = 256;

    private NativeMemory() {}

    /// Reads 64 bits.
    public static long longAt(long address) {
        return MEMORY.get(JAVA_LONG_UNALIGNED, address);
    }

    /// Reads 32 bits.
    public static int intAt(long address) {
        return MEMORY.get(JAVA_INT_UNALIGNED, address);
    }

    /// Reads 16 bits as an unsigned number.
    public static int unsignedShortAt(long address) {
        return Short.toUnsignedInt(MEMORY.get(JAVA_SHORT_UNALIGNED, address));
    }

    /// Reads 8 bits as an unsigned number.
    public static int unsignedByteAt(long address) {
        return Byte.toUnsignedInt(MEMORY.get(JAVA_BYTE, address));
    }

    /// Reads a string of at most 255 bytes.
    public static String stringAt(long address) {
        return MEMORY.asSlice(address, MAX_STRING_BYTES).getString(0, StandardCharsets.UTF_8);
    }

    /// Writes 64 bits.
    public static void setLong(long address, long value) {
        MEMORY.set(JAVA_LONG_UNALIGNED, address, value);
    }

    /// Writes 32 bits.
    public static void setInt(long address, int value) {
        MEMORY.set(JAVA_INT_UNALIGNED, address, value);
    }

    /// Writes the low 16 bits of a number.
    public static void setShort(long address, int value) {
        MEMORY.set(JAVA_SHORT_UNALIGNED, address, (short) value);
    }

    /// Writes the low 8 bits of a number.
    public static void setByte(long address, int value) {
        MEMORY.set(JAVA_BYTE, address, (byte) value);
    }

    /// Copies bytes that do not overlap.
    public static void copy(long from, long to, long bytes) {
        MemorySegment.copy(MEMORY, from, MEMORY, to, bytes);
    }

    /// A function by its pointer.
    public static MemorySegment functionAt(long address) {
        return MemorySegment.ofAddress(longAt(address));
    }

    /// A fresh array of bytes.
    public static byte[] bytesAt(long address, int count) {
        return MEMORY.asSlice(address, count).toArray(JAVA_BYTE);
    }

    /// Writes bytes.
    public static void setBytes(long address, byte[] bytes) {
        MemorySegment.copy(bytes, 0, MEMORY, JAVA_BYTE, address, bytes.length);
    }
}
