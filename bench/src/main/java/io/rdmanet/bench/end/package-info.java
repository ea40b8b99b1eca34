/// What the two processes of a measurement do. Reading order: [io.rdmanet.bench.end.End], which
/// takes errands; [io.rdmanet.bench.end.TierErrands] for our own tiers, which are those of
/// `rdmanet-bw`; then the references: [io.rdmanet.bench.end.HandoffErrands],
/// [io.rdmanet.bench.end.AeronErrands].
@NullMarked
package io.rdmanet.bench.end;

import org.jspecify.annotations.NullMarked;
