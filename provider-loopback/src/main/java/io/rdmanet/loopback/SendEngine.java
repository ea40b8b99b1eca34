package io.rdmanet.loopback;

import io.rdmanet.loopback.memory.PeerRegion;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Executes posted sends of a connection: **the one place that decides who copies**. It is the
/// sender's side, straight from its region into the peer's; of long messages the peer may take a
/// part ([CopyOffer]).
final class SendEngine implements SendExecutor {
    private static final int SUCCESS = 0;
    private static final int LOCAL_PROTECTION = CompletionStatus.LOCAL_PROTECTION_ERROR.code();
    private static final int LOCAL_LENGTH = CompletionStatus.LOCAL_LENGTH_ERROR.code();
    private static final int REMOTE_ACCESS = CompletionStatus.REMOTE_ACCESS_ERROR.code();
    private static final int REMOTE_OPERATION = CompletionStatus.REMOTE_OPERATION_ERROR.code();
    private static final int REMOTE_INVALID = CompletionStatus.REMOTE_INVALID_REQUEST_ERROR.code();
    private static final int RECEIVED =
            QueuePairDescriptor.outcome(SUCCESS, CompletionOpcode.RECEIVE.code(), false);
    private static final int RECEIVED_IMMEDIATE =
            QueuePairDescriptor.outcome(SUCCESS, CompletionOpcode.RECEIVE.code(), true);
    private static final int WRITTEN_IMMEDIATE =
            QueuePairDescriptor.outcome(
                    SUCCESS, CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE.code(), true);
    private static final int RECEIVE_TOO_SMALL =
            QueuePairDescriptor.outcome(LOCAL_LENGTH, CompletionOpcode.RECEIVE.code(), false);
    private static final int RECEIVE_NOT_ALLOWED =
            QueuePairDescriptor.outcome(LOCAL_PROTECTION, CompletionOpcode.RECEIVE.code(), false);
    private static final int NOT_SENT = -1;
    private static final long ATOMIC_BYTES = 8;

    private final QueuePairWork work;
    private final RemoteQueuePair peer;
    private final UnsharedMemoryClient unshared;
    private final MemorySegment atomicResult;
    private final CopyOffer offer;
    private final ShortSends shortSends;

    SendEngine(
            QueuePairWork work,
            RemoteQueuePair peer,
            UnsharedMemoryClient unshared,
            MemorySegment atomicResult) {
        this.work = work;
        this.peer = peer;
        this.unshared = unshared;
        this.atomicResult = atomicResult;
        this.offer = new CopyOffer(peer.copyOffer());
        this.shortSends = new ShortSends(peer);
    }

    @Override
    public boolean isReachable() {
        return work.isAcceptedBy(peer);
    }

    @Override
    public int minRnrTimer() {
        return peer.minRnrTimer();
    }

    @Override
    public void announce() {
        peer.announce();
    }

    @Override
    public int execute(SendRequests requests, int index) {
        if (!requests.hasOpenRegions(index)) {
            return LOCAL_PROTECTION;
        }
        peer.beforeCopying(requests.total(index));
        try {
            return switch (requests.opcode(index)) {
                case SEND -> send(requests, index, RECEIVED);
                case SEND_WITH_IMMEDIATE -> send(requests, index, RECEIVED_IMMEDIATE);
                case RDMA_WRITE -> write(requests, index);
                case RDMA_WRITE_WITH_IMMEDIATE -> writeWithImmediate(requests, index);
                case RDMA_READ -> read(requests, index);
                case ATOMIC_COMPARE_AND_SWAP, ATOMIC_FETCH_AND_ADD -> atomic(requests, index);
            };
        } catch (IllegalStateException regionClosedMeanwhile) {
            return LOCAL_PROTECTION;
        }
    }

    @Override
    public int executeShort(SendRequests requests, int first, int count) {
        int outcome =
                switch (requests.opcode(first)) {
                    case SEND -> RECEIVED;
                    case SEND_WITH_IMMEDIATE -> RECEIVED_IMMEDIATE;
                    default -> NOT_SENT;
                };
        boolean isShort =
                outcome != NOT_SENT && shortSends.takes(requests) && offer.readiness() == SUCCESS;
        return isShort ? shortSends.execute(requests, first, count, outcome) : 0;
    }

    // ---- two-sided

    private int send(SendRequests requests, int index, int outcome) {
        int readiness = offer.readiness();
        if (readiness != SUCCESS) {
            return readiness;
        }
        long entry = peer.nextReceive();
        if (entry == 0) {
            return RetryTimer.NOT_READY;
        }
        int total = requests.total(index);
        int count =
                Math.min(
                        Words.intAt(entry + QueuePairDescriptor.RECEIVE_COUNT_OFFSET),
                        peer.maxReceiveElements());
        if (total > 0) {
            int status;
            if ((Words.intAt(entry + QueuePairDescriptor.RECEIVE_FLAGS_OFFSET)
                            & QueuePairDescriptor.RECEIVE_UNSHARED)
                    != 0) {
                status = sendUnshared(requests, index, entry, count, total);
            } else {
                status = deliver(requests, index, entry, count, total);
            }
            if (status != SUCCESS) {
                return isReceiversFault(status) ? refuse(status) : status;
            }
        }
        peer.completeReceive(
                outcome, total, requests.immediate(index), requests.isSolicited(index));
        return SUCCESS;
    }

    private int deliver(SendRequests requests, int index, long entry, int count, int total) {
        if (count == 1) {
            long element = element(entry, 0);
            int length = Words.intAt(element + QueuePairDescriptor.ELEMENT_LENGTH_OFFSET);
            int status =
                    deliverElement(requests, index, element, length, 0, Math.min(length, total));
            return status != SUCCESS || length >= total ? status : LOCAL_LENGTH;
        }
        int done = 0;
        for (int i = 0; i < count && done < total; i++) {
            long element = element(entry, i);
            int length = Words.intAt(element + QueuePairDescriptor.ELEMENT_LENGTH_OFFSET);
            int part = Math.min(length, total - done);
            int status = deliverElement(requests, index, element, length, done, part);
            if (status != SUCCESS) {
                return status;
            }
            done += part;
        }
        return done == total ? SUCCESS : LOCAL_LENGTH;
    }

    private int deliverElement(
            SendRequests requests, int index, long element, int length, int skip, int part) {
        long offset = Words.longAt(element + QueuePairDescriptor.ELEMENT_OFFSET_OFFSET);
        PeerRegion region =
                peer.regions().find(Words.intAt(element + QueuePairDescriptor.ELEMENT_KEY_OFFSET));
        if (region == null || !region.contains(offset, length)) {
            return LOCAL_PROTECTION;
        }
        if (part >= CopyOffer.LEAST_BYTES && isOffered(requests, index, part)) {
            return offer.copy(
                    requests, index, part, peer.nextReceivePosition(), region.memory(), offset);
        }
        requests.gather(index, skip, region.memory(), offset, part);
        return SUCCESS;
    }

    /// Whether the peer may copy a part: it can if the whole message goes from one region to one
    /// other, and asks only for receives of its own.
    private boolean isOffered(SendRequests requests, int index, int part) {
        return part == requests.total(index)
                && requests.isInOneSharedRegion(index)
                && !peer.hasPool();
    }

    private int sendUnshared(SendRequests requests, int index, long entry, int count, int total) {
        long room = 0;
        for (int i = 0; i < count; i++) {
            room += Words.intAt(element(entry, i) + QueuePairDescriptor.ELEMENT_LENGTH_OFFSET);
        }
        return room < total
                ? LOCAL_LENGTH
                : unshared.send(requests, index, peer.nextReceivePosition(), total);
    }

    /// The rest is this end's: no answer yet, a peer that has gone, no staging buffer.
    private static boolean isReceiversFault(int status) {
        return status == LOCAL_LENGTH || status == LOCAL_PROTECTION || status == REMOTE_OPERATION;
    }

    /// The receive cannot take the message: both ends fail, each with its own status.
    private int refuse(int receiveStatus) {
        int outcome = receiveStatus == LOCAL_LENGTH ? RECEIVE_TOO_SMALL : RECEIVE_NOT_ALLOWED;
        peer.completeReceive(outcome, 0, 0, true);
        peer.fail(false);
        return REMOTE_INVALID;
    }

    private static long element(long entry, int index) {
        return entry
                + QueuePairDescriptor.ELEMENTS_OFFSET
                + (long) index * QueuePairDescriptor.ELEMENT_BYTES;
    }

    // ---- one-sided

    private int write(SendRequests requests, int index) {
        return transfer(requests, index, AccessFlag.REMOTE_WRITE.mask());
    }

    private int writeWithImmediate(SendRequests requests, int index) {
        if (peer.nextReceive() == 0) {
            return RetryTimer.NOT_READY;
        }
        int status = write(requests, index);
        if (status == SUCCESS) {
            peer.completeReceive(
                    WRITTEN_IMMEDIATE,
                    requests.total(index),
                    requests.immediate(index),
                    requests.isSolicited(index));
        }
        return status;
    }

    private int read(SendRequests requests, int index) {
        return transfer(requests, index, AccessFlag.REMOTE_READ.mask());
    }

    /// Copies between the request's memory and the peer's.
    ///
    /// @param accessMask what the peer must allow, which is also the direction
    private int transfer(SendRequests requests, int index, int accessMask) {
        int total = requests.total(index);
        if (!peer.allows(accessMask)) {
            return violate(REMOTE_INVALID);
        }
        if (total == 0) {
            return SUCCESS;
        }
        PeerRegion region = target(requests, index, accessMask, total);
        if (region == null) {
            return violate(REMOTE_ACCESS);
        }
        boolean isRead = accessMask == AccessFlag.REMOTE_READ.mask();
        if (!region.isShared()) {
            return answer(
                    isRead
                            ? unshared.read(requests, index, total)
                            : unshared.write(requests, index, total));
        }
        long offset = offsetIn(region, requests, index, total);
        if (isRead) {
            requests.scatter(index, 0, region.memory(), offset, total);
        } else {
            requests.gather(index, 0, region.memory(), offset, total);
        }
        return SUCCESS;
    }

    private int atomic(SendRequests requests, int index) {
        if (!peer.allows(AccessFlag.REMOTE_ATOMIC.mask())) {
            return violate(REMOTE_INVALID);
        }
        PeerRegion region = target(requests, index, AccessFlag.REMOTE_ATOMIC.mask(), ATOMIC_BYTES);
        if (region == null) {
            return violate(REMOTE_ACCESS);
        }
        if (!region.isShared()) {
            return answer(unshared.atomic(requests, index, atomicResult));
        }
        long address = region.memory().address() + offsetIn(region, requests, index, ATOMIC_BYTES);
        atomicResult.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, applyAtomic(requests, index, address));
        requests.scatter(index, 0, atomicResult, 0, ATOMIC_BYTES);
        return SUCCESS;
    }

    private static long applyAtomic(SendRequests requests, int index, long address) {
        long first = requests.firstOperand(index);
        return switch (requests.opcode(index)) {
            case ATOMIC_COMPARE_AND_SWAP ->
                    Words.compareAndExchangeLong(address, first, requests.secondOperand(index));
            case ATOMIC_FETCH_AND_ADD -> Words.getAndAddLong(address, first);
            default -> throw new AssertionError(requests.opcode(index));
        };
    }

    /// The peer's region that a one-sided request names, or null if it may not use it like that.
    private @Nullable PeerRegion target(
            SendRequests requests, int index, int accessMask, long bytes) {
        PeerRegion region = peer.regions().find(requests.remoteKey(index));
        boolean isAllowed =
                region != null
                        && region.allows(accessMask)
                        && region.domain() == peer.domain()
                        && region.offsetOf(requests.remoteAddress(index), bytes) >= 0;
        return isAllowed ? region : null;
    }

    private long offsetIn(PeerRegion region, SendRequests requests, int index, long bytes) {
        return region.offsetOf(requests.remoteAddress(index), bytes);
    }

    private int answer(int status) {
        return status == REMOTE_ACCESS ? violate(status) : status;
    }

    /// A request against the peer's rules: it fails, and so does the peer's end.
    private int violate(int status) {
        peer.fail(true);
        return status;
    }
}
