package io.rdmanet.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.impl.NatObject;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// rdma_cm through DiSNI: its single calls, and events with deadlines of our own.
final class DisniConnectionManager implements ConnectionManager {
    private final VerbsProvider provider;
    private final Disni disni;
    private final DeviceFacts facts;

    /// All guarded by the monitor, which is never held during a wait.
    private final Set<Object> open = new HashSet<>();

    private final Map<Object, DisniContext> contexts = new HashMap<>();
    private boolean isClosed;

    DisniConnectionManager(VerbsProvider provider, Disni disni, DeviceFacts facts) {
        this.provider = provider;
        this.disni = disni;
        this.facts = facts;
    }

    @Override
    public VerbsProvider provider() {
        return provider;
    }

    @Override
    public ConnectionListener listen(InetSocketAddress address, int backlog) throws VerbsException {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog must be at least 1, is " + backlog);
        }
        requireReachable(address, "rdma_bind_addr");
        CommunicationIdentifier identifier =
                create("the listener at " + AddressText.describe(address));
        boolean isDone = false;
        try {
            identifier.openBacklog(backlog);
            bind(identifier, address);
            listen(identifier, address, backlog);
            InetSocketAddress real = identifier.localAddress();
            if (real == null) {
                throw new VerbsException("rdma_get_local_addr", identifier + " has no address");
            }
            DisniConnectionListener listener = new DisniConnectionListener(this, identifier, real);
            replace(identifier, listener);
            isDone = true;
            return listener;
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw DisniFailure.of("rdma_listen", e, "listening at " + address);
        } finally {
            if (!isDone) {
                discard(identifier);
            }
        }
    }

    private static void bind(CommunicationIdentifier identifier, InetSocketAddress address)
            throws VerbsException {
        try {
            identifier.call(
                    "rdma_bind_addr",
                    (cm, id) -> {
                        cm.bindAddr(id, address);
                        return null;
                    });
        } catch (IOException e) {
            throw DisniConnectionFailure.notListening("rdma_bind_addr", e, address);
        }
    }

    private static void listen(
            CommunicationIdentifier identifier, InetSocketAddress address, int backlog)
            throws VerbsException {
        try {
            identifier.call(
                    "rdma_listen",
                    (cm, id) -> {
                        cm.listen(id, backlog);
                        return null;
                    });
        } catch (IOException e) {
            throw DisniConnectionFailure.notListening("rdma_listen", e, address);
        }
    }

    @Override
    public ConnectionIdentifier resolve(
            InetSocketAddress destination, @Nullable InetSocketAddress source, long timeoutNanos)
            throws VerbsException {
        requireReachable(destination, "rdma_resolve_addr");
        if (source != null) {
            requireReachable(source, "rdma_resolve_addr");
        }
        CommunicationIdentifier identifier =
                create("the connection to " + AddressText.describe(destination));
        boolean isDone = false;
        try {
            resolveAddress(identifier, destination, source, timeoutNanos);
            resolveRoute(identifier, destination, timeoutNanos);
            DisniConnectionIdentifier resolved =
                    DisniConnectionIdentifier.dialling(this, identifier, destination);
            replace(identifier, resolved);
            isDone = true;
            return resolved;
        } finally {
            if (!isDone) {
                discard(identifier);
            }
        }
    }

    /// DiSNI forgets the source that it is given here, so the identifier is bound to it before.
    private static void resolveAddress(
            CommunicationIdentifier identifier,
            InetSocketAddress destination,
            @Nullable InetSocketAddress source,
            long timeoutNanos)
            throws VerbsException {
        String verb = "rdma_resolve_addr";
        try {
            identifier.call(
                    verb,
                    (cm, id) -> {
                        if (source != null) {
                            cm.bindAddr(id, source);
                        }
                        cm.resolveAddr(id, source, destination, kernelMillis(timeoutNanos));
                        return null;
                    });
        } catch (IOException e) {
            throw DisniConnectionFailure.refused(verb, e, destination, Reason.ADDRESS_ERROR);
        }
        awaitResolution(
                verb, identifier, CommunicationEvent.Type.ADDR_RESOLVED, destination, timeoutNanos);
    }

    private static void resolveRoute(
            CommunicationIdentifier identifier, InetSocketAddress destination, long timeoutNanos)
            throws VerbsException {
        String verb = "rdma_resolve_route";
        try {
            identifier.call(
                    verb,
                    (cm, id) -> {
                        cm.resolveRoute(id, kernelMillis(timeoutNanos));
                        return null;
                    });
        } catch (IOException e) {
            throw DisniConnectionFailure.refused(verb, e, destination, Reason.ROUTE_ERROR);
        }
        awaitResolution(
                verb,
                identifier,
                CommunicationEvent.Type.ROUTE_RESOLVED,
                destination,
                timeoutNanos);
    }

    private static void awaitResolution(
            String verb,
            CommunicationIdentifier identifier,
            CommunicationEvent.Type wanted,
            InetSocketAddress destination,
            long timeoutNanos)
            throws VerbsException {
        CommunicationEvent answer = identifier.awaitEvent(verb, timeoutNanos);
        if (answer == null) {
            throw ConnectionFailure.timedOut(verb, destination, "been resolved", timeoutNanos);
        }
        if (answer.type() != wanted) {
            throw DisniConnectionFailure.of(verb, answer, destination, false);
        }
    }

    /// A little less than ours, so that the kernel says what it waited for.
    private static int kernelMillis(long timeoutNanos) {
        return Math.clamp(
                TimeUnit.NANOSECONDS.toMillis(timeoutNanos / 8 * 7), 1, Integer.MAX_VALUE);
    }

    /// DiSNI takes the first four bytes of any address for an IPv4 address.
    private void requireReachable(InetSocketAddress address, String verb) throws VerbsException {
        if (address.isUnresolved()) {
            throw new ConnectionException(
                    verb,
                    Reason.ADDRESS_ERROR,
                    "no address is known for the name " + address.getHostString());
        }
        if (address.getAddress() instanceof Inet6Address) {
            provider.require(Capability.IPV6);
        }
    }

    /// The device that an identifier is bound to.
    ///
    /// @param local the identifier's own address, by which the kernel's files know the device
    DisniContext context(CommunicationIdentifier identifier, InetAddress local)
            throws VerbsException {
        IbvContext device;
        try {
            device = identifier.call("rdma_cm_id.verbs", (cm, id) -> device(id));
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw DisniFailure.of("rdma_cm_id.verbs", e, "of " + identifier);
        }
        if (device == null) {
            throw new VerbsException("open_device", identifier + " is bound to no device");
        }
        return context(device, local);
    }

    private static @Nullable IbvContext device(RdmaCmId id) throws IOException {
        return id.getVerbs();
    }

    /// Each identifier has its own object for a device in DiSNI; the number in it tells them.
    private synchronized DisniContext context(IbvContext device, InetAddress local) {
        requireOpen();
        Object key = device instanceof NatObject object ? object.getObjId() : device;
        return contexts.computeIfAbsent(
                key, _ -> new DisniContext(provider, disni, device, facts, facts.find(local)));
    }

    int portNumber(InetAddress local) {
        return facts.find(local).number();
    }

    private synchronized CommunicationIdentifier create(String name) throws VerbsException {
        requireOpen();
        CommunicationIdentifier created = EventChannel.open(disni, name);
        open.add(created);
        return created;
    }

    private synchronized void replace(CommunicationIdentifier identifier, Object user) {
        open.remove(identifier);
        open.add(user);
    }

    private void discard(CommunicationIdentifier identifier) {
        identifier.destroy();
        forget(identifier);
    }

    /// A request is the program's to close from now on.
    synchronized void add(DisniConnectionIdentifier request) {
        open.add(request);
    }

    synchronized void forget(Object closed) {
        open.remove(closed);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("the connection manager is closed");
        }
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        if (!open.isEmpty()) {
            throw new IllegalStateException("the connection manager still has open: " + open);
        }
        for (DisniContext context : contexts.values()) {
            context.close();
        }
        isClosed = true;
    }
}
