package io.rdmanet.tck;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.EndpointOptions;
import io.rdmanet.Listener;
import io.rdmanet.Rdmanet;
import io.rdmanet.ReceivedMessage;
import io.rdmanet.verbs.Capability;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What the contracts of [Conn] share: two ends, connected by dialling and listening in one
/// process.
///
/// RNR retries are 0 everywhere: a single frame that met an empty receive queue would fail its
/// connection, so every test here also proves that flow control never lets that happen.
public abstract class ConnVerbsContract extends VerbsContract {
    /// Bytes of a slot where a test needs several frames soon.
    static final int SLOT = 1024;

    /// Two ends of one connection. Closed after the test, unless the test does.
    record Ends(Conn dialler, Conn listener) {}

    /// How the ends find each other: rdma_cm where the provider has it.
    protected ConnectionSetup setup() {
        return provider().capabilities().contains(Capability.CONNECTION_MANAGER)
                ? ConnectionSetup.RDMA_CM
                : ConnectionSetup.TCP;
    }

    /// Slots of [#SLOT] bytes, a window of 8, messages up to 256 KiB, no RNR retries.
    final ConnOptions options() {
        return ConnOptions.defaults()
                .withEndpoint(
                        EndpointOptions.defaults()
                                .withProvider(provider().name())
                                .withSetup(setup())
                                .withTimeout(patience()))
                .withSlotBytes(SLOT)
                .withDepth(8)
                .withMaxMessageBytes(256 << 10)
                .withLinger(Duration.ofSeconds(5))
                .withRnrRetryCount(0);
    }

    final Ends open(ConnOptions both) throws Exception {
        return open(both, both);
    }

    final Ends open(ConnOptions dialling, ConnOptions listening) throws Exception {
        try (Listener<Conn> listener = Rdmanet.listen(socketAddress(), listening)) {
            Running<Conn> accepting = start("accept", () -> listener.accept(patience()));
            Conn dialler = closing(Rdmanet.dial(listener.localAddress(), dialling));
            return new Ends(dialler, closing(accepting.join()));
        }
    }

    /// The contents of a seed.
    static byte[] message(int length, long seed) {
        byte[] bytes = new byte[length];
        Payload.fill(MemorySegment.ofArray(bytes), 0, length, seed);
        return bytes;
    }

    /// A length that goes through all around the boundaries of slots, for the n-th message.
    static int variedLength(int n) {
        int[] lengths = {0, 1, 7, 64, SLOT - 1, SLOT, SLOT + 1, 100, 3 * SLOT + 5, 2 * SLOT, 33};
        return lengths[n % lengths.length];
    }

    /// Sends `count` messages of varied lengths, each with its number as seed.
    static void sendNumbered(Conn conn, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            conn.sendMsg(message(variedLength(i), i));
        }
    }

    /// Receives what [#sendNumbered] sent.
    static void receiveNumbered(Conn conn, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            assertMessage(conn.recvMsg(), variedLength(i), i);
        }
    }

    /// Fails unless a message has a length and the contents of a seed.
    static void assertMessage(byte @Nullable [] message, int length, long seed) {
        if (message == null) {
            throw new AssertionError("the stream ended before message " + seed);
        }
        if (message.length != length) {
            throw new AssertionError(
                    "message " + seed + " has " + message.length + " bytes, not " + length);
        }
        Payload.assertHolds(MemorySegment.ofArray(message), 0, length, seed);
    }

    /// The next message, left where it lies.
    static ReceivedMessage lease(Conn conn) throws Exception {
        ReceivedMessage lease = conn.receiveLease();
        if (lease == null) {
            throw new AssertionError("the stream has ended");
        }
        return lease;
    }

    /// Waits until a thread sleeps, so that what ends its wait can be tried; a busy one gets a
    /// moment.
    final void awaitBlocked(Running<?> running) throws Exception {
        boolean ignored = Waiting.until(quiet(), running::isBlocked);
        Thread.sleep(20);
    }
}
