package io.rdmanet.bench.run;

/// What figures are in.
public enum Unit {
    /// Messages per second, printed in millions, or as 10^9 bytes per second where they are long.
    MESSAGES_PER_SECOND,
    /// Microseconds.
    MICROSECONDS,
    /// Percent of one processor.
    PERCENT
}
