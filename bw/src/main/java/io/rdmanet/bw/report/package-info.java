/// What is shown: text, JSON and CSV, all made from [io.rdmanet.bw.run.CellResult].
///
/// [io.rdmanet.bw.report.ConsoleReport] follows a measurement line by line;
/// [io.rdmanet.bw.report.RawTable] is its part that stands beside ib_send_bw.
/// [io.rdmanet.bw.report.JsonReport] has the schema that [io.rdmanet.bw.report.CsvReport] shares.
/// [io.rdmanet.bw.report.ComparisonReport] and [io.rdmanet.bw.report.ProvidersReport] belong to the
/// subcommands.
package io.rdmanet.bw.report;
