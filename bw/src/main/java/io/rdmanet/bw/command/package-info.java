/// The command line: what the user asked for, checked, and the exit status. The only package that
/// knows picocli.
///
/// Start with [io.rdmanet.bw.command.Main], then [io.rdmanet.bw.command.BandwidthCommand].
/// [io.rdmanet.bw.command.OptionRules] is the table of which option means something when.
package io.rdmanet.bw.command;
