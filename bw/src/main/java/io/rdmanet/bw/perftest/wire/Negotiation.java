package io.rdmanet.bw.perftest.wire;

/// This end's options, for a peer that compares them with its own ([NegotiationDescriptor]).
///
/// @param runsAllSizes whether all sizes are run
/// @param verb 0 SEND, 2 WRITE, 4 READ
/// @param isLatency whether latency is measured
/// @param durationSeconds length of a run, 0 to go by iterations
/// @param size bytes of each message
/// @param iterations messages of a queue pair
/// @param queuePairs how many
/// @param maxReadAtomic RDMA READs that the device takes at once
public record Negotiation(
        boolean runsAllSizes,
        int verb,
        boolean isLatency,
        int durationSeconds,
        long size,
        long iterations,
        int queuePairs,
        int maxReadAtomic) {}
