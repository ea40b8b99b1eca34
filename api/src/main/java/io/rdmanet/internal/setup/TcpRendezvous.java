package io.rdmanet.internal.setup;

import io.rdmanet.internal.setup.HandshakeRecord.Offer;
import io.rdmanet.internal.setup.HandshakeRecord.Ready;
import io.rdmanet.internal.setup.HandshakeRecord.Reason;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/// A connection by an exchange over TCP.
///
/// ```
///   dialling end                            accepting end
///   connect
///   OFFER (number, psn, GID ...)  -------->  checks magic, version, role; only now does it take
///                                            memory, and only now does it say anything
///                                            to READY_TO_RECEIVE, to READY_TO_SEND
///                                 <--------  OFFER
///   to READY_TO_RECEIVE, to READY_TO_SEND
///   READY                         -------->
///                                 <--------  READY
/// ```
///
/// Each end's first SEND follows the other's READY (or OFFER, from the end that is ready by then),
/// so no SEND precedes the peer's READY_TO_RECEIVE. The TCP connection stays open as long as the
/// connection: its end is how the death of the peer is noticed.
final class TcpRendezvous implements Rendezvous {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final TcpDevice device;
    private final HandshakeSocket socket;
    private final Role role;
    private final int receiveDepth;
    private final @Nullable Offer peerOffer;
    private @Nullable QueuePair queuePair;
    private int packetSequence;
    private boolean isDone;

    private TcpRendezvous(
            TcpDevice device,
            HandshakeSocket socket,
            Role role,
            int receiveDepth,
            @Nullable Offer peerOffer) {
        this.device = device;
        this.socket = socket;
        this.role = role;
        this.receiveDepth = receiveDepth;
        this.peerOffer = peerOffer;
    }

    /// Opens the device and connects over TCP.
    static TcpRendezvous dial(DialRequest request, ProviderSelection selection) throws IOException {
        InetAddress local = Addresses.localTowards(request.address());
        TcpDevice device = TcpDevice.open(selection, request.options(), local);
        try {
            HandshakeSocket socket =
                    HandshakeSocket.connect(request.address(), request.role(), request.deadline());
            return new TcpRendezvous(device, socket, request.role(), request.receiveDepth(), null);
        } catch (IOException | RuntimeException failure) {
            device.release();
            throw failure;
        }
    }

    /// Reads a stranger's record, and takes it for a peer if it is right.
    static TcpRendezvous accept(
            TcpDevice device, HandshakeSocket socket, Role role, Deadline deadline)
            throws IOException {
        Offer offer = socket.readOffer(deadline);
        return new TcpRendezvous(device.retain(), socket, role, 0, offer);
    }

    @Override
    public ProviderSelection selection() {
        return device.selection();
    }

    @Override
    public Context context() {
        return device.context();
    }

    @Override
    public int announcedReceiveDepth() {
        return peerOffer == null ? 0 : peerOffer.receiveDepth();
    }

    @Override
    public QueuePair createQueuePair(
            ProtectionDomain protectionDomain, QueuePairInitialAttributes attributes)
            throws IOException {
        if (queuePair != null) {
            throw new IllegalStateException("the queue pair exists already");
        }
        QueuePair created = protectionDomain.createQueuePair(attributes);
        try {
            created.modify(
                    QueuePairAttributes.toInit(
                            device.options().portNumber(), EnumSet.allOf(AccessFlag.class)));
        } catch (IOException | RuntimeException failure) {
            created.close();
            throw failure;
        }
        packetSequence = RANDOM.nextInt(QueuePairEnd.MAX_24_BITS + 1);
        queuePair = created;
        return created;
    }

    @Override
    public Link establish(int rnrRetryCount, Deadline deadline) throws IOException {
        QueuePair connecting = queuePair;
        if (connecting == null || isDone) {
            throw new IllegalStateException("establish needs a queue pair, and comes once");
        }
        QueuePairEnd own = device.end(connecting, packetSequence);
        QueuePairEnd peer;
        if (peerOffer == null) {
            socket.write(new Offer(role, receiveDepth, own));
            peer = socket.readOffer(deadline).end();
            connect(connecting, own, peer, rnrRetryCount);
            socket.write(new Ready(role));
            socket.readReady(deadline);
        } else {
            peer = peerOffer.end();
            connect(connecting, own, peer, rnrRetryCount);
            socket.write(new Offer(role, receiveDepth, own));
            socket.readReady(deadline);
            socket.write(new Ready(role));
        }
        socket.watch();
        isDone = true;
        return new TcpLink(device, socket, connecting, own, peer);
    }

    private void connect(
            QueuePair connecting, QueuePairEnd own, QueuePairEnd peer, int rnrRetryCount)
            throws VerbsException {
        try {
            checkPath(own, peer);
            AddressVector path =
                    new AddressVector(
                            own.portNumber(),
                            peer.gid(),
                            own.gidIndex(),
                            peer.localIdentifier(),
                            AddressVector.DEFAULT_HOP_LIMIT,
                            0,
                            0);
            PathMtu mtu = PathMtu.min(own.activeMtu(), peer.activeMtu());
            connecting.modify(
                    QueuePairAttributes.toReadyToReceive(
                                    path, mtu, peer.queuePairNumber(), peer.packetSequence())
                            .with(Attribute.MAX_DESTINATION_READ_ATOMIC, own.maxReadAtomic()));
            connecting.modify(
                    QueuePairAttributes.toReadyToSend(own.packetSequence())
                            .with(Attribute.RNR_RETRY_COUNT, rnrRetryCount)
                            .with(
                                    Attribute.MAX_READ_ATOMIC,
                                    Math.min(own.maxReadAtomic(), peer.maxReadAtomic())));
        } catch (VerbsException failure) {
            socket.refuse(Refusals.of(role, Reason.PATH, String.valueOf(failure.getMessage())));
            throw failure;
        }
    }

    /// What cannot work is said here and now, rather than by "retry exceeded" seconds later.
    private void checkPath(QueuePairEnd own, QueuePairEnd peer) throws VerbsException {
        if (own.linkLayer() != peer.linkLayer()) {
            throw new VerbsException(
                    "connecting",
                    "the ends use different networks: this one "
                            + own.linkLayer()
                            + " ("
                            + device.context().deviceName()
                            + "), the peer "
                            + socket.peer()
                            + " "
                            + peer.linkLayer()
                            + "; choose fitting providers");
        }
        if (own.gidType() != peer.gidType()) {
            throw new VerbsException(
                    "connecting",
                    "the ends chose GIDs of different types: this one "
                            + own
                            + ", the peer "
                            + socket.peer()
                            + " "
                            + peer
                            + "; choose a GID index");
        }
    }

    @Override
    public void refuse(String why) {
        if (!isDone && peerOffer != null) {
            socket.refuse(Refusals.of(role, Reason.FAILED, why));
        }
        close();
    }

    @Override
    public void close() {
        if (!isDone) {
            isDone = true;
            socket.close();
            device.release();
        }
    }
}
