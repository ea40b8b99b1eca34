/// Prints findings: [io.rdmanet.bench.report.FindingsTable] for people,
/// [io.rdmanet.bench.report.FindingsJson] for programs.
@NullMarked
package io.rdmanet.bench.report;

import org.jspecify.annotations.NullMarked;
