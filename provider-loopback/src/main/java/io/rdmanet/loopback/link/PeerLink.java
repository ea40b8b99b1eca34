package io.rdmanet.loopback.link;

import io.rdmanet.verbs.GlobalIdentifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The way from this device to one peer's: wake-ups and requests go out, replies come back.
///
/// It belongs to the [Hub] and lives until the peer or the hub ends; nobody closes it. Safe for use
/// by any thread; no call blocks.
public final class PeerLink {
    /// Unanswered requests per link: far more than queue pairs have operations in flight.
    static final int MAX_UNANSWERED_REQUESTS = 16_384;

    private static final int MAX_QUEUE_PAIR_NUMBER = 0xff_ffff;

    private final Hub hub;
    private final GlobalIdentifier peer;
    private final LinkSocket socket;
    private final AtomicLong lastRequest = new AtomicLong();
    private final AtomicInteger unansweredCount = new AtomicInteger();
    private final Map<Long, ReplyHandler> unanswered = new ConcurrentHashMap<>();
    private volatile boolean isAlive = true;

    PeerLink(Hub hub, GlobalIdentifier peer, SocketChannel channel) {
        this.hub = hub;
        this.peer = peer;
        this.socket = new LinkSocket(channel, new Receiver(), hub.reactor());
    }

    /// The peer.
    public GlobalIdentifier peer() {
        return peer;
    }

    /// Whether the peer was there a moment ago. Once false it stays false.
    public boolean isAlive() {
        return isAlive;
    }

    /// Calls the peer's [HubListener#onWake], soon, at least once after this call. Wakes for one
    /// queue pair may be merged; none is lost while the peer lives. Allocates nothing.
    ///
    /// @param queuePairNumber the peer's, 24 bits
    public void wake(int queuePairNumber) {
        if ((queuePairNumber & ~MAX_QUEUE_PAIR_NUMBER) != 0) {
            throw new IllegalArgumentException(
                    "a queue pair's number has 24 bits, not 0x"
                            + Integer.toHexString(queuePairNumber));
        }
        if (isAlive) {
            socket.sendWake(queuePairNumber);
        }
    }

    /// Sends a request. The handler is called exactly once, with the peer's answer or
    /// [ReplyHandler#PEER_GONE], in a turn of the hub's reactor; only if the hub is closed it is
    /// the caller's.
    ///
    /// @return false if too many requests are unanswered: nothing was sent, and the handler is not
    ///   called
    public boolean request(RemoteOperation operation, ReplyHandler handler) {
        if (unansweredCount.incrementAndGet() > MAX_UNANSWERED_REQUESTS) {
            unansweredCount.decrementAndGet();
            return false;
        }
        long id = lastRequest.incrementAndGet();
        unanswered.put(id, handler);
        // In this order, as die() does the reverse: either it sees the handler, or this sees it
        // dead.
        if (isAlive) {
            socket.sendRequest(id, operation);
        } else if (!hub.reactor().execute(() -> answer(id, ReplyHandler.PEER_GONE, 0))) {
            answer(id, ReplyHandler.PEER_GONE, 0);
        }
        return true;
    }

    /// Identifies this device and begins to receive. In a turn of the reactor, so that nothing is
    /// sent that the hub could not know the end of.
    void start() {
        socket.register();
    }

    void identify(long ownInstance) {
        socket.sendIdentify(ownInstance);
    }

    LinkSocket socket() {
        return socket;
    }

    /// The peer or the hub has ended: every request ends.
    void die() {
        isAlive = false;
        for (Long id : unanswered.keySet()) {
            answer(id, ReplyHandler.PEER_GONE, 0);
        }
    }

    private boolean answer(long id, int status, long value) {
        ReplyHandler handler = unanswered.remove(id);
        if (handler == null) {
            return false;
        }
        unansweredCount.decrementAndGet();
        handler.onReply(status, value);
        return true;
    }

    /// What the peer sends back: who it is, then replies.
    private final class Receiver implements LinkSocket.Receiver {
        private boolean isIdentified;

        @Override
        public void onMessage(LinkSocket from, ByteBuffer buffer, int offset) throws IOException {
            if (!isIdentified) {
                long instance = Hub.identity(buffer, offset);
                if (instance != peer.low()) {
                    throw new IOException(
                            "the socket of " + peer + " is " + Instance.gidOf(instance) + "'s");
                }
                isIdentified = true;
                return;
            }
            Hub.checkHeader(buffer, offset);
            int type = LinkMessageDescriptor.type(buffer, offset);
            int status = LinkMessageDescriptor.status(buffer, offset);
            if (type != LinkMessageDescriptor.REPLY || status < 0) {
                throw new IOException("a reply was due, not type " + type + " status " + status);
            }
            long id = LinkMessageDescriptor.id(buffer, offset);
            if (!answer(id, status, LinkMessageDescriptor.value(buffer, offset))) {
                throw new IOException("a reply to a request that is not open: " + id);
            }
        }

        @Override
        public void onEnd(LinkSocket from, Throwable reason) {
            hub.peerEnded(peer, reason);
        }

        @Override
        public void onReactorClosed(LinkSocket from) {
            hub.peerEnded(peer, new ClosedChannelException());
        }
    }
}
