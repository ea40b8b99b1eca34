package io.rdmanet.tck;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.MemoryRegion;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;

/// What the contracts of connecting by rdma_cm share: one end that dials, and one that accepts.
public abstract class ConnectingContract extends VerbsContract {
    static final int SLOT = 64;

    @BeforeEach
    final void requireCapability() {
        assume(Capability.CONNECTION_MANAGER);
    }

    /// An identifier with its queue pair, closed in the right order after the test.
    record Party(ConnectionIdentifier identifier, PairEnd end) {}

    final ConnectionManager openManager() throws Exception {
        return closing(provider().openConnectionManager());
    }

    final Party resolve(ConnectionManager manager, InetSocketAddress address) throws Exception {
        return party(closing(manager.resolve(address, null, patience().toNanos())));
    }

    final Party awaitRequest(ConnectionListener listener) throws Exception {
        return party(
                closing(
                        requireNonNull(
                                listener.awaitRequest(patience().toNanos()),
                                "no request in time")));
    }

    private Party party(ConnectionIdentifier identifier) throws Exception {
        return new Party(
                identifier,
                closing(
                        new PairEnd(
                                identifier.context(),
                                PairOptions.defaults(),
                                patience(),
                                identifier::createQueuePair)));
    }

    final Running<Void> connecting(Party client, ConnectionParameters parameters) {
        long timeout = patience().toNanos();
        return start(
                "connect",
                () -> {
                    client.identifier().connect(parameters, timeout);
                    return null;
                });
    }

    static void assertCarries(PairEnd from, PairEnd to) throws Exception {
        MemoryRegion source = from.memory(SLOT);
        MemoryRegion target = to.memory(SLOT);
        Payload.fill(source.segment(), 0, SLOT, 1);
        to.postReceive(1, target, 0, SLOT);

        from.postSend(2, source, 0, SLOT);

        to.receives().takeSuccesses(1);
        from.sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), 0, SLOT, 1);
    }

    /// librdmacm pads private data with zeros to what the packet has room for.
    static void assertStartsWith(byte[] actual, byte[] expected) {
        assertThat(actual).hasSizeGreaterThanOrEqualTo(expected.length);
        assertThat(Arrays.copyOf(actual, expected.length)).isEqualTo(expected);
        for (int i = expected.length; i < actual.length; i++) {
            assertThat(actual[i]).as("padding at %d", i).isZero();
        }
    }

    /// Private data, other for each seed.
    static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed * 50 + i + 1);
        }
        return bytes;
    }
}
