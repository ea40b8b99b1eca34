package io.rdmanet.bw.run;

import java.util.Arrays;
import java.util.stream.Collectors;

/// The tiers that can be measured, from easy to fast.
public enum Mode {
    /// `Conn.sendMsg`, one message in flight.
    MSG("msg", 1),
    /// `Conn.sendBatch`.
    BATCH("batch", 2),
    /// `Conn.claim` and commit; leases on the other end.
    ZERO_COPY("zero-copy", 3),
    /// `RawConn`: nothing but verbs.
    RAW("raw", 4);

    private final String label;
    private final int code;

    Mode(String label, int code) {
        this.label = label;
        this.code = code;
    }

    /// The name in options and reports.
    public String label() {
        return label;
    }

    /// The number in control records.
    int code() {
        return code;
    }

    /// The mode with a name.
    ///
    /// @throws IllegalArgumentException naming all modes if there is none
    public static Mode ofLabel(String label) {
        for (Mode mode : values()) {
            if (mode.label.equals(label)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(
                "there is no mode '"
                        + label
                        + "'; there are "
                        + Arrays.stream(values())
                                .map(Mode::label)
                                .collect(Collectors.joining(", ")));
    }

    /// The mode with a number, of those that a [io.rdmanet.Conn] has.
    ///
    /// @throws IllegalArgumentException if there is none
    static Mode ofConnCode(int code) {
        for (Mode mode : values()) {
            if (mode.code == code && mode != RAW) {
                return mode;
            }
        }
        throw new IllegalArgumentException("unknown mode " + code);
    }
}
