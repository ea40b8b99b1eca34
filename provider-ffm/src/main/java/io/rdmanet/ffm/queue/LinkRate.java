package io.rdmanet.ffm.queue;

/// The rate of a link from the two codes of `struct ibv_port_attr` (InfiniBand specification,
/// PortInfo: LinkWidthActive, LinkSpeedActive).
final class LinkRate {
    private LinkRate() {}

    /// The rate, 0 if a code is not known.
    static double gigabitsPerSecond(int widthCode, int speedCode) {
        return lanes(widthCode) * laneGigabitsPerSecond(speedCode);
    }

    private static int lanes(int code) {
        return switch (code) {
            case 1 -> 1;
            case 2 -> 4;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 0;
        };
    }

    private static double laneGigabitsPerSecond(int code) {
        return switch (code) {
            case 1 -> 2.5; // SDR
            case 2 -> 5; // DDR
            case 4, 8 -> 10; // QDR, FDR10
            case 16 -> 14; // FDR
            case 32 -> 25; // EDR
            case 64 -> 50; // HDR
            case 128 -> 100; // NDR
            default -> 0;
        };
    }
}
