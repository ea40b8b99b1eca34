package io.rdmanet.bw.perftest.wire;

import java.nio.ByteBuffer;

/// Layout of a report: five messages of eight bytes, big-endian, each answered before the next.
///
/// ```
/// 0  size           u64
/// 1  iterations     u64
/// 2  peak           double
/// 3  average        double
/// 4  message rate   double, 10^6 per second
/// ```
///
/// Peak and average are in the sender's own unit, of which nothing is said: both ends must use the
/// same. What the serving end of a one-way run sends is not initialised; nobody may look at it.
public final class ReportDescriptor {
    /// Messages of a report.
    public static final int MESSAGES = 5;

    /// Bytes of each.
    public static final int LENGTH = Long.BYTES;

    private ReportDescriptor() {}

    /// One of the messages.
    ///
    /// @param index 0 to 4
    public static byte[] encode(BandwidthReport report, int index) {
        long bits =
                switch (index) {
                    case 0 -> report.size();
                    case 1 -> report.iterations();
                    case 2 -> Double.doubleToLongBits(report.peakMibps());
                    case 3 -> Double.doubleToLongBits(report.averageMibps());
                    case 4 -> Double.doubleToLongBits(report.mpps());
                    default -> throw new IndexOutOfBoundsException(index);
                };
        return ByteBuffer.allocate(LENGTH).putLong(bits).array();
    }

    /// The report that five messages make, whatever their bits.
    public static BandwidthReport decode(byte[][] messages) {
        long[] bits = new long[MESSAGES];
        for (int i = 0; i < MESSAGES; i++) {
            bits[i] = ByteBuffer.wrap(messages[i]).getLong();
        }
        return new BandwidthReport(
                bits[0],
                bits[1],
                Double.longBitsToDouble(bits[2]),
                Double.longBitsToDouble(bits[3]),
                Double.longBitsToDouble(bits[4]));
    }
}
