package io.rdmanet.internal.setup;

import io.rdmanet.DeadlineException;
import io.rdmanet.EndpointOptions;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.setup.HandshakeRecord.Reason;
import io.rdmanet.internal.setup.HandshakeRecord.Refusal;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// A connection through rdma_cm.
///
/// Role and receive depth ride on the request as private data where the provider has that; where it
/// has not, HELLO finds a wrong role, a moment later.
final class ConnectionManagerRendezvous implements Rendezvous {
    private final ProviderSelection selection;
    private final SharedResource<ConnectionManager> manager;
    private final ConnectionIdentifier identifier;
    private final EndpointOptions options;
    private final Role role;
    private final boolean isDialling;
    private final int receiveDepth;
    private @Nullable QueuePair queuePair;
    private boolean isDone;

    private ConnectionManagerRendezvous(
            ProviderSelection selection,
            SharedResource<ConnectionManager> manager,
            ConnectionIdentifier identifier,
            EndpointOptions options,
            Role role,
            boolean isDialling,
            int receiveDepth) {
        this.selection = selection;
        this.manager = manager;
        this.identifier = identifier;
        this.options = options;
        this.role = role;
        this.isDialling = isDialling;
        this.receiveDepth = receiveDepth;
    }

    /// Finds the device and the route to an address.
    static ConnectionManagerRendezvous dial(DialRequest request, ProviderSelection selection)
            throws IOException {
        VerbsProvider provider = selection.provider();
        InetSocketAddress address = request.address();
        requireCapabilities(selection, request.options(), address);
        Addresses.requireResolved(address, "rdma_resolve_addr");
        InetSocketAddress source =
                DeviceAddress.find(provider, request.options(), address.getAddress());
        ConnectionManager opened = provider.openConnectionManager();
        SharedResource<ConnectionManager> manager = new SharedResource<>(opened, opened::close);
        ConnectionIdentifier identifier = null;
        try {
            // Address and route are resolved one after the other, each with this timeout.
            identifier = opened.resolve(address, source, request.deadline().remainingNanos() / 2);
            checkDevice(identifier, request.options());
            return new ConnectionManagerRendezvous(
                    selection,
                    manager,
                    identifier,
                    request.options(),
                    request.role(),
                    true,
                    request.receiveDepth());
        } catch (ConnectionException failure) {
            closeAll(identifier, manager);
            throw explained(
                    failure, AddressText.describe(address), request.role(), request.deadline());
        } catch (IOException | RuntimeException failure) {
            closeAll(identifier, manager);
            throw failure;
        }
    }

    private static void closeAll(
            @Nullable ConnectionIdentifier identifier, SharedResource<ConnectionManager> manager) {
        if (identifier != null) {
            identifier.close();
        }
        manager.release();
    }

    /// Refuses what the provider cannot do, before anything is opened.
    static void requireCapabilities(
            ProviderSelection selection, EndpointOptions options, InetSocketAddress address)
            throws VerbsException {
        VerbsProvider provider = selection.provider();
        provider.require(Capability.CONNECTION_MANAGER);
        if (address.getAddress() instanceof Inet6Address inet6 && !inet6.isAnyLocalAddress()) {
            provider.require(Capability.IPV6);
        }
        if (!options.device().isEmpty()) {
            provider.require(Capability.DEVICE_CHOICE);
            DeviceChoice.require(selection, options.device());
        }
        if (options.gidIndex() != EndpointOptions.AUTOMATIC) {
            provider.require(Capability.GID_CHOICE);
        }
    }

    /// With rdma_cm the address decides which device, port and GID are used. What was asked for
    /// besides must be just these: nothing is silently ignored.
    private static void checkDevice(ConnectionIdentifier identifier, EndpointOptions options)
            throws VerbsException {
        String owner = identifier.context().deviceName();
        String local = AddressText.describe(identifier.localAddress());
        if (!options.device().isEmpty() && !options.device().equals(owner)) {
            throw new VerbsException(
                    "choosing the device",
                    options.device()
                            + " was asked for, but the route from "
                            + local
                            + " belongs to "
                            + owner
                            + ": rdma_cm takes the device that owns the address; use an address of "
                            + options.device()
                            + ", or the TCP exchange, which takes any device");
        }
        if (options.portNumber() != 1 && options.portNumber() != identifier.portNumber()) {
            throw new VerbsException(
                    "choosing the port",
                    "port "
                            + options.portNumber()
                            + " was asked for, but "
                            + local
                            + " belongs to port "
                            + identifier.portNumber()
                            + " of "
                            + owner
                            + ": use an address of that port, or the TCP exchange");
        }
        if (options.gidIndex() != EndpointOptions.AUTOMATIC) {
            GidChoice.choose(
                    identifier.context().gidTable(identifier.portNumber()),
                    options.gidIndex(),
                    "port " + identifier.portNumber() + " of " + owner);
        }
    }

    /// Looks at a connection request, and takes it for a peer's if it is right; else the request is
    /// rejected with the reason. The caller closes the identifier if this throws.
    static ConnectionManagerRendezvous accept(
            ProviderSelection selection,
            SharedResource<ConnectionManager> manager,
            ConnectionIdentifier identifier,
            EndpointOptions options,
            Role role)
            throws IOException {
        int receiveDepth = 0;
        try {
            checkDevice(identifier, options);
            receiveDepth = readRequest(identifier, role);
        } catch (VerbsException failure) {
            reject(identifier, Refusals.of(role, Reason.FAILED, "" + failure.getMessage()));
            throw failure;
        }
        return new ConnectionManagerRendezvous(
                selection, manager.retain(), identifier, options, role, false, receiveDepth);
    }

    private static int readRequest(ConnectionIdentifier identifier, Role role) throws IOException {
        byte[] request = identifier.privateData();
        if (PrivateDataDescriptor.isAbsent(request)) {
            return 0;
        }
        String peer = AddressText.describe(identifier.remoteAddress());
        if (!PrivateDataDescriptor.isRequest(request)) {
            String text = "the private data of the request is not rdmanet's";
            reject(identifier, Refusals.of(role, Reason.PROTOCOL, text));
            throw new ProtocolViolationException(peer + ": " + text);
        }
        int version = PrivateDataDescriptor.version(request);
        if (version != HandshakeRecordDescriptor.VERSION) {
            reject(identifier, Refusals.of(role, Reason.VERSION, ""));
            throw Refusals.versionMismatch(HandshakeRecordDescriptor.VERSION, version, peer);
        }
        int roleCode = PrivateDataDescriptor.roleCode(request);
        if (roleCode != role.code()) {
            reject(identifier, Refusals.of(role, Reason.ROLE, ""));
            throw Refusals.roleMismatch(role, roleCode, peer);
        }
        int depth = PrivateDataDescriptor.receiveDepth(request);
        if (depth < 0) {
            String text = "the request's receive depth is " + depth;
            reject(identifier, Refusals.of(role, Reason.PROTOCOL, text));
            throw new ProtocolViolationException(peer + ": " + text);
        }
        return depth;
    }

    /// Sends a request away unheard.
    static void refuse(ConnectionIdentifier identifier, Role role, String why) {
        reject(identifier, Refusals.of(role, Reason.BUSY, why));
    }

    private static void reject(ConnectionIdentifier identifier, Refusal refusal) {
        boolean hasPrivateData =
                identifier.context().provider().capabilities().contains(Capability.PRIVATE_DATA);
        try {
            identifier.reject(
                    hasPrivateData ? PrivateDataDescriptor.encodeRejection(refusal) : new byte[0]);
        } catch (VerbsException | IllegalStateException peerHasGone) {
            // Nobody is left to be told.
        }
    }

    @Override
    public ProviderSelection selection() {
        return selection;
    }

    @Override
    public Context context() {
        return identifier.context();
    }

    @Override
    public int announcedReceiveDepth() {
        return isDialling ? 0 : receiveDepth;
    }

    @Override
    public QueuePair createQueuePair(
            ProtectionDomain protectionDomain, QueuePairInitialAttributes attributes)
            throws IOException {
        if (queuePair != null) {
            throw new IllegalStateException("the queue pair exists already");
        }
        QueuePair created = identifier.createQueuePair(protectionDomain, attributes);
        queuePair = created;
        return created;
    }

    @Override
    public Link establish(int rnrRetryCount, Deadline deadline) throws IOException {
        QueuePair connecting = queuePair;
        if (connecting == null || isDone) {
            throw new IllegalStateException("establish needs a queue pair, and comes once");
        }
        try {
            ConnectionParameters parameters = parameters(rnrRetryCount);
            if (isDialling) {
                identifier.connect(parameters, deadline.remainingNanos());
            } else {
                identifier.accept(parameters, deadline.remainingNanos());
            }
        } catch (ConnectionException failure) {
            throw explained(
                    failure, AddressText.describe(identifier.remoteAddress()), role, deadline);
        }
        ConnectionManagerLink link =
                new ConnectionManagerLink(selection, manager, identifier, connecting);
        checkGid(link);
        isDone = true;
        return link;
    }

    private ConnectionParameters parameters(int rnrRetryCount) throws VerbsException {
        VerbsProvider provider = selection.provider();
        boolean sendsData = isDialling && provider.capabilities().contains(Capability.PRIVATE_DATA);
        int readAtomic =
                Math.clamp(context().queryDevice().maxReadAtomic(), 0, TcpDevice.MAX_READ_ATOMIC);
        return new ConnectionParameters(
                sendsData ? PrivateDataDescriptor.encodeRequest(role, receiveDepth) : new byte[0],
                readAtomic,
                readAtomic,
                QueuePairAttributes.DEFAULT_RETRY_COUNT,
                rnrRetryCount);
    }

    private void checkGid(ConnectionManagerLink link) throws VerbsException {
        int used = link.description().gidIndex();
        if (options.gidIndex() != EndpointOptions.AUTOMATIC && options.gidIndex() != used) {
            throw new VerbsException(
                    "choosing the GID",
                    "index "
                            + options.gidIndex()
                            + " was asked for, but rdma_cm uses "
                            + (used < 0 ? "one that the provider does not tell" : "index " + used)
                            + ", the one that belongs to "
                            + AddressText.describe(link.localAddress())
                            + "; leave the GID index out, use another address, or the TCP"
                            + " exchange");
        }
    }

    /// The provider's failure with what to do about it. Of a time that ran out the provider knows
    /// only the rest that its step was given, so its text stays with the cause.
    private static IOException explained(
            ConnectionException failure, String peer, Role role, Deadline deadline) {
        Refusal refusal = PrivateDataDescriptor.decodeRejection(failure.privateData());
        IOException explained =
                refusal != null
                        ? Refusals.toException(refusal, role, peer)
                        : failure.reason() == ConnectionException.Reason.TIMED_OUT
                                ? new DeadlineException(
                                        "connecting to "
                                                + peer
                                                + " through rdma_cm: no answer within "
                                                + deadline.wholeTime()
                                                + " ("
                                                + failure.verb()
                                                + "); is the machine up, and does the server"
                                                + " accept?")
                                : new ConnectionException(
                                        failure.verb(),
                                        failure.reason(),
                                        hint(failure.reason(), peer)
                                                + " ("
                                                + failure.getMessage()
                                                + ")");
        explained.initCause(failure);
        return explained;
    }

    private static String hint(ConnectionException.Reason reason, String peer) {
        return switch (reason) {
            case REJECTED ->
                    "nobody listens on "
                            + peer
                            + " through rdma_cm: start the server first; if it uses the TCP"
                            + " exchange, use it here, too";
            case ADDRESS_ERROR -> "no RDMA device of this machine reaches " + peer;
            case ROUTE_ERROR -> "there is no route to " + peer;
            case UNREACHABLE -> peer + " does not answer: is the machine up?";
            case PEER_GONE -> peer + " has gone before the connection stood";
            case ADDRESS_IN_USE, CONNECT_ERROR, TIMED_OUT -> "connecting to " + peer;
        };
    }

    @Override
    public void refuse(String why) {
        if (!isDone && !isDialling) {
            reject(identifier, Refusals.of(role, Reason.FAILED, why));
        }
        close();
    }

    @Override
    public void close() {
        if (!isDone) {
            isDone = true;
            identifier.close();
            manager.release();
        }
    }
}
