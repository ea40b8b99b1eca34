package io.rdmanet.ffm.connection;

import io.rdmanet.ffm.c.ContextDescriptor;
import io.rdmanet.ffm.c.DeviceDescriptor;
import io.rdmanet.ffm.c.Librdmacm;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.ffm.c.SocketAddressDescriptor;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// rdma_cm through librdmacm.
///
/// librdmacm opens each device once for the whole process, whoever needs it. The manager opens the
/// device again for its own identifiers: so the device's asynchronous events come to whom they
/// concern, and its life is not librdmacm's business.
public final class FfmConnectionManager implements ConnectionManager {
    private final VerbsProvider provider;

    /// All guarded by the monitor, which is never held during a wait.
    private final Set<Object> open = new HashSet<>();

    private final Map<Long, Context> contexts = new HashMap<>();
    private final List<Context> contextsOfRemovedDevices = new ArrayList<>();
    private boolean isClosed;

    private FfmConnectionManager(VerbsProvider provider) {
        this.provider = provider;
    }

    /// Opens a connection manager.
    ///
    /// @throws VerbsException if rdma_cm cannot be used here, with what to do
    public static FfmConnectionManager open(VerbsProvider provider) throws VerbsException {
        EventChannel.open().close();
        return new FfmConnectionManager(provider);
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
        requireResolved(address, "rdma_bind_addr");
        CommunicationIdentifier identifier =
                create("the listener at " + AddressText.describe(address));
        try (Arena arena = Arena.ofConfined()) {
            long socketAddress = socketAddress(arena, address);
            long bound =
                    identifier.call(
                            "rdma_bind_addr", id -> Librdmacm.rdma_bind_addr(id, socketAddress));
            if (Result.isFailure(bound)) {
                throw FfmConnectionFailure.notListening(
                        "rdma_bind_addr", Result.errorNumber(bound), address);
            }
            long listening =
                    identifier.call("rdma_listen", id -> Librdmacm.rdma_listen(id, backlog));
            InetSocketAddress real = identifier.localAddress();
            if (Result.isFailure(listening) || real == null) {
                throw FfmConnectionFailure.notListening(
                        "rdma_listen", Result.errorNumber(listening), address);
            }
            FfmConnectionListener listener = new FfmConnectionListener(this, identifier, real);
            replace(identifier, listener);
            return listener;
        } catch (VerbsException | RuntimeException e) {
            discard(identifier);
            throw e;
        }
    }

    @Override
    public ConnectionIdentifier resolve(
            InetSocketAddress destination, @Nullable InetSocketAddress source, long timeoutNanos)
            throws VerbsException {
        requireResolved(destination, "rdma_resolve_addr");
        if (source != null) {
            requireResolved(source, "rdma_resolve_addr");
        }
        CommunicationIdentifier identifier =
                create("the connection to " + AddressText.describe(destination));
        try {
            resolveAddress(identifier, destination, source, timeoutNanos);
            resolveRoute(identifier, destination, timeoutNanos);
            FfmConnectionIdentifier resolved =
                    FfmConnectionIdentifier.dialling(this, identifier, destination);
            replace(identifier, resolved);
            return resolved;
        } catch (VerbsException | RuntimeException e) {
            discard(identifier);
            throw e;
        }
    }

    private void resolveAddress(
            CommunicationIdentifier identifier,
            InetSocketAddress destination,
            @Nullable InetSocketAddress source,
            long timeoutNanos)
            throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long from = source == null ? 0 : socketAddress(arena, source);
            long to = socketAddress(arena, destination);
            int millis = kernelMillis(timeoutNanos);
            long result =
                    identifier.call(
                            "rdma_resolve_addr",
                            id -> Librdmacm.rdma_resolve_addr(id, from, to, millis));
            if (Result.isFailure(result)) {
                throw FfmConnectionFailure.ofErrorNumber(
                        "rdma_resolve_addr",
                        Result.errorNumber(result),
                        destination,
                        Reason.ADDRESS_ERROR);
            }
        }
        awaitResolution(
                "rdma_resolve_addr",
                identifier,
                CommunicationEvent.Type.ADDR_RESOLVED,
                destination,
                timeoutNanos);
    }

    private static void resolveRoute(
            CommunicationIdentifier identifier, InetSocketAddress destination, long timeoutNanos)
            throws VerbsException {
        int millis = kernelMillis(timeoutNanos);
        long result =
                identifier.call(
                        "rdma_resolve_route", id -> Librdmacm.rdma_resolve_route(id, millis));
        if (Result.isFailure(result)) {
            throw FfmConnectionFailure.ofErrorNumber(
                    "rdma_resolve_route",
                    Result.errorNumber(result),
                    destination,
                    Reason.ROUTE_ERROR);
        }
        awaitResolution(
                "rdma_resolve_route",
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
        CommunicationEvent answer = identifier.awaitEvent(verb, timeoutNanos, event -> event);
        if (answer == null) {
            throw ConnectionFailure.timedOut(verb, destination, "been resolved", timeoutNanos);
        }
        if (answer.type() != wanted) {
            throw FfmConnectionFailure.of(verb, answer, destination, false);
        }
    }

    /// A little less than ours, so that the kernel says what it waited for.
    private static int kernelMillis(long timeoutNanos) {
        return Math.clamp(
                TimeUnit.NANOSECONDS.toMillis(timeoutNanos / 8 * 7), 1, Integer.MAX_VALUE);
    }

    private static long socketAddress(Arena arena, InetSocketAddress address) {
        long descriptor = arena.allocate(SocketAddressDescriptor.STORAGE_SIZE, 8).address();
        SocketAddressDescriptor.set(descriptor, address);
        return descriptor;
    }

    private static void requireResolved(InetSocketAddress address, String verb)
            throws ConnectionException {
        if (address.isUnresolved()) {
            throw new ConnectionException(
                    verb,
                    Reason.ADDRESS_ERROR,
                    "no address is known for the name " + address.getHostString());
        }
    }

    /// The device that an identifier is bound to, opened if it is not yet.
    synchronized Context context(CommunicationIdentifier identifier) throws VerbsException {
        requireOpen();
        long verbs = identifier.verbs();
        if (verbs == 0) {
            throw new VerbsException("open_device", identifier + " is bound to no device");
        }
        Context known = contexts.get(verbs);
        if (known == null) {
            known = provider.open(deviceName(verbs));
            contexts.put(verbs, known);
        }
        return known;
    }

    private static String deviceName(long verbs) {
        return NativeMemory.stringAt(
                NativeMemory.longAt(verbs + ContextDescriptor.DEVICE) + DeviceDescriptor.NAME);
    }

    /// A device of the same name may come back, and be another one.
    synchronized void onDeviceRemoved(Context context) {
        if (contexts.values().remove(context)) {
            contextsOfRemovedDevices.add(context);
        }
    }

    private synchronized CommunicationIdentifier create(String name) throws VerbsException {
        requireOpen();
        CommunicationIdentifier created = CommunicationIdentifier.create(name);
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
    synchronized void add(FfmConnectionIdentifier request) {
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
        for (Context context : contextsOfRemovedDevices) {
            context.close();
        }
        for (Context context : contexts.values()) {
            context.close();
        }
        isClosed = true;
    }
}
