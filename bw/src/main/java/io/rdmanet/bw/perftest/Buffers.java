package io.rdmanet.bw.perftest;

/// Where messages lie in the memory of an end, as the C tools lay it out. Pure arithmetic.
///
/// ```
/// | sends of qp 0 | sends of qp 1 | ... | target of qp 0 | target of qp 1 | ... |
/// |<-- stride --->|                     ^ what the peer is told
/// ```
///
/// Short messages go round in the cycle buffer, long ones lie in one place.
///
/// @param queuePairs how many
/// @param largestSize bytes of the longest message
/// @param cycleBufferBytes what short messages go round in
/// @param cacheLineBytes each message begins at one
record Buffers(int queuePairs, int largestSize, int cycleBufferBytes, int cacheLineBytes) {
    /// Bytes of one queue pair's sends, and of its target.
    long stride() {
        return roundedUp(Math.max(largestSize, cycleBufferBytes));
    }

    /// Bytes of it all.
    long bytes() {
        return 2L * queuePairs * stride();
    }

    /// Where a queue pair sends from.
    long sendOffset(int queuePair) {
        return queuePair * stride();
    }

    /// Where a queue pair receives, and the peer writes or reads.
    long targetOffset(int queuePair) {
        return (queuePairs + queuePair) * stride();
    }

    /// Where in its stride a message lies.
    ///
    /// @param index of the message
    /// @param size bytes of each
    long messageOffset(int index, int size) {
        long step = Math.max(roundedUp(size), cacheLineBytes);
        return size > cycleBufferBytes / 2 ? 0 : index % (cycleBufferBytes / step) * step;
    }

    private long roundedUp(long bytes) {
        return (bytes + cacheLineBytes - 1) / cacheLineBytes * cacheLineBytes;
    }
}
