package io.rdmanet.loopback.ring;

/// The shared memory of a pool of receives: of a shared receive queue, or of one queue pair of
/// datagrams. Its owner posts; any number of peers take, each for a queue pair of the owner's.
///
/// ```
///    0  +--------------------------------------------------------------+
///       | magic 8 | slots 4 | cells 4 | stride 4                       |  owner, once
///       | limit 4      0 none, -1 reached                              |  owner sets; a taker
///       |                                                              |  makes it -1
///  128  +--------------------------------------------------------------+
///       | next 8       the position of the next receive to be taken    |  takers
///  256  +--------------------------------------------------------------+
///       | posted 8     the end of what is posted                       |  owner
///  384  +--------------------------------------------------------------+
///       | cells, a power of two, one for each position in turn         |  owner posts,
///       |   posted: 0 | position + 1: 39 bits | slot 24 bits           |  takers take
///       |   taken:  1 | position + 1: 39 bits | queue pair 24 bits     |
///       +--------------------------------------------------------------+
///       | slots, each of `stride` bytes                                |  owner
///       |   unused 8 | count 4 | flags 4 | count x element             |
///       +--------------------------------------------------------------+
/// ```
///
/// A receive lies in a **slot**, and its slot's number in the **cell** of its position. It is taken
/// by one compare-and-set of the cell, which leaves there for whom: so nothing is lost with a taker
/// that dies at any moment. The cursor `next` only says where to look; a taker that finds it behind
/// pushes it on.
///
/// Receives are taken in the order of their positions, but complete in any order. A cell is free
/// again once it was taken, a slot once its receive was polled; there are at least as many cells as
/// slots, so whoever has a free slot has a free cell. Position plus 1 is a receive's **ticket**: no
/// two have the same, so that a slot is never freed for its former receive.
public final class ReceivePoolDescriptor {
    /// `rdmRP` and the version of this layout.
    public static final long MAGIC = 0x7264_6d52_5000_0001L;

    public static final int MAGIC_OFFSET = 0;
    public static final int SLOTS_OFFSET = 8;
    public static final int CELLS_OFFSET = 12;
    public static final int STRIDE_OFFSET = 16;
    public static final int LIMIT_OFFSET = 20;
    public static final int NEXT_OFFSET = 128;
    public static final int POSTED_OFFSET = 256;
    public static final int FIRST_CELL_OFFSET = 384;
    public static final int CELL_BYTES = 8;

    /// Values of the word at [#LIMIT_OFFSET].
    public static final int NO_LIMIT = 0;

    public static final int LIMIT_REACHED = -1;

    private static final int TAG_SHIFT = 24;
    private static final long TAG_MASK = (1L << 39) - 1;
    private static final int LOW_MASK = (1 << TAG_SHIFT) - 1;

    private ReceivePoolDescriptor() {}

    /// Where the first slot begins: on a line.
    public static long slotsOffset(int cells) {
        long end = FIRST_CELL_OFFSET + (long) cells * CELL_BYTES;
        return (end + QueuePairDescriptor.LINE - 1) & -QueuePairDescriptor.LINE;
    }

    /// Bytes of the whole.
    public static long bytes(int slots, int cells, int stride) {
        return slotsOffset(cells) + (long) slots * stride;
    }

    /// The word of a cell whose receive is posted.
    public static long posted(long position, int slot) {
        return tag(position) << TAG_SHIFT | slot;
    }

    /// The word of a cell whose receive is taken.
    public static long taken(long position, int queuePairNumber) {
        return Long.MIN_VALUE | tag(position) << TAG_SHIFT | queuePairNumber;
    }

    /// Whether a cell's word is of a receive at this position, posted or taken.
    public static boolean isOf(long word, long position) {
        return (word >>> TAG_SHIFT & TAG_MASK) == tag(position);
    }

    /// Whether the receive of a cell's word is taken.
    public static boolean isTaken(long word) {
        return word < 0;
    }

    /// The slot in the word of a posted receive.
    public static int slot(long word) {
        return (int) word & LOW_MASK;
    }

    /// The queue pair in the word of a taken receive.
    public static int queuePairNumber(long word) {
        return (int) word & LOW_MASK;
    }

    private static long tag(long position) {
        return position + 1 & TAG_MASK;
    }

    /// The name of a pool's file.
    public static String fileName(int poolNumber) {
        return "rp-" + Integer.toHexString(poolNumber);
    }

    /// The name of the file where data waits that is for memory out of its sender's reach.
    public static String landingFileName(int poolNumber) {
        return "ld-" + Integer.toHexString(poolNumber);
    }
}
