package io.rdmanet.bw.probe;

/// What the virtual machine stopped threads for, in counts and nanoseconds.
///
/// @param safepoints operations for which all threads stopped
/// @param safepointNanos how long those took, once all threads had stopped
/// @param timeToSafepointNanos how long it took to stop all threads, together
/// @param longestTimeToSafepointNanos the longest of these times
/// @param collectionPauses pauses of garbage collection, which are safepoints, too
/// @param collectionNanos how long those took together
/// @param longestCollectionNanos the longest of them
public record PauseReport(
        long safepoints,
        long safepointNanos,
        long timeToSafepointNanos,
        long longestTimeToSafepointNanos,
        long collectionPauses,
        long collectionNanos,
        long longestCollectionNanos) {}
