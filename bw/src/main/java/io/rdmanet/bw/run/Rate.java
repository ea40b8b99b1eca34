package io.rdmanet.bw.run;

/// How fast something went, in the units of the whole tool: MiB/s are 2^20 bytes, Gb/s 10^9 bits,
/// Mpps 10^6 messages, each per second.
///
/// @param messages messages moved, 0 and more
/// @param bytes their payload together
/// @param nanos how long it took, at least 1
public record Rate(long messages, long bytes, long nanos) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MEBIBYTE = 1 << 20;

    public Rate {
        if (messages < 0 || bytes < 0) {
            throw new IllegalArgumentException("negative: " + messages + " messages, " + bytes);
        }
        // Two readings of a coarse clock may be equal; a rate must not be infinite.
        nanos = Math.max(nanos, 1);
    }

    /// Duration in seconds.
    public double seconds() {
        return nanos / NANOS_PER_SECOND;
    }

    /// 10^9 bits per second.
    public double gbps() {
        // Bits per nanosecond are 10^9 bits per second.
        return (double) bytes * Byte.SIZE / nanos;
    }

    /// 2^20 bytes per second.
    public double mibps() {
        return bytes / BYTES_PER_MEBIBYTE / seconds();
    }

    /// 10^6 messages per second.
    public double mpps() {
        return messages / 1e6 / seconds();
    }
}
