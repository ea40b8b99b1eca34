/// What the C tools of perftest (ib_send_bw and its kin) say to each other over TCP. Knows no
/// device.
///
/// Start with [io.rdmanet.bw.perftest.wire.Exchange], the lock-step; each `Descriptor` is the
/// layout of one message, and [io.rdmanet.bw.perftest.wire.PeerSocket] the connection.
package io.rdmanet.bw.perftest.wire;
