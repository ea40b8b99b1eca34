/// How long a message takes: ping-pong in every tier.
///
/// Start with [io.rdmanet.bw.latency.LatencyClient] and its `Pinger`, one for all modes of a `Conn`
/// and one for the raw tier. Against ib_send_lat it is [io.rdmanet.bw.perftest] that plays.
package io.rdmanet.bw.latency;
