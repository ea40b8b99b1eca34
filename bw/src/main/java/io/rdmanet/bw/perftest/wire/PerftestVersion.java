package io.rdmanet.bw.perftest.wire;

import java.math.BigDecimal;

/// A version of the exchange, a decimal number like 6.06: not the version of the package.
///
/// @param number compares as a number does: 6.1 is later than 6.06
public record PerftestVersion(BigDecimal number) implements Comparable<PerftestVersion> {
    /// What this end announces. Everything later adapts to it, with the one exception of
    /// [#NEGOTIATING].
    public static final PerftestVersion OWN = of("6.06");

    /// The oldest with the exchange as it is described here; older ones are refused, as the C tools
    /// do.
    public static final PerftestVersion OLDEST = of("5.70");

    /// Sends its options ([NegotiationDescriptor]) whatever the other end announces. Later ones ask
    /// first.
    public static final PerftestVersion NEGOTIATING = of("6.28");

    private static PerftestVersion of(String text) {
        return new PerftestVersion(new BigDecimal(text));
    }

    /// Reads a version.
    ///
    /// @throws IllegalArgumentException if the text is not a plain decimal number
    public static PerftestVersion parse(String text) {
        if (!text.matches("[0-9]{1,4}(\\.[0-9]{1,6})?")) {
            throw new IllegalArgumentException("'" + text + "' is not a version");
        }
        return of(text);
    }

    /// Whether it is too old to be talked to.
    public boolean isRefused() {
        return compareTo(OLDEST) < 0;
    }

    /// Whether it sends its options unasked.
    public boolean negotiatesUnasked() {
        return compareTo(NEGOTIATING) == 0;
    }

    @Override
    public int compareTo(PerftestVersion other) {
        return number.compareTo(other.number);
    }

    @Override
    public String toString() {
        return number.toPlainString();
    }
}
