package io.rdmanet.tck;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Capability honesty: whatever a provider declares to lack is refused by name when it is asked
/// for, never ignored.
public abstract class UnsupportedContract extends VerbsContract {
    private static final long LARGE = 1L << 31;

    /// How to ask for a capability.
    @FunctionalInterface
    private interface Request {
        List<ThrowingCallable> attempts() throws Exception;
    }

    @TestFactory
    final Stream<DynamicTest> refusesWhatItLacksByName() {
        EnumSet<Capability> missing = EnumSet.allOf(Capability.class);
        missing.removeAll(provider().capabilities());
        Map<Capability, Request> requests = requests();
        return missing.stream()
                .filter(requests::containsKey)
                .map(capability ->
                        dynamicTest(
                                "refuses " + capability.description() + " by name",
                                () -> assertRefused(capability, requests)));
    }

    private void assertRefused(Capability capability, Map<Capability, Request> requests)
            throws Exception {
        for (ThrowingCallable attempt : requireNonNull(requests.get(capability)).attempts()) {
            Throwable refusal = catchThrowable(attempt);
            assertThat(refusal)
                    .isInstanceOfSatisfying(
                            UnsupportedCapabilityException.class,
                            e -> {
                                assertThat(e.capability()).isEqualTo(capability);
                                assertThat(e.provider()).isEqualTo(provider().name());
                            })
                    .hasMessageContaining(provider().name())
                    .hasMessageContaining(capability.description())
                    .hasMessageContaining(provider().alternativeTo(capability));
        }
    }

    /// DEVICE_LIST is not here, since without it the list is empty; MTU_CHOICE is not, since the
    /// SPI has no call that is refused for it alone.
    private Map<Capability, Request> requests() {
        return Map.ofEntries(
                Map.entry(Capability.DEVICE_CHOICE, () -> List.of(() -> provider().open("any"))),
                Map.entry(
                        Capability.GID_CHOICE,
                        () -> {
                            Context context = openContext();
                            return List.of(() -> context.gidTable(1));
                        }),
                Map.entry(
                        Capability.CONNECTION_MANAGER,
                        () -> List.of(() -> provider().openConnectionManager())),
                Map.entry(Capability.PRIVATE_DATA, this::connectingWithPrivateData),
                Map.entry(
                        Capability.IPV6,
                        () -> {
                            assume(Capability.CONNECTION_MANAGER);
                            ConnectionManager manager = closing(provider().openConnectionManager());
                            InetSocketAddress address =
                                    new InetSocketAddress(InetAddress.ofLiteral("::1"), 0);
                            return List.of(() -> manager.listen(address, 1));
                        }),
                Map.entry(
                        Capability.QUEUE_PAIR_MODIFY,
                        () -> {
                            PairEnd end = connect().left();
                            return List.of(() ->
                                    end.queuePair()
                                            .modify(
                                                    QueuePairAttributes.toInit(
                                                            1, end.fullAccess())));
                        }),
                Map.entry(
                        Capability.COMPLETION_CHANNEL,
                        () -> {
                            Context context = openContext();
                            return List.of(context::createCompletionChannel);
                        }),
                Map.entry(
                        Capability.IMMEDIATE_DATA,
                        () ->
                                preparing(
                                        SendOpcode.SEND_WITH_IMMEDIATE,
                                        SendOpcode.RDMA_WRITE_WITH_IMMEDIATE)),
                Map.entry(
                        Capability.INLINE_DATA,
                        () ->
                                creating(
                                        QueuePairType.RELIABLE_CONNECTION,
                                        new QueuePairCapacity(1, 1, 1, 1, 16))),
                Map.entry(
                        Capability.UNREGISTERED_INLINE_DATA,
                        () -> {
                            PostSend send = connect().left().prepareSend(SendOpcode.SEND, 1);
                            MemorySegment data = MemorySegment.ofArray(new byte[8]);
                            return List.of(() -> send.inlineData(0, data, 0, 8));
                        }),
                Map.entry(
                        Capability.ONE_SIDED,
                        () -> preparing(SendOpcode.RDMA_WRITE, SendOpcode.RDMA_READ)),
                Map.entry(
                        Capability.ATOMICS,
                        () ->
                                preparing(
                                        SendOpcode.ATOMIC_COMPARE_AND_SWAP,
                                        SendOpcode.ATOMIC_FETCH_AND_ADD)),
                Map.entry(
                        Capability.LARGE_REGIONS,
                        () -> {
                            ProtectionDomain domain = openDomain();
                            return List.of(
                                    () -> domain.allocate(LARGE, java.util.Set.of()).close());
                        }),
                Map.entry(
                        Capability.ASYNC_EVENTS,
                        () -> {
                            Context context = openContext();
                            return List.of(context::pollAsyncEvent);
                        }),
                Map.entry(
                        Capability.UNRELIABLE_CONNECTION,
                        () ->
                                creating(
                                        QueuePairType.UNRELIABLE_CONNECTION,
                                        QueuePairCapacity.of(1, 1))),
                Map.entry(Capability.UNRELIABLE_DATAGRAM, this::askingForDatagrams),
                Map.entry(
                        Capability.SHARED_RECEIVE_QUEUE,
                        () -> {
                            ProtectionDomain domain = openDomain();
                            return List.of(() -> domain.createSharedReceiveQueue(1, 1));
                        }));
    }

    private ProtectionDomain openDomain() throws Exception {
        return closing(openContext().allocateProtectionDomain());
    }

    private List<ThrowingCallable> askingForDatagrams() throws Exception {
        ProtectionDomain domain = openDomain();
        AddressVector address = AddressVector.to(new GlobalIdentifier(0, 1), 1, 0);
        List<ThrowingCallable> attempts =
                new ArrayList<>(
                        creating(QueuePairType.UNRELIABLE_DATAGRAM, QueuePairCapacity.of(1, 1)));
        attempts.add(() -> domain.createAddressHandle(address));
        return attempts;
    }

    private List<ThrowingCallable> creating(QueuePairType type, QueuePairCapacity capacity)
            throws Exception {
        Context context = openContext();
        ProtectionDomain domain = closing(context.allocateProtectionDomain());
        var queue = closing(context.createCompletionQueue(2, null));
        QueuePairInitialAttributes attributes =
                new QueuePairInitialAttributes(type, queue, queue, null, capacity, false);
        return List.of(() -> domain.createQueuePair(attributes));
    }

    private List<ThrowingCallable> preparing(SendOpcode... opcodes) throws Exception {
        PairEnd end = connect().left();
        List<ThrowingCallable> attempts = new ArrayList<>();
        for (SendOpcode opcode : opcodes) {
            attempts.add(() -> end.prepareSend(opcode, 1));
        }
        return attempts;
    }

    private List<ThrowingCallable> connectingWithPrivateData() throws Exception {
        assume(Capability.CONNECTION_MANAGER);
        ConnectionManager manager = closing(provider().openConnectionManager());
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        ConnectionIdentifier identifier =
                closing(manager.resolve(listener.localAddress(), null, patience().toNanos()));
        closing(
                new PairEnd(
                        identifier.context(),
                        PairOptions.defaults(),
                        patience(),
                        identifier::createQueuePair));
        ConnectionParameters parameters =
                ConnectionParameters.defaults().withPrivateData(new byte[] {1});
        return List.of(() -> identifier.connect(parameters, patience().toNanos()));
    }
}
