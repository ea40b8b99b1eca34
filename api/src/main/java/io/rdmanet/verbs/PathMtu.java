package io.rdmanet.verbs;

/// The payload of one packet (`enum ibv_mtu`).
public enum PathMtu {
    MTU_256(1, 256),
    MTU_512(2, 512),
    MTU_1024(3, 1024),
    MTU_2048(4, 2048),
    MTU_4096(5, 4096);

    private final int code;
    private final int bytes;

    PathMtu(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /// The number libibverbs has for it, 1 to 5.
    public int code() {
        return code;
    }

    /// The payload in bytes.
    public int bytes() {
        return bytes;
    }

    /// The MTU with a libibverbs number.
    ///
    /// @throws IllegalArgumentException unless the code is 1 to 5
    public static PathMtu ofCode(int code) {
        for (PathMtu mtu : values()) {
            if (mtu.code == code) {
                return mtu;
            }
        }
        throw new IllegalArgumentException("no path MTU has the code " + code);
    }

    /// The smaller of two: what a path between two ports can carry.
    public static PathMtu min(PathMtu a, PathMtu b) {
        return a.code <= b.code ? a : b;
    }
}
