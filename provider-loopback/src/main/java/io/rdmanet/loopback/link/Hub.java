package io.rdmanet.loopback.link;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// An open device's switchboard: wake-ups, requests and the death of peers.
///
/// Each pair of devices has a socket in each direction that is needed: wakes and requests go from
/// whoever connected, replies come back. A socket lives as long as both devices do, so its end is
/// the peer's end: the system closes it at once however the peer ends.
///
/// The device that opened it closes it. Safe for use by any thread. Only [#peer] and [#close] can
/// block, for two seconds at most.
public final class Hub implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Hub.class.getName());
    private static final long CONNECT_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final HubListener listener;
    private final Instance instance;
    private final Reactor reactor;
    private final UnixAcceptor acceptor;

    private final Map<Long, PeerLink> links = new ConcurrentHashMap<>();
    private final ReentrantLock connectLock = new ReentrantLock();
    private volatile boolean isOpen = true;

    /// Every identified socket from or to a peer, by its instance. In turns of the reactor alone.
    private final Map<Long, List<LinkSocket>> sockets = new HashMap<>();

    private Hub(HubListener listener, Instance instance, Reactor reactor, UnixAcceptor acceptor) {
        this.listener = listener;
        this.instance = instance;
        this.reactor = reactor;
        this.acceptor = acceptor;
    }

    /// Opens an instance and starts its thread.
    ///
    /// @throws VerbsException if the rendezvous directory cannot be used; it says what to do
    public static Hub open(HubListener listener) throws VerbsException {
        Instance instance = Instance.open();
        try {
            UnixAcceptor acceptor =
                    UnixAcceptor.bind(instance.directory().resolve(Instance.SOCKET_NAME));
            try {
                Reactor reactor =
                        Reactor.start(
                                "rdmanet-loopback-"
                                        + RendezvousDirectory.instanceName(instance.id()));
                Hub hub = new Hub(listener, instance, reactor, acceptor);
                acceptor.start(reactor, new LinkAcceptor(hub));
                return hub;
            } catch (IOException | RuntimeException | Error e) {
                acceptor.close();
                throw e;
            }
        } catch (IOException e) {
            instance.close();
            throw new VerbsException(
                    "open_device", "cannot listen in " + instance.directory() + ": " + e, e);
        }
    }

    /// This device's presence on the machine.
    public Instance instance() {
        return instance;
    }

    /// This device's reactor, for others who have sockets to watch.
    public Reactor reactor() {
        return reactor;
    }

    /// The link to a peer, made on the first call. From then on its death is reported.
    ///
    /// @param gid may be this device's own
    /// @throws VerbsException if no living loopback device of this user has the GID
    public PeerLink peer(GlobalIdentifier gid) throws VerbsException {
        long id = Instance.idOf(gid);
        PeerLink existing = links.get(id);
        if (existing != null) {
            return existing;
        }
        connectLock.lock();
        try {
            PeerLink madeMeanwhile = links.get(id);
            return madeMeanwhile != null ? madeMeanwhile : connect(gid, id);
        } finally {
            connectLock.unlock();
        }
    }

    private PeerLink connect(GlobalIdentifier gid, long id) throws VerbsException {
        Path socket = instance.rendezvous().instance(id).resolve(Instance.SOCKET_NAME);
        SocketChannel channel;
        try {
            channel = UnixConnector.connect(socket, CONNECT_TIMEOUT_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(
                    "connect_peer", ErrorNumber.EINTR, "interrupted while connecting to " + gid);
        } catch (ConnectException e) {
            throw new VerbsException(
                    "connect_peer",
                    ErrorNumber.EHOSTUNREACH,
                    "no living device has the GID "
                            + gid
                            + " ("
                            + e.getMessage()
                            + "); it has been closed, or its process uses another directory or user");
        } catch (IOException e) {
            throw new VerbsException("connect_peer", "device " + gid + ": " + e, e);
        }
        PeerLink link = new PeerLink(this, gid, channel);
        link.identify(instance.id());
        links.put(id, link);
        if (!isOpen || !reactor.execute(() -> startLink(id, link))) {
            links.remove(id);
            link.die();
            link.socket().close();
            throw new VerbsException("connect_peer", "the device is closed");
        }
        return link;
    }

    private void startLink(long id, PeerLink link) {
        addSocket(id, link.socket());
        link.start();
    }

    void addSocket(long id, LinkSocket socket) {
        sockets.computeIfAbsent(id, _ -> new ArrayList<>(2)).add(socket);
    }

    HubListener listener() {
        return listener;
    }

    /// One of a peer's sockets has ended, and so the peer has. In a turn of the reactor.
    void peerEnded(GlobalIdentifier peer, Throwable reason) {
        LOGGER.log(
                System.Logger.Level.DEBUG, () -> "loopback device " + peer + " is gone: " + reason);
        List<LinkSocket> all = sockets.remove(peer.low());
        if (all != null) {
            all.forEach(LinkSocket::close);
        }
        PeerLink link = links.remove(peer.low());
        if (link != null) {
            link.die();
        }
        if (isOpen) {
            listener.onPeerGone(peer);
        }
    }

    /// Checks the first message of a socket.
    ///
    /// @return the sender's instance
    /// @throws IOException if it is not one, or of another version
    static long identity(ByteBuffer buffer, int offset) throws IOException {
        checkHeader(buffer, offset);
        int type = LinkMessageDescriptor.type(buffer, offset);
        if (type != LinkMessageDescriptor.IDENTIFY) {
            throw new IOException(
                    "the first message must identify the sender, not be type " + type);
        }
        return LinkMessageDescriptor.id(buffer, offset);
    }

    static void checkHeader(ByteBuffer buffer, int offset) throws IOException {
        int magic = LinkMessageDescriptor.magic(buffer, offset);
        if (magic != LinkMessageDescriptor.MAGIC) {
            throw new IOException("not a link's message: magic 0x" + Integer.toHexString(magic));
        }
        int version = LinkMessageDescriptor.version(buffer, offset);
        if (version != LinkMessageDescriptor.VERSION) {
            throw new IOException(
                    "the peer's link has version "
                            + version
                            + ", this one "
                            + LinkMessageDescriptor.VERSION
                            + ": use the same release in all processes");
        }
    }

    /// Ends the thread, the links (unanswered requests end with [ReplyHandler#PEER_GONE]) and the
    /// instance. No [HubListener#onPeerGone] comes of it. Does nothing the second time.
    @Override
    public void close() {
        isOpen = false;
        reactor.close();
        acceptor.close();
        instance.close();
    }
}
