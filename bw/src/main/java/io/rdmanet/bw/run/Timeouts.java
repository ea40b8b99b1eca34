package io.rdmanet.bw.run;

import java.time.Duration;

/// Time limits in words.
public final class Timeouts {
    private Timeouts() {}

    /// Seconds without decimals where there are none: `30`, `0.25`.
    public static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? "" + time.toSeconds() : "" + time.toMillis() / 1000.0;
    }
}
