package io.rdmanet.loopback;

import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.QueuePairState;
import org.jspecify.annotations.Nullable;

/// Gets on with posted sends, in order. Everything happens under the queue pair's execution right,
/// which whoever posts or polls, or the device's thread, takes for a moment.
final class SendLoop {
    private static final int SUCCESS = CompletionStatus.SUCCESS.code();
    private static final int FLUSHED = CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code();

    private SendLoop() {}

    /// Gets on with a queue as far as possible.
    ///
    /// @param executor null if the peer was never found
    /// @return whether there is a new completion in the queue
    static boolean run(
            QueuePairWork queuePair,
            SendQueue queue,
            RetryTimer timer,
            @Nullable SendExecutor executor) {
        long position = queue.executed();
        long end = queue.postedAcquire();
        if (position == end) {
            return queue.publish(); // what an exception kept from being shown
        }
        int state = queuePair.stateCode();
        if (state == QueuePairState.READY_TO_SEND.code()) {
            position = execute(queuePair, queue, timer, executor, position, end);
            state = queuePair.stateCode();
        }
        if (state == QueuePairState.ERROR.code()) {
            while (position < end) {
                queue.complete(position, FLUSHED, 0);
                position++;
            }
        }
        return queue.publish();
    }

    /// Executes requests where they were prepared, as long as nothing is in their way: all that was
    /// posted before is finished, there is room for their completions, and the peer takes them at
    /// once. For the posting thread; what is left is to be posted.
    ///
    /// @return how many were executed
    static int runPrepared(
            QueuePairWork queuePair,
            SendQueue queue,
            @Nullable SendExecutor executor,
            SendRequests prepared,
            int first,
            int count) {
        if (executor == null
                || queue.hasUnfinished()
                || queuePair.stateCode() != QueuePairState.READY_TO_SEND.code()
                || !executor.isReachable()) {
            return 0;
        }
        int limit = queue.room(count);
        int done = 0;
        try {
            while (done < limit) {
                int index = first + done;
                int together = executor.executeShort(prepared, index, limit - done);
                if (together > 0) {
                    queue.completeAll(prepared, index, together);
                    done += together;
                    continue;
                }
                int status = executor.execute(prepared, index);
                if (status < 0) {
                    break;
                }
                queue.completeUnposted(prepared, index, status);
                done++;
                if (status != SUCCESS) {
                    queuePair.fail();
                    break;
                }
            }
        } finally {
            queue.postExecuted();
            executor.announce();
        }
        return done;
    }

    private static long execute(
            QueuePairWork queuePair,
            SendQueue queue,
            RetryTimer timer,
            @Nullable SendExecutor executor,
            long start,
            long end) {
        boolean isReachable = executor != null && executor.isReachable();
        try {
            return executeAll(queuePair, queue, timer, isReachable ? executor : null, start, end);
        } finally {
            if (executor != null) {
                executor.announce();
            }
        }
    }

    private static long executeAll(
            QueuePairWork queuePair,
            SendQueue queue,
            RetryTimer timer,
            @Nullable SendExecutor executor,
            long start,
            long end) {
        long position = start;
        while (position < end) {
            int slot = queue.slot(position);
            int status =
                    executor == null
                            ? RetryTimer.UNREACHABLE
                            : executor.execute(queue.requests(), slot);
            if (status < 0) {
                status = timer.check(status, executor == null ? 0 : executor.minRnrTimer());
                if (status < 0) {
                    break;
                }
            } else {
                timer.reset();
            }
            queue.complete(position, status, queue.requests().total(slot));
            position++;
            if (status != SUCCESS) {
                queuePair.fail();
                break;
            }
        }
        return position;
    }
}
