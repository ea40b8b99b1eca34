package io.rdmanet.loopback;

import io.rdmanet.verbs.CompletionStatus;

/// How long the head of a send queue may wait for its peer (InfiniBand specification 9.7.5.2.8 and
/// 11.6.2). Belongs to the holder of the execution right.
final class RetryTimer {
    /// The peer has no receive posted.
    static final int NOT_READY = -1;

    /// The peer does not answer.
    static final int UNREACHABLE = -2;

    /// The peer's device is working on it.
    static final int IN_PROGRESS = -3;

    private static final int ENDLESS_RNR_RETRIES = 7;
    private static final long TIMEOUT_UNIT_NANOS = 4_096;

    /// Table 45, in units of 10 us; code 0 is the longest.
    private static final int[] RNR_UNITS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
        1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private static final long RNR_UNIT_NANOS = 10_000;

    private final DeviceCounters counters;
    private int timeoutExponent;
    private int retryCount;
    private int rnrRetryCount;
    private int waitingFor;
    private long waitingSince;

    RetryTimer(DeviceCounters counters) {
        this.counters = counters;
    }

    /// Sets the attributes of the queue pair.
    void configure(int newTimeoutExponent, int newRetryCount, int newRnrRetryCount) {
        timeoutExponent = newTimeoutExponent;
        retryCount = newRetryCount;
        rnrRetryCount = newRnrRetryCount;
        reset();
    }

    /// The head of the queue got on.
    void reset() {
        waitingFor = 0;
    }

    /// The head of the queue could not get on.
    ///
    /// @param reason [#NOT_READY], [#UNREACHABLE] or [#IN_PROGRESS]
    /// @param minRnrTimer the peer's code for the time between two tries
    /// @return the reason again, or the status to give up with
    int check(int reason, int minRnrTimer) {
        if (reason == IN_PROGRESS) {
            return reason;
        }
        long now = System.nanoTime();
        if (waitingFor != reason) {
            waitingFor = reason;
            waitingSince = now;
            if (reason == NOT_READY) {
                counters.onReceiverNotReady();
            }
        }
        return reason == NOT_READY
                ? checkNotReady(now - waitingSince, minRnrTimer)
                : checkUnreachable(now - waitingSince);
    }

    private int checkNotReady(long waited, int minRnrTimer) {
        long limit = rnrRetryCount * RNR_UNIT_NANOS * RNR_UNITS[minRnrTimer & 31];
        if (rnrRetryCount == ENDLESS_RNR_RETRIES || waited < limit) {
            return NOT_READY;
        }
        counters.onReceiverNotReadyExceeded();
        return CompletionStatus.RNR_RETRY_EXCEEDED_ERROR.code();
    }

    private int checkUnreachable(long waited) {
        long limit = (TIMEOUT_UNIT_NANOS << timeoutExponent) * (retryCount + 1L);
        if (timeoutExponent == 0 || waited < limit) {
            return UNREACHABLE;
        }
        counters.onRetryExceeded();
        return CompletionStatus.RETRY_EXCEEDED_ERROR.code();
    }
}
