/// Microbenchmarks: [io.rdmanet.bench.micro.MicroMain] runs them, in turn, and prints ratios;
/// [io.rdmanet.bench.micro.Card] is what they post to. The benchmarks themselves lie in the
/// packages that they measure: `io.rdmanet.ffm.queue.PostPollBenchmark` and others.
@NullMarked
package io.rdmanet.bench.micro;

import org.jspecify.annotations.NullMarked;
