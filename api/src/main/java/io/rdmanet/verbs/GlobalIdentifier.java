package io.rdmanet.verbs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/// A GID: the 128-bit address of a port (`union ibv_gid`). On RoCE it is an IPv6 address, or an
/// IPv4 address in its IPv6-mapped form.
///
/// @param high bytes 0 to 7, big-endian
/// @param low bytes 8 to 15, big-endian
public record GlobalIdentifier(long high, long low) {
    /// The length of a GID in bytes.
    public static final int LENGTH = 16;

    private static final int IPV4_MAPPED_MIDDLE = 0xffff;

    /// The GID in 16 bytes, network order.
    ///
    /// @throws IllegalArgumentException if there are not exactly 16
    public static GlobalIdentifier of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
        }
        long high = 0;
        long low = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            high = (high << Byte.SIZE) | (bytes[i] & 0xff);
            low = (low << Byte.SIZE) | (bytes[Long.BYTES + i] & 0xff);
        }
        return new GlobalIdentifier(high, low);
    }

    /// The 16 bytes, network order; a fresh array.
    public byte[] toBytes() {
        byte[] bytes = new byte[LENGTH];
        for (int i = 0; i < Long.BYTES; i++) {
            int shift = (Long.BYTES - 1 - i) * Byte.SIZE;
            bytes[i] = (byte) (high >>> shift);
            bytes[Long.BYTES + i] = (byte) (low >>> shift);
        }
        return bytes;
    }

    /// Whether it is all zeros: an unused entry of a GID table.
    public boolean isZero() {
        return high == 0 && low == 0;
    }

    /// Whether it is an IPv4 address, mapped (`::ffff:a.b.c.d`).
    public boolean isIpv4Mapped() {
        return high == 0 && (int) (low >>> Integer.SIZE) == IPV4_MAPPED_MIDDLE;
    }

    /// Whether it is link-local (`fe80::/10`).
    public boolean isLinkLocal() {
        return high >>> 54 == 0x3fa;
    }

    /// Whether it is a loopback address (`::1` or `127.0.0.0/8`).
    public boolean isLoopback() {
        return (high == 0 && low == 1) || (isIpv4Mapped() && ((low >>> 24) & 0xff) == 127);
    }

    /// The IP address it stands for.
    public InetAddress toAddress() {
        try {
            return InetAddress.getByAddress(toBytes());
        } catch (UnknownHostException impossible) {
            throw new AssertionError("16 bytes are always an address", impossible);
        }
    }

    /// Eight groups of four hexadecimal digits, as `/sys/class/infiniband` prints a GID.
    @Override
    public String toString() {
        String digits = HexFormat.of().formatHex(toBytes());
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < digits.length(); i += 4) {
            text.append(i == 0 ? "" : ":").append(digits, i, i + 4);
        }
        return text.toString();
    }
}
