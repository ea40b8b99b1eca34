/// Benchmarks. `bench/run` measures tiers on loopback between processes
/// ([io.rdmanet.bench.run.Harness]), and with `--jmh` the microbenchmarks, which lie in the
/// packages that they measure.
@NullMarked
package io.rdmanet.bench;

import org.jspecify.annotations.NullMarked;
