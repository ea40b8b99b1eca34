/// Measures subjects side by side. Reading order: [io.rdmanet.bench.run.Subject], something with a
/// figure; [io.rdmanet.bench.run.Harness], which takes them in turn and lets no figure pass whose
/// gate failed; [io.rdmanet.bench.run.Target], what a figure should reach; then the subjects:
/// [io.rdmanet.bench.run.TierSubject] and those beside it, each with two processes of its own
/// ([io.rdmanet.bench.run.Pair]).
@NullMarked
package io.rdmanet.bench.run;

import org.jspecify.annotations.NullMarked;
