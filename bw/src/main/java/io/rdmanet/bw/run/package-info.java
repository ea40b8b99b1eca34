/// What is measured, and how.
///
/// Read [io.rdmanet.bw.run.Client] and [io.rdmanet.bw.run.Server] first: they connect, agree and go
/// through the runs. What the two say to each other over a [io.rdmanet.Conn] is in
/// [io.rdmanet.bw.run.ControlDescriptor], over a [io.rdmanet.RawConn] in
/// [io.rdmanet.bw.run.RunTagDescriptor]. The loops that are timed are
/// [io.rdmanet.bw.run.ConnSender], [io.rdmanet.bw.run.ConnReceiver] and, in the raw tier, those of
/// `RawConn` itself. [io.rdmanet.bw.run.Comparison] runs both ends as processes of its own.
package io.rdmanet.bw.run;
