package io.rdmanet.loopback.connection;

import static java.util.Objects.requireNonNull;

import io.rdmanet.loopback.link.Hub;
import io.rdmanet.loopback.link.HubListener;
import io.rdmanet.loopback.link.LinkRequest;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairTransition;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A device with a real hub and queue pairs that only note what is done to them.
final class FakeDevice implements AutoCloseable {
    final Hub hub;
    final LoopbackConnectionManager manager;
    final ProtectionDomain protectionDomain;
    final AtomicInteger contextCloses = new AtomicInteger();

    /// What the next modify to READY_TO_RECEIVE fails with.
    volatile @Nullable VerbsException refusal;

    private final AtomicInteger lastNumber = new AtomicInteger(0x10);

    @SuppressWarnings("ReferenceEquality") // a context equals itself only
    FakeDevice() throws VerbsException {
        hub = Hub.open(new Deaf());
        Context context =
                proxy(
                        Context.class,
                        (self, method, arguments) -> {
                            if (method.getName().equals("close")) {
                                contextCloses.incrementAndGet();
                                hub.close();
                                return null;
                            }
                            if (method.getName().equals("equals")) {
                                return self == arguments[0];
                            }
                            throw new UnsupportedOperationException(method.getName());
                        });
        protectionDomain = domainOf(context);
        VerbsProvider provider =
                proxy(
                        VerbsProvider.class,
                        (self, method, arguments) -> {
                            throw new UnsupportedOperationException(method.getName());
                        });
        manager = new LoopbackConnectionManager(provider, context, hub);
    }

    ProtectionDomain domainOf(Context context) {
        return proxy(
                ProtectionDomain.class,
                (self, method, arguments) ->
                        switch (method.getName()) {
                            case "context" -> context;
                            case "createQueuePair" -> new FakeQueuePair().asQueuePair();
                            default -> throw new UnsupportedOperationException(method.getName());
                        });
    }

    /// What any queue pair can be created with.
    static QueuePairInitialAttributes anyAttributes() {
        CompletionQueue queue =
                proxy(
                        CompletionQueue.class,
                        (self, method, arguments) -> {
                            throw new UnsupportedOperationException(method.getName());
                        });
        return QueuePairInitialAttributes.reliable(queue, queue, QueuePairCapacity.of(1, 1));
    }

    static FakeQueuePair of(QueuePair queuePair) {
        return (FakeQueuePair) Proxy.getInvocationHandler(queuePair);
    }

    @Override
    public void close() {
        hub.close();
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /// Checks transitions as the specification demands them, and keeps them.
    final class FakeQueuePair implements InvocationHandler {
        final List<QueuePairAttributes> modifications = new CopyOnWriteArrayList<>();
        final AtomicInteger closes = new AtomicInteger();
        final int number = lastNumber.incrementAndGet();
        volatile QueuePairState state = QueuePairState.RESET;

        QueuePair asQueuePair() {
            return proxy(QueuePair.class, this);
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
                throws VerbsException {
            return switch (method.getName()) {
                case "number" -> number;
                case "state" -> state;
                case "close" -> {
                    closes.incrementAndGet();
                    yield null;
                }
                case "modify" -> modify((QueuePairAttributes) requireNonNull(arguments)[0]);
                default -> throw new UnsupportedOperationException(method.getName());
            };
        }

        private @Nullable Object modify(QueuePairAttributes attributes) throws VerbsException {
            QueuePairTransition.check(QueuePairType.RELIABLE_CONNECTION, state, attributes);
            if (closes.get() > 0) {
                throw new IllegalStateException("the queue pair is closed");
            }
            VerbsException failure = refusal;
            if (failure != null && attributes.has(Attribute.ADDRESS_VECTOR)) {
                throw failure;
            }
            modifications.add(attributes);
            state = attributes.state();
            return null;
        }
    }

    private static final class Deaf implements HubListener {
        @Override
        public void onWake(int queuePairNumber) {}

        @Override
        public void onRequest(LinkRequest request) {}

        @Override
        public void onPeerGone(GlobalIdentifier peer) {}
    }
}
