/// Measuring against the C tools of perftest, one end Java and the other C.
///
/// Start with [io.rdmanet.bw.perftest.Perftest] and [io.rdmanet.bw.perftest.PerftestRun], which has
/// the order of things; [io.rdmanet.bw.perftest.Traffic] is the loop that is timed. What travels
/// over TCP is in [io.rdmanet.bw.perftest.wire].
package io.rdmanet.bw.perftest;
