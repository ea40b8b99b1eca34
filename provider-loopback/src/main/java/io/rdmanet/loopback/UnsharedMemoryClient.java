package io.rdmanet.loopback;

import io.rdmanet.loopback.link.PeerLink;
import io.rdmanet.loopback.link.RemoteOperation;
import io.rdmanet.loopback.link.ReplyHandler;
import io.rdmanet.loopback.memory.SharedFile;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Reaches memory of the peer that is not shared, by asking the peer's device to copy between it
/// and a staging buffer of this queue pair: one copy and two wake-ups more per 256 KiB, and
/// correct.
///
/// One request is on its way at a time. Belongs to the holder of the execution right, except for
/// the answer, which a turn of the hub's reactor brings.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | phase | holder of the execution right; a turn that brings the answer | volatile | volatile | replyStatus, replyValue |
final class UnsharedMemoryClient implements ReplyHandler {
    /// Operation codes, as [UnsharedMemoryServer] understands them.
    static final int WRITE = 1;

    static final int READ = 2;
    static final int SEND = 3;
    static final int COMPARE_AND_SWAP = 4;
    static final int FETCH_AND_ADD = 5;

    static final long STAGING_BYTES = 256 << 10;

    private static final int IDLE = 0;
    private static final int WAITING = 1;
    private static final int ANSWERED = 2;

    private final QueuePairWork queuePair;
    private final PeerLink link;
    private final int peerNumber;
    private final long stagingId;
    private @Nullable MemorySegment staging;
    private @Nullable Path file;
    private long done;
    private long asked;
    private int replyStatus;
    private long replyValue;
    private volatile int phase = IDLE;

    UnsharedMemoryClient(QueuePairWork queuePair, RemoteQueuePair peer) {
        this.queuePair = queuePair;
        link = peer.link();
        peerNumber = peer.number();
        stagingId = queuePair.context().regions().newRegionId();
    }

    /// The name of a staging buffer's file.
    static String fileName(long stagingId) {
        return "st-" + Long.toHexString(stagingId);
    }

    /// Sends into a receive whose buffers are not shared.
    int send(SendRequests requests, int index, long receivePosition, long total) {
        return pushOut(requests, index, SEND, 0, receivePosition, total);
    }

    /// Writes to a region that is not shared.
    int write(SendRequests requests, int index, long total) {
        return pushOut(
                requests,
                index,
                WRITE,
                requests.remoteKey(index),
                requests.remoteAddress(index),
                total);
    }

    private int pushOut(
            SendRequests requests, int index, int code, int key, long address, long total) {
        int status = collect();
        if (status != CompletionStatus.SUCCESS.code() || done == total) {
            return finish(status, total);
        }
        MemorySegment buffer = staging();
        if (buffer == null) {
            return CompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR.code();
        }
        long part = Math.min(STAGING_BYTES, total - done);
        requests.gather(index, done, buffer, 0, part);
        return ask(new RemoteOperation(code, peerNumber, key, address, part, stagingId, done));
    }

    /// Reads from a region that is not shared.
    int read(SendRequests requests, int index, long total) {
        MemorySegment buffer = staging();
        if (buffer == null) {
            return CompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR.code();
        }
        long before = done;
        int status = collect();
        if (status == CompletionStatus.SUCCESS.code() && done > before) {
            requests.scatter(index, before, buffer, 0, done - before);
        }
        if (status != CompletionStatus.SUCCESS.code() || done == total) {
            return finish(status, total);
        }
        long part = Math.min(STAGING_BYTES, total - done);
        return ask(
                new RemoteOperation(
                        READ,
                        peerNumber,
                        requests.remoteKey(index),
                        requests.remoteAddress(index),
                        part,
                        stagingId,
                        done));
    }

    /// Does an atomic on a region that is not shared.
    int atomic(SendRequests requests, int index, MemorySegment result) {
        int status = collect();
        if (status == CompletionStatus.SUCCESS.code() && done == Long.BYTES) {
            result.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, replyValue);
            requests.scatter(index, 0, result, 0, Long.BYTES);
        }
        if (status != CompletionStatus.SUCCESS.code() || done == Long.BYTES) {
            return finish(status, Long.BYTES);
        }
        int code =
                requests.opcode(index) == SendOpcode.ATOMIC_COMPARE_AND_SWAP
                        ? COMPARE_AND_SWAP
                        : FETCH_AND_ADD;
        return ask(
                new RemoteOperation(
                        code,
                        peerNumber,
                        requests.remoteKey(index),
                        requests.remoteAddress(index),
                        Long.BYTES,
                        requests.firstOperand(index),
                        requests.secondOperand(index)));
    }

    @Override
    public void onReply(int status, long value) {
        replyStatus = status;
        replyValue = value;
        phase = ANSWERED;
        try {
            queuePair.progress();
        } catch (RuntimeException e) {
            // The queue pair is in ERROR; the reactor, which brought the answer, lives on.
            System.getLogger(UnsharedMemoryClient.class.getName())
                    .log(System.Logger.Level.ERROR, queuePair + " failed", e);
        }
    }

    /// Removes the staging file.
    void close() {
        Path staged = file;
        if (staged != null) {
            SharedFile.delete(staged);
        }
    }

    /// Takes an answer, if there is one, into account.
    private int collect() {
        int current = phase;
        if (current == WAITING) {
            return RetryTimer.IN_PROGRESS;
        }
        if (current == IDLE) {
            return CompletionStatus.SUCCESS.code();
        }
        phase = IDLE;
        if (replyStatus == PEER_GONE) {
            return CompletionStatus.RETRY_EXCEEDED_ERROR.code();
        }
        if (replyStatus == CompletionStatus.SUCCESS.code()) {
            done += asked;
        }
        return replyStatus;
    }

    private int ask(RemoteOperation operation) {
        asked = operation.length();
        phase = WAITING;
        if (!link.request(operation, this)) {
            phase = IDLE;
        }
        return RetryTimer.IN_PROGRESS;
    }

    private int finish(int status, long total) {
        if (status >= 0 && (status != CompletionStatus.SUCCESS.code() || done == total)) {
            done = 0;
        }
        return status;
    }

    private @Nullable MemorySegment staging() {
        if (staging == null) {
            try {
                Path path =
                        queuePair
                                .context()
                                .hub()
                                .instance()
                                .memoryDirectory(STAGING_BYTES)
                                .resolve(fileName(stagingId));
                staging = SharedFile.create(path, STAGING_BYTES, Arena.ofAuto());
                file = path;
            } catch (VerbsException e) {
                System.getLogger(UnsharedMemoryClient.class.getName())
                        .log(System.Logger.Level.WARNING, "no staging buffer", e);
            }
        }
        return staging;
    }
}
