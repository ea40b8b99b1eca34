/// RDMA messaging: the front door.
///
/// Start with [io.rdmanet.Rdmanet]: it dials and listens. [io.rdmanet.Conn] carries messages with
/// framing and flow control, singly, in batches, or without copies; [io.rdmanet.RawConn] is verbs
/// and nothing in between. [io.rdmanet.EndpointOptions], [io.rdmanet.ConnOptions] and
/// [io.rdmanet.RawOptions] say how.
///
/// Every call that can block has a deadline, [io.rdmanet.EndpointOptions#timeout()], and fails with
/// [io.rdmanet.DeadlineException] when it passes. All errors are `IOException`s whose message says
/// what was tried, on what, what was answered and what to do.
package io.rdmanet;
