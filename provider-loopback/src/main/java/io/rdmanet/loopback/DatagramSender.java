package io.rdmanet.loopback;

import io.rdmanet.verbs.GlobalIdentifier;

/// Who sends datagrams, as their receivers see it.
///
/// @param gid the device's
/// @param number the queue pair's
/// @param counters where losses are counted
record DatagramSender(GlobalIdentifier gid, int number, DeviceCounters counters) {
    /// What a claim of this sender's says.
    long device() {
        return gid.low();
    }
}
