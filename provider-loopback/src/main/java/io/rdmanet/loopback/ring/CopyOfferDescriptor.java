package io.rdmanet.loopback.ring;

/// A part of a queue pair's memory ([QueuePairDescriptor]): a long message that the peer is copying
/// into one of its receives, and of which the owner may copy a part.
///
/// ```
///    0  +--------------------------------------------------------------+
///       | parts 8                                                       |  both
///  128  +--------------------------------------------------------------+
///       | key 4 | length 4 | source 8 | position 8 | skip 8             |  the peer,
///       | part bytes 4                                                  |  before parts
///  256  +--------------------------------------------------------------+
///       | helped 8                                                      |  owner
///       +--------------------------------------------------------------+
///
///  parts    63          32         22            11           0
///          +--------------+----------+-------------+------------+
///          | number       | count    | from front  | from back  |
///          +--------------+----------+-------------+------------+
///
///  helped  | number       | parts finished, or FAILED           |
/// ```
///
/// The peer takes parts from the front, the owner from the back, until `from front` + `from back`
/// is `count`. What is left when only one of them takes is taken by that one: nobody waits for an
/// owner that does not help. Only a part that the owner has taken is waited for.
///
/// `source` is where the bytes begin in the peer's own region `key`; they belong into the receive
/// at `position`, from its byte `skip` on. Parts have `part bytes`, the last one perhaps fewer.
/// `number` is another one for each offer, so that no part is taken of another offer than the one
/// whose description was read.
///
/// | word | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | parts | both | acquire | compare-and-set; release when it is fresh | description, source |
/// | description | the peer | plain, after parts | plain, before parts | parts |
/// | helped | owner | acquire | release | the bytes that it has copied, and read |
public final class CopyOfferDescriptor {
    public static final int PARTS_OFFSET = 0;
    public static final int KEY_OFFSET = 128;
    public static final int LENGTH_OFFSET = 132;
    public static final int SOURCE_OFFSET = 136;
    public static final int POSITION_OFFSET = 144;
    public static final int SKIP_OFFSET = 152;
    public static final int PART_BYTES_OFFSET = 160;
    public static final int HELPED_OFFSET = 256;
    public static final int BYTES = 384;

    /// The most parts of one offer; longer messages are several.
    public static final int MAX_PARTS = 64;

    private static final int FAILED = -1;
    private static final int COUNT_SHIFT = 22;
    private static final int FRONT_SHIFT = 11;
    private static final int FIELD_MASK = (1 << FRONT_SHIFT) - 1;

    private CopyOfferDescriptor() {}

    /// The word of an offer of which nothing is taken.
    public static long fresh(int number, int count) {
        return (long) number << Integer.SIZE | (long) count << COUNT_SHIFT;
    }

    /// The number of the offer.
    public static int number(long parts) {
        return (int) (parts >>> Integer.SIZE);
    }

    private static int count(long parts) {
        return (int) parts >>> COUNT_SHIFT;
    }

    /// Parts that were taken from the front.
    public static int fromFront(long parts) {
        return (int) parts >>> FRONT_SHIFT & FIELD_MASK;
    }

    /// Parts that were taken from the back.
    public static int fromBack(long parts) {
        return (int) parts & FIELD_MASK;
    }

    /// Whether a part is left to be taken.
    public static boolean isAnyLeft(long parts) {
        return fromFront(parts) + fromBack(parts) < count(parts);
    }

    /// The last part that is left.
    public static int lastLeft(long parts) {
        return count(parts) - 1 - fromBack(parts);
    }

    /// The word after one more part was taken from the front.
    public static long takenFromFront(long parts) {
        return parts + (1L << FRONT_SHIFT);
    }

    /// The word after one more part was taken from the back.
    public static long takenFromBack(long parts) {
        return parts + 1;
    }

    /// The word after nothing more is to be taken.
    public static long withdrawn(long parts) {
        return fresh(number(parts), fromBack(parts)) | fromBack(parts);
    }

    /// What `helped` is once so many parts are finished.
    public static long helped(int number, int finished) {
        return (long) number << Integer.SIZE | finished;
    }

    /// What `helped` is once a part could not be finished, nor ever will be.
    public static long failed(int number) {
        return (long) number << Integer.SIZE | Integer.toUnsignedLong(FAILED);
    }
}
