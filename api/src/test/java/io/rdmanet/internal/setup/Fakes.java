package io.rdmanet.internal.setup;

import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.VerbsProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A provider whose queue pairs go nowhere: enough of the SPI for connection set-up.
final class Fakes {
    private Fakes() {}

    /// An interface of which only what a test needs is there; everything else throws.
    @SuppressWarnings("ReferenceEquality") // a fake is equal to itself only
    static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "toString" -> "fake " + type.getSimpleName();
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    default -> handler.invoke(proxy, method, arguments);
                                }));
    }

    static UnsupportedOperationException notFaked(java.lang.reflect.Method method) {
        return new UnsupportedOperationException(method.toString());
    }

    /// A provider with one device of one port, `fake0`.
    static final class FakeProvider implements VerbsProvider {
        final AtomicInteger openContexts = new AtomicInteger();
        Set<Capability> capabilities = EnumSet.allOf(Capability.class);
        LinkLayer linkLayer = LinkLayer.ETHERNET;
        PathMtu mtu = PathMtu.MTU_4096;
        PortState portState = PortState.ACTIVE;
        List<GidEntry> gids = List.of(gid(0, 0xfe80L << 48, 1), gid(1, 0, 0xffff0a000001L));
        final Map<String, List<GidEntry>> gidsByDevice = new HashMap<>();
        final Deque<AsyncEvent> asyncEvents = new ConcurrentLinkedDeque<>();
        @Nullable ConnectionManager manager;

        static GidEntry gid(int index, long high, long low) {
            return new GidEntry(index, new GlobalIdentifier(high, low), GidType.ROCE_V2, "eth0");
        }

        ProviderSelection selection() {
            return new ProviderSelection(this, "a test's");
        }

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public int priority() {
            return 1;
        }

        @Override
        public Optional<String> unusableReason() {
            return Optional.empty();
        }

        @Override
        public Set<Capability> capabilities() {
            return capabilities;
        }

        @Override
        public List<DeviceDescription> devices() {
            return List.of(
                    new DeviceDescription("fake0", "goes nowhere"),
                    new DeviceDescription("mlx5_1", "owns no address"));
        }

        @Override
        public Context open(String deviceName) {
            openContexts.incrementAndGet();
            return context(deviceName);
        }

        Context context(String deviceName) {
            return fake(
                    Context.class,
                    (proxy, method, arguments) ->
                            switch (method.getName()) {
                                case "provider" -> this;
                                case "deviceName" -> deviceName;
                                case "queryDevice" -> device();
                                case "queryPort" -> port();
                                case "gidTable" -> gidsByDevice.getOrDefault(deviceName, gids);
                                case "pollAsyncEvent" -> asyncEvents.poll();
                                case "close" -> openContexts.decrementAndGet();
                                default -> throw notFaked(method);
                            });
        }

        private static DeviceAttributes device() {
            return new DeviceAttributes(0, "", 100, 16384, 1, 100, 16384, 100, 1L << 40, 64, 16, 1);
        }

        private PortAttributes port() {
            return new PortAttributes(
                    portState, linkLayer, PathMtu.MTU_4096, mtu, 7, 16, 1L << 31, 100);
        }

        @Override
        public ConnectionManager openConnectionManager() {
            if (manager == null) {
                throw new UnsupportedOperationException("no connection manager in this test");
            }
            return manager;
        }
    }

    /// A queue pair that remembers how it was changed.
    static final class FakeQueuePair {
        final List<QueuePairAttributes> changes = new ArrayList<>();
        final QueuePair queuePair;

        FakeQueuePair(int number) {
            queuePair =
                    fake(
                            QueuePair.class,
                            (proxy, method, arguments) ->
                                    switch (method.getName()) {
                                        case "number" -> number;
                                        case "capacity" -> QueuePairCapacity.of(16, 16);
                                        case "modify" -> {
                                            changes.add((QueuePairAttributes) arguments[0]);
                                            yield null;
                                        }
                                        case "query" ->
                                                changes.stream()
                                                        .reduce(QueuePairAttributes::mergedWith)
                                                        .orElse(QueuePairAttributes.none());
                                        case "close" -> null;
                                        default -> throw notFaked(method);
                                    });
        }

        QueuePairAttributes all() {
            return changes.stream().reduce(QueuePairAttributes::mergedWith).orElseThrow();
        }
    }

    static ProtectionDomain domain(FakeQueuePair queuePair) {
        return fake(
                ProtectionDomain.class,
                (proxy, method, arguments) -> {
                    if (method.getName().equals("createQueuePair")) {
                        return queuePair.queuePair;
                    }
                    throw notFaked(method);
                });
    }

    static QueuePairInitialAttributes initialAttributes() {
        io.rdmanet.verbs.CompletionQueue queue =
                fake(
                        io.rdmanet.verbs.CompletionQueue.class,
                        (proxy, method, arguments) -> {
                            throw notFaked(method);
                        });
        return QueuePairInitialAttributes.reliable(queue, queue, QueuePairCapacity.of(16, 16));
    }
}
