package io.rdmanet.bw.probe;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a [ProcessProbe] saw.
///
/// @param pauses of the virtual machine
/// @param threads the threads that ran, the busiest first; null where the system does not tell
public record ProcessReport(PauseReport pauses, @Nullable List<ThreadPlacement> threads) {
    public ProcessReport {
        threads = threads == null ? null : List.copyOf(threads);
    }
}
