/// What slows a run down from outside its loops: pauses of the virtual machine, and the processors
/// that threads ran on.
///
/// Start with [io.rdmanet.bw.probe.ProcessProbe]. Where the time of a connection itself goes is in
/// [io.rdmanet.ProbeReport].
package io.rdmanet.bw.probe;
