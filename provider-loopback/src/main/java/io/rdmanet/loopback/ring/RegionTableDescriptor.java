package io.rdmanet.loopback.ring;

/// The table of a device's memory regions, by which peers find and check what a key names.
///
/// ```
///   entry of 64 bytes, index = key >>> 8
///   +-------------------------------------------------------------+
///   | region id 8 | address 8 | length 8 | access 4 | domain 4    |
///   | key 4 | is shared 4 |                                        |
///   +-------------------------------------------------------------+
/// ```
///
/// The region id is 0 in an unused entry, is written last when a region opens and first when it
/// closes, and never comes again: whoever has seen it unchanged may use what it has mapped.
public final class RegionTableDescriptor {
    public static final int REGION_ID_OFFSET = 0;
    public static final int ADDRESS_OFFSET = 8;
    public static final int LENGTH_OFFSET = 16;
    public static final int ACCESS_OFFSET = 24;
    public static final int DOMAIN_OFFSET = 28;
    public static final int KEY_OFFSET = 32;
    public static final int IS_SHARED_OFFSET = 36;
    public static final int ENTRY_BYTES = 64;

    /// Regions a device can have.
    public static final int CAPACITY = 8192;

    /// Bytes of the whole.
    public static final long BYTES = (long) CAPACITY * ENTRY_BYTES;

    /// The name of the table's file.
    public static final String FILE_NAME = "regions";

    private static final int GENERATION_BITS = 8;

    private RegionTableDescriptor() {}

    /// Makes a key of an index and a generation; never 0 for a generation of 1 and more.
    public static int key(int index, int generation) {
        return (index << GENERATION_BITS) | (generation & ((1 << GENERATION_BITS) - 1));
    }

    /// The index of a key; at or beyond [#CAPACITY] for a key that this device never gave.
    public static int index(int key) {
        return key >>> GENERATION_BITS;
    }

    /// The name of a region's file.
    public static String fileName(long regionId) {
        return "mr-" + Long.toHexString(regionId);
    }
}
