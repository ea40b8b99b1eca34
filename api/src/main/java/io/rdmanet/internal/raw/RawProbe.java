package io.rdmanet.internal.raw;

import io.rdmanet.ProbeReport;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;

/// Counts where the time of a raw connection goes, if it is on. It stands between the loops and
/// their verbs ([TimedPostSend] and its kin); if it is off, nothing does, so it costs nothing.
///
/// A poll that finds nothing begins a wait, which the next poll that finds something ends. Belongs
/// to the connection's thread.
final class RawProbe {
    private final boolean isOn;
    private long workRequests;
    private long postNanos;
    private long pollNanos;
    private long completionWaitNanos;
    private long receiveWaitNanos;

    RawProbe(boolean isOn) {
        this.isOn = isOn;
    }

    /// Stands before a send, if it is on.
    PostSend timed(PostSend send) {
        return isOn ? new TimedPostSend(send, this) : send;
    }

    /// Stands before a receive, if it is on.
    PostReceive timed(PostReceive receive) {
        return isOn ? new TimedPostReceive(receive, this) : receive;
    }

    /// Stands before a poll, if it is on.
    ///
    /// @param isOfSends whether sends complete there, or receives
    PollCompletions timed(PollCompletions poll, boolean isOfSends) {
        return isOn ? new TimedPollCompletions(poll, this, isOfSends) : poll;
    }

    /// Work requests were posted.
    ///
    /// @param start the time before
    void posted(int count, long start) {
        postNanos += System.nanoTime() - start;
        workRequests += count;
    }

    /// A poll found something.
    void polled(long nanos) {
        pollNanos += nanos;
    }

    /// A wait is over.
    void waited(boolean isForSends, long nanos) {
        if (isForSends) {
            completionWaitNanos += nanos;
        } else {
            receiveWaitNanos += nanos;
        }
    }

    ProbeReport report() {
        return new ProbeReport(
                workRequests, postNanos, pollNanos, 0, completionWaitNanos, receiveWaitNanos);
    }
}
