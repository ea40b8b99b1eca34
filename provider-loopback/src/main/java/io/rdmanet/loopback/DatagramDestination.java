package io.rdmanet.loopback;

import io.rdmanet.loopback.link.PeerLink;
import io.rdmanet.loopback.memory.PeerRegion;
import io.rdmanet.loopback.ring.GlobalRouteEncoder;
import io.rdmanet.loopback.ring.LandingDescriptor;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.GlobalRouteDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// One receiver of one queue pair's datagrams. Found when it is first sent to, and again when it
/// has been reset since.
///
/// Belongs to the holder of the sender's execution right. While it delivers it has the receiver's
/// [DatagramClaim], too.
final class DatagramDestination {
    private static final int SUCCESS = CompletionStatus.SUCCESS.code();
    private static final int RECEIVED =
            QueuePairDescriptor.outcome(SUCCESS, CompletionOpcode.RECEIVE.code(), false)
                    | QueuePairDescriptor.DATAGRAM_FLAG;
    private static final int RECEIVED_IMMEDIATE =
            QueuePairDescriptor.outcome(SUCCESS, CompletionOpcode.RECEIVE.code(), true)
                    | QueuePairDescriptor.DATAGRAM_FLAG;
    private static final int RECEIVE_NOT_ALLOWED =
            QueuePairDescriptor.outcome(
                    CompletionStatus.LOCAL_PROTECTION_ERROR.code(),
                    CompletionOpcode.RECEIVE.code(),
                    false);

    private static final int ROUTE = GlobalRouteDescriptor.BYTES;

    /// A claim is held for a microsecond; who has it longer does not run at the moment.
    private static final int CLAIM_SPINS = 200;

    /// A datagram that is held up so long is lost: its receiver is stopped, or its claim is a dead
    /// device's of which the receiver does not know yet.
    private static final long CLAIM_PATIENCE_NANOS = 1_000_000_000;

    private final PeerLink link;
    private final int number;
    private final MemorySegment route;

    private @Nullable RemoteQueuePair receiver;
    private boolean wasTried;
    private boolean isForgotten;
    private boolean isWaiting;
    private long waitingSince;

    DatagramDestination(PeerLink link, int number, GlobalIdentifier source) {
        this.link = link;
        this.number = number;
        route = GlobalRouteEncoder.route(source, link.peer());
    }

    PeerLink link() {
        return link;
    }

    int number() {
        return number;
    }

    /// Delivers a request's data, or loses it.
    ///
    /// @return success, or that it must wait
    /// @throws IllegalStateException if the sender's own memory is no more
    int deliver(SendRequests requests, int index, int queueKey, DatagramSender sender) {
        RemoteQueuePair to = attached();
        if (to == null) {
            isWaiting = false;
            sender.counters().onDatagramWithoutReceiver();
            return SUCCESS;
        }
        if (!claim(to, sender.device())) {
            return keepWaiting(sender);
        }
        isWaiting = false;
        to.resumeDatagrams();
        try {
            if (!to.acceptsDatagrams(queueKey)) {
                sender.counters().onDatagramNotAccepted();
            } else if (!deliverClaimed(to, requests, index, sender.number())) {
                sender.counters().onDatagramWithoutReceive();
            }
            return SUCCESS;
        } finally {
            to.suspendDatagrams();
            to.claim().end();
        }
    }

    private static boolean claim(RemoteQueuePair to, long device) {
        for (int i = 0; !to.claim().tryBegin(device); i++) {
            if (i == CLAIM_SPINS) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private int keepWaiting(DatagramSender sender) {
        long now = System.nanoTime();
        if (!isWaiting) {
            isWaiting = true;
            waitingSince = now;
        }
        if (now - waitingSince < CLAIM_PATIENCE_NANOS) {
            return RetryTimer.IN_PROGRESS;
        }
        isWaiting = false;
        link.wake(number); // it looks after its claim then
        sender.counters().onDatagramWithoutReceive();
        return SUCCESS;
    }

    /// @return false if there is no receive that can take it
    private boolean deliverClaimed(
            RemoteQueuePair to, SendRequests requests, int index, int source) {
        int total = ROUTE + requests.total(index);
        long entry = to.nextDatagramReceive(total);
        if (entry == 0) {
            return false;
        }
        GlobalRouteEncoder.setLength(route, requests.total(index));
        int outcome = requests.opcode(index).hasImmediate() ? RECEIVED_IMMEDIATE : RECEIVED;
        MemorySegment landing = to.landingOf(entry);
        if (landing != null) {
            write(requests, index, 0, landing, LandingDescriptor.offset(to.heldSlot()), total);
            outcome |= QueuePairDescriptor.LANDED_FLAG;
        } else if (!scatter(to, requests, index, entry, total)) {
            to.completeDatagram(RECEIVE_NOT_ALLOWED, 0, 0, true, source);
            to.fail(false);
            return true;
        }
        to.completeDatagram(
                outcome, total, requests.immediate(index), requests.isSolicited(index), source);
        return true;
    }

    /// Writes route and payload to where the receive says.
    ///
    /// @return false if its memory is no more
    private boolean scatter(
            RemoteQueuePair to, SendRequests requests, int index, long entry, int total) {
        int count =
                Math.min(
                        Words.intAt(entry + QueuePairDescriptor.RECEIVE_COUNT_OFFSET),
                        to.maxReceiveElements());
        int done = 0;
        for (int i = 0; i < count && done < total; i++) {
            long element =
                    entry
                            + QueuePairDescriptor.ELEMENTS_OFFSET
                            + (long) i * QueuePairDescriptor.ELEMENT_BYTES;
            int length = Words.intAt(element + QueuePairDescriptor.ELEMENT_LENGTH_OFFSET);
            long offset = Words.longAt(element + QueuePairDescriptor.ELEMENT_OFFSET_OFFSET);
            int key = Words.intAt(element + QueuePairDescriptor.ELEMENT_KEY_OFFSET);
            PeerRegion region = to.regions().find(key);
            if (region == null || !region.contains(offset, length)) {
                return false;
            }
            int part = Math.min(length, total - done);
            write(requests, index, done, region.memory(), offset, part);
            done += part;
        }
        return done == total;
    }

    /// Writes `length` bytes of route and payload, from byte `skip` on.
    private void write(
            SendRequests requests,
            int index,
            int skip,
            MemorySegment target,
            long offset,
            int length) {
        int ofRoute = Math.clamp(ROUTE - (long) skip, 0, length);
        if (ofRoute > 0) {
            MemorySegment.copy(route, skip, target, offset, ofRoute);
        }
        if (length > ofRoute) {
            requests.gather(
                    index,
                    skip + ofRoute - (long) ROUTE,
                    target,
                    offset + ofRoute,
                    length - ofRoute);
        }
    }

    /// Wakes the receiver if it sleeps and was sent something.
    void announce() {
        RemoteQueuePair to = receiver;
        if (to != null) {
            to.announce();
            if (isForgotten) {
                detach();
            }
        }
    }

    // ---- finding it

    private @Nullable RemoteQueuePair attached() {
        if (!link.isAlive()) {
            detach();
            return null;
        }
        RemoteQueuePair known = receiver;
        if (known != null && !known.isReset()) {
            return known;
        }
        return attach();
    }

    /// Looks for the receiver's present life: what was RESET may have begun another. Nobody there
    /// is no error.
    private @Nullable RemoteQueuePair attach() {
        detach();
        wasTried = true;
        try {
            receiver = RemoteQueuePair.attach(link, link.peer(), number);
        } catch (IOException nobodyThere) {
            System.getLogger(DatagramDestination.class.getName())
                    .log(System.Logger.Level.TRACE, "no receiver of datagrams", nobodyThere);
        }
        return receiver;
    }

    /// Whether it cannot be reached, as far as one knows.
    boolean isGone() {
        return !link.isAlive() || (wasTried && (receiver == null || receiver.isReset()));
    }

    /// Nobody but prepared requests knows it any more, so nobody would unmap it later.
    void forget() {
        isForgotten = true;
        detach();
    }

    /// Unmaps the receiver.
    void detach() {
        RemoteQueuePair known = receiver;
        receiver = null;
        if (known != null) {
            known.close();
        }
    }
}
