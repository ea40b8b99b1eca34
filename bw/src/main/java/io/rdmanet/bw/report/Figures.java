package io.rdmanet.bw.report;

import java.util.Locale;

/// Numbers as text, the same everywhere and in every locale.
final class Figures {
    private static final int MOST_DECIMALS = 6;

    private Figures() {}

    /// Four significant digits, at most six decimals, no exponent.
    static String figure(double value) {
        double size = Math.abs(value);
        int decimals = 3;
        for (double bound = 10; decimals > 0 && size >= bound; bound *= 10) {
            decimals--;
        }
        for (double bound = 1; decimals < MOST_DECIMALS && size < bound; bound /= 10) {
            decimals++;
        }
        return decimals(value, size == 0 ? 1 : decimals);
    }

    /// So many decimals.
    static String decimals(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /// Bytes as the options take them: `64k`, `2m`, `100`.
    static String size(long bytes) {
        if (bytes != 0 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + "m";
        }
        if (bytes != 0 && bytes % (1 << 10) == 0) {
            return (bytes >> 10) + "k";
        }
        return Long.toString(bytes);
    }
}
