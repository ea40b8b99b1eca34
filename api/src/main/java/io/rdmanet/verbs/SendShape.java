package io.rdmanet.verbs;

import static java.util.Objects.requireNonNull;

/// What is frozen when a send is prepared: its opcode and how many scatter/gather elements each
/// request has room for.
///
/// @param opcode what each request does
/// @param maxScatterGather 0 (no data) to the queue pair's limit; exactly 1 for atomics
public record SendShape(SendOpcode opcode, int maxScatterGather) {
    public SendShape {
        requireNonNull(opcode, "opcode");
        if (maxScatterGather < 0) {
            throw new IllegalArgumentException("maxScatterGather is negative: " + maxScatterGather);
        }
        if (opcode.isAtomic() && maxScatterGather != 1) {
            throw new IllegalArgumentException(
                    opcode + " has exactly one scatter/gather element, not " + maxScatterGather);
        }
    }

    /// A shape with one scatter/gather element.
    public static SendShape of(SendOpcode opcode) {
        return new SendShape(opcode, 1);
    }
}
