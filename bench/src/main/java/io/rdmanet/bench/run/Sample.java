package io.rdmanet.bench.run;

import java.util.Map;
import java.util.OptionalDouble;

/// What one run brought.
///
/// @param figure in the subject's unit
/// @param extras what else was seen, by name
public record Sample(double figure, Map<String, Double> extras) {
    /// Bytes allocated per message by the sending thread.
    public static final String SENDER_ALLOCATED = "senderAllocatedBytes";

    /// Bytes allocated per message by the receiving thread.
    public static final String RECEIVER_ALLOCATED = "receiverAllocatedBytes";

    /// The 99.9th percentile, in microseconds.
    public static final String P999 = "p999Micros";

    /// Half a round of the handoff around the run, the faster of the two, in microseconds.
    public static final String HANDOFF = "handoffMicros";

    public Sample {
        extras = Map.copyOf(extras);
    }

    /// A sample with nothing but its figure.
    public static Sample of(double figure) {
        return new Sample(figure, Map.of());
    }

    /// One of the figures.
    ///
    /// @param metric a name of the extras, or an empty string for the figure itself
    public OptionalDouble value(String metric) {
        if (metric.isEmpty()) {
            return OptionalDouble.of(figure);
        }
        Double extra = extras.get(metric);
        return extra == null ? OptionalDouble.empty() : OptionalDouble.of(extra);
    }
}
