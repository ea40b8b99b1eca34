package io.rdmanet.loopback.link;

import io.rdmanet.verbs.GlobalIdentifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Takes the links that peers make to this device, and turns strangers away: who sends something
/// else, or nothing within two seconds, is dropped and costs nobody else anything.
///
/// It runs in turns of the reactor.
final class LinkAcceptor implements UnixAcceptor.Admission {
    static final int MAX_UNIDENTIFIED = 64;
    static final long IDENTIFY_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Hub owner;

    /// The oldest first. A peer identifies itself at once, so it is a stranger who must make room.
    private final Map<Inbound, LinkSocket> unidentified = new LinkedHashMap<>();

    LinkAcceptor(Hub owner) {
        this.owner = owner;
    }

    @Override
    public void admit(SocketChannel channel) {
        if (unidentified.size() >= MAX_UNIDENTIFIED) {
            unidentified.keySet().iterator().next().dropIfSilent();
        }
        Inbound inbound = new Inbound();
        LinkSocket socket = new LinkSocket(channel, inbound, owner.reactor());
        unidentified.put(inbound, socket);
        socket.register();
        owner.reactor().schedule(IDENTIFY_TIMEOUT_NANOS, inbound::dropIfSilent);
    }

    /// One socket that a peer made.
    private final class Inbound implements LinkSocket.Receiver {
        private @Nullable GlobalIdentifier peer;

        @Override
        public void onMessage(LinkSocket socket, ByteBuffer buffer, int offset) throws IOException {
            GlobalIdentifier from = peer;
            if (from == null) {
                identify(socket, buffer, offset);
                return;
            }
            Hub.checkHeader(buffer, offset);
            switch (LinkMessageDescriptor.type(buffer, offset)) {
                case LinkMessageDescriptor.WAKE ->
                        owner.listener()
                                .onWake(LinkMessageDescriptor.queuePairNumber(buffer, offset));
                case LinkMessageDescriptor.REQUEST ->
                        owner.listener()
                                .onRequest(
                                        new LinkRequest(
                                                socket,
                                                from,
                                                LinkMessageDescriptor.id(buffer, offset),
                                                LinkMessageDescriptor.operation(buffer, offset)));
                default ->
                        throw new IOException(
                                "a message of unknown type "
                                        + LinkMessageDescriptor.type(buffer, offset));
            }
        }

        /// Answered even if it is refused, so that a peer of another version learns of ours.
        private void identify(LinkSocket socket, ByteBuffer buffer, int offset) throws IOException {
            socket.sendIdentify(owner.instance().id());
            GlobalIdentifier from = Instance.gidOf(Hub.identity(buffer, offset));
            peer = from;
            unidentified.remove(this);
            owner.addSocket(from.low(), socket);
        }

        void dropIfSilent() {
            LinkSocket socket = unidentified.remove(this);
            if (socket != null) {
                socket.close();
            }
        }

        @Override
        public void onEnd(LinkSocket socket, Throwable reason) {
            if (peer == null) {
                unidentified.remove(this);
            } else {
                owner.peerEnded(peer, reason);
            }
        }

        @Override
        public void onReactorClosed(LinkSocket socket) {
            onEnd(socket, new ClosedChannelException());
        }
    }
}
