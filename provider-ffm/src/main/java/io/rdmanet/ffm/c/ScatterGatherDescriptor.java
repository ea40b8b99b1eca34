package io.rdmanet.ffm.c;

/// `struct ibv_sge`:
///
/// ```
///  0          8          12       16
/// +----------+----------+--------+
/// | addr     | length   | lkey   |
/// +----------+----------+--------+
/// ```
public final class ScatterGatherDescriptor {
    public static final int SIZE = 16;
    public static final int ADDRESS = 0;
    public static final int LENGTH = 8;
    public static final int LOCAL_KEY = 12;

    private ScatterGatherDescriptor() {}

    /// Writes an element.
    public static void set(long element, long address, int length, int localKey) {
        NativeMemory.setLong(element + ADDRESS, address);
        NativeMemory.setInt(element + LENGTH, length);
        NativeMemory.setInt(element + LOCAL_KEY, localKey);
    }
}
