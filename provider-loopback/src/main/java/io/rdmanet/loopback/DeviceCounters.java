package io.rdmanet.loopback;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/// What the device counts, under the names that Soft-RoCE has for it where it counts them, too.
/// Only faults are counted, so that counting costs the data path nothing.
final class DeviceCounters {
    private final LongAdder receiverNotReady = new LongAdder();
    private final LongAdder receiverNotReadyExceeded = new LongAdder();
    private final LongAdder retryExceeded = new LongAdder();
    private final LongAdder datagramsWithoutReceiver = new LongAdder();
    private final LongAdder datagramsNotAccepted = new LongAdder();
    private final LongAdder datagramsWithoutReceive = new LongAdder();

    /// A send met no posted receive.
    void onReceiverNotReady() {
        receiverNotReady.increment();
    }

    /// A send gave up for want of a posted receive.
    void onReceiverNotReadyExceeded() {
        receiverNotReadyExceeded.increment();
    }

    /// A send gave up for want of an answer.
    void onRetryExceeded() {
        retryExceeded.increment();
    }

    /// A datagram was lost because nobody has the number it went to.
    void onDatagramWithoutReceiver() {
        datagramsWithoutReceiver.increment();
    }

    /// A datagram was lost because its receiver is not ready, or has another queue key.
    void onDatagramNotAccepted() {
        datagramsNotAccepted.increment();
    }

    /// A datagram was lost for want of a posted receive that is long enough.
    void onDatagramWithoutReceive() {
        datagramsWithoutReceive.increment();
    }

    Map<String, Long> snapshot() {
        Map<String, Long> counts = new TreeMap<>();
        counts.put("rcvd_rnr_err", receiverNotReady.sum());
        counts.put("retry_rnr_exceeded_err", receiverNotReadyExceeded.sum());
        counts.put("retry_exceeded_err", retryExceeded.sum());
        counts.put("sent_datagrams_without_receiver", datagramsWithoutReceiver.sum());
        counts.put("sent_datagrams_not_accepted", datagramsNotAccepted.sum());
        counts.put("sent_datagrams_without_receive", datagramsWithoutReceive.sum());
        return counts;
    }
}
