package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ConnectionDescription;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.DeadlineException;
import io.rdmanet.EndpointOptions;
import io.rdmanet.Listener;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.RawConn;
import io.rdmanet.RawDrain;
import io.rdmanet.RawOptions;
import io.rdmanet.RawProgress;
import io.rdmanet.RawVerb;
import io.rdmanet.Rdmanet;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.AsynchronousCloseException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The contract of dialling and listening: what is said when it fails, and that strangers cost only
/// themselves.
public abstract class SetupContract extends FrontDoorContract {
    private static final Duration MOMENT = Duration.ofMillis(300);

    /// The length of a record of the TCP exchange, and of what all offers of a role begin with.
    private static final int RECORD_BYTES = 256;

    private static final int RECORD_PREFIX_BYTES = 16;

    private ConnOptions connOptions(ConnectionSetup setup) {
        return ConnOptions.defaults().withEndpoint(endpoint(setup)).withDepth(4);
    }

    private void assertWorks(RawConn sender, RawConn drainer) throws Exception {
        sender.pipelineBatch(RawVerb.SEND, 10, 10, RawProgress.NONE);
        sender.endRun(5);
        RawDrain drained = drainer.recvDrain(null);
        assertThat(drained.messages()).isEqualTo(10);
        assertThat(drained.tag()).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void reportsRealAddressesAndMeasuredFacts(ConnectionSetup setup) throws Exception {
        RawOptions options = rawOptions(setup);
        Listener<RawConn> listener = listenRaw(options);
        assertThat(listener.localAddress().getPort()).isPositive();
        assertThat(listener.provider()).isEqualTo(providerName());
        assertThat(listener.providerReason()).isNotBlank();
        RawConn dialled = closing(Rdmanet.dialRaw(listener.localAddress(), options));
        RawConn accepted = closing(listener.accept(patience()));

        assertThat(dialled.remoteAddress()).isEqualTo(listener.localAddress());
        assertThat(accepted.localAddress()).isEqualTo(listener.localAddress());
        assertThat(accepted.remoteAddress()).isEqualTo(dialled.localAddress());

        ConnectionDescription one = dialled.description();
        ConnectionDescription other = accepted.description();
        assertThat(one.provider()).isEqualTo(providerName());
        assertThat(one.device()).isNotBlank();
        assertThat(one.setup()).isEqualTo(setup);
        if (other.remoteQueuePair() >= 0) {
            assertThat(one.localQueuePair()).isEqualTo(other.remoteQueuePair());
        }
        if (other.remotePacketSequence() >= 0) {
            assertThat(one.localPacketSequence()).isEqualTo(other.remotePacketSequence());
        }
        if (other.remoteGid() != null) {
            assertThat(one.localGid()).isEqualTo(other.remoteGid());
        }
        assertThat(one.pathMtu()).isEqualTo(other.pathMtu());
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void saysThatNobodyListens(ConnectionSetup setup) throws Exception {
        RawOptions options = rawOptions(setup);
        InetSocketAddress free;
        try (Listener<RawConn> listener = Rdmanet.listenRaw(freeAddress(), options)) {
            free = listener.localAddress();
        }
        assertThatThrownBy(() -> Rdmanet.dialRaw(free, options))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("nobody listens on " + address().getHostAddress())
                .hasMessageContaining("start the server first");
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void saysThatThePortIsInUse(ConnectionSetup setup) throws Exception {
        RawOptions options = rawOptions(setup);
        Listener<RawConn> listener = listenRaw(options);
        assertThatThrownBy(() -> Rdmanet.listenRaw(listener.localAddress(), options))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        failure ->
                                assertThat(failure.reason())
                                        .isEqualTo(ConnectionException.Reason.ADDRESS_IN_USE))
                .hasMessageContaining(Integer.toString(listener.localAddress().getPort()));
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void freesItsPortWhenItCloses(ConnectionSetup setup) throws Exception {
        RawOptions options = rawOptions(setup);
        InetSocketAddress taken;
        try (Listener<RawConn> listener = Rdmanet.listenRaw(freeAddress(), options)) {
            taken = listener.localAddress();
        }
        Listener<RawConn> again = closing(Rdmanet.listenRaw(taken, options));
        RawConn sender = closing(Rdmanet.dialRaw(taken, options));
        assertWorks(sender, closing(again.accept(patience())));
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void refusesAddressesThatAreNotThisMachines(ConnectionSetup setup) throws Exception {
        RawOptions options = rawOptions(setup);
        // 192.0.2.0/24 is for documentation (RFC 5737): nobody's.
        InetSocketAddress foreign =
                new InetSocketAddress(
                        InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), 0);
        assertThatThrownBy(() -> Rdmanet.listenRaw(foreign, options))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("192.0.2.1");
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void refusesAHostNameWithoutAddress(ConnectionSetup setup) {
        RawOptions options = rawOptions(setup);
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("no.such.host.invalid", 1);
        assertThatThrownBy(() -> Rdmanet.dialRaw(unknown, options))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no.such.host.invalid");
        assertThatThrownBy(() -> Rdmanet.listenRaw(unknown, options))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no.such.host.invalid");
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void refusesTheOtherRoleOnBothEndsNamingBoth(ConnectionSetup setup) throws Exception {
        Listener<RawConn> raw = listenRaw(rawOptions(setup));
        assertThatThrownBy(() -> Rdmanet.dial(raw.localAddress(), connOptions(setup)).close())
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("message")
                .hasMessageContaining("raw");
        assertThatThrownBy(() -> raw.accept(MOMENT))
                .isInstanceOf(DeadlineException.class)
                .hasMessageContaining("1 attempt failed")
                .hasMessageContaining("message")
                .hasMessageContaining("raw");

        Listener<Conn> messages = closing(Rdmanet.listen(freeAddress(), connOptions(setup)));
        assertThatThrownBy(
                        () -> Rdmanet.dialRaw(messages.localAddress(), rawOptions(setup)).close())
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("message")
                .hasMessageContaining("raw");
        assertThatThrownBy(() -> messages.accept(MOMENT))
                .hasMessageContaining("message")
                .hasMessageContaining("raw");
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void connectsTwoClientsAtOnce(ConnectionSetup setup) throws Exception {
        RawOptions options = rawOptions(setup);
        Listener<RawConn> listener = listenRaw(options);
        List<VerbsContract.Running<RawConn>> dialling = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            dialling.add(
                    start(
                            "dial",
                            () -> closing(Rdmanet.dialRaw(listener.localAddress(), options))));
        }
        RawConn first = closing(listener.accept(patience()));
        RawConn second = closing(listener.accept(patience()));
        for (VerbsContract.Running<RawConn> dialled : dialling) {
            RawConn sender = dialled.join();
            boolean isFirst = sender.localAddress().equals(first.remoteAddress());
            assertWorks(sender, isFirst ? first : second);
        }
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void endsAcceptInTimeAndWhenItIsClosed(ConnectionSetup setup) throws Exception {
        Listener<RawConn> listener = listenRaw(rawOptions(setup));
        assertThatThrownBy(() -> listener.accept(Duration.ofMillis(100)))
                .isInstanceOf(DeadlineException.class)
                .hasMessageContaining("no connection on");
        VerbsContract.Running<Throwable> waiting =
                start("accept", () -> catchThrowable(() -> listener.accept(patience())));
        Thread.sleep(50);
        listener.close();
        listener.close();
        assertThat(waiting.join()).isInstanceOf(AsynchronousCloseException.class);
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void leavesAcceptedConnectionsAloneWhenItCloses(ConnectionSetup setup) throws Exception {
        RawPair pair = connectRaw(rawOptions(setup));
        Listener<RawConn> listener = listenRaw(rawOptions(setup));
        RawConn sender = closing(Rdmanet.dialRaw(listener.localAddress(), rawOptions(setup)));
        RawConn drainer = closing(listener.accept(patience()));
        listener.close();
        assertWorks(sender, drainer);
        assertWorks(pair.sender(), pair.drainer());
    }

    @Test
    void keepsStrangersFromHoldingUpAGoodClient() throws Exception {
        RawOptions options = rawOptions(ConnectionSetup.TCP);
        Listener<RawConn> listener = listenRaw(options);
        String[] words = {"", "G", "GET / HTTP/1.1\r\n\r\n", "{}", "rdmanet\n", "rdmanet\n\0\1\1"};
        for (String said : words) {
            Socket silent = closing(connect(listener));
            silent.getOutputStream().write(said.getBytes(StandardCharsets.ISO_8859_1));
            try (Socket early = connect(listener)) {
                early.getOutputStream().write(said.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        for (int i = 0; i < 100; i++) {
            closing(connect(listener));
        }
        assertThatThrownBy(() -> listener.accept(MOMENT)).hasMessageContaining("failed, the last");
        RawConn sender = closing(Rdmanet.dialRaw(listener.localAddress(), options));
        assertWorks(sender, closing(listener.accept(patience())));
    }

    @Test
    void dropsAForgedOfferAtTheDeadlineWhileAGoodClientConnects() throws Exception {
        RawOptions options = rawOptions(ConnectionSetup.TCP);
        Duration exchange = Duration.ofSeconds(3);
        Listener<RawConn> listener =
                listenRaw(options.withEndpoint(options.endpoint().withTimeout(exchange)));
        ServerSocket eavesdropper = closing(new ServerSocket(0, 5, address()));
        start(
                "victim",
                () ->
                        catchThrowable(() ->
                                Rdmanet.dialRaw(
                                        (InetSocketAddress) eavesdropper.getLocalSocketAddress(),
                                        options)));
        Socket victim = closing(eavesdropper.accept());
        byte[] offer = victim.getInputStream().readNBytes(RECORD_BYTES);

        Socket forger = closing(connect(listener));
        long start = System.nanoTime();
        forger.getOutputStream().write(offer);
        forger.setSoTimeout((int) patience().toMillis());
        assertThat(forger.getInputStream().readNBytes(RECORD_BYTES))
                .as("the listener's own offer, so it takes the forged one for good")
                .hasSize(RECORD_BYTES)
                .startsWith(Arrays.copyOf(offer, RECORD_PREFIX_BYTES));

        RawConn sender = closing(Rdmanet.dialRaw(listener.localAddress(), options));
        assertWorks(sender, closing(listener.accept(patience())));
        forger.getInputStream().readAllBytes();
        assertThat(System.nanoTime() - start)
                .as("how long the forger was listened to")
                .isGreaterThan(exchange.toNanos() / 2)
                .isLessThan(patience().toNanos());
    }

    private static Socket connect(Listener<?> listener) throws IOException {
        return new Socket(listener.localAddress().getAddress(), listener.localAddress().getPort());
    }

    @Test
    void endsADialThatNobodyAnswersInTime() throws Exception {
        EndpointOptions endpoint = endpoint(ConnectionSetup.TCP).withTimeout(MOMENT);
        RawOptions options = rawOptions(ConnectionSetup.TCP).withEndpoint(endpoint);
        try (ServerSocket silent = new ServerSocket(0, 5, address())) {
            assertThatThrownBy(() ->
                            Rdmanet.dialRaw(
                                    (InetSocketAddress) silent.getLocalSocketAddress(), options))
                    .isInstanceOf(DeadlineException.class)
                    .hasMessageContaining("did not send its handshake record within ");
        }
    }

    @Test
    void tellsAListenerOfAnotherKindApart() throws Exception {
        RawOptions options = rawOptions(ConnectionSetup.TCP);
        try (ServerSocket other = new ServerSocket(0, 5, address())) {
            start(
                    "other",
                    () -> {
                        try (Socket socket = other.accept()) {
                            socket.getOutputStream()
                                    .write("SSH-2.0-x\r\n".getBytes(StandardCharsets.US_ASCII));
                            return socket.getInputStream().readAllBytes().length;
                        }
                    });
            assertThatThrownBy(() ->
                            Rdmanet.dialRaw(
                                    (InetSocketAddress) other.getLocalSocketAddress(), options))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("SSH-2.0");
        }
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void namesTheProvidersThereAreIfTheNameIsWrong(ConnectionSetup setup) {
        RawOptions options =
                rawOptions(setup).withEndpoint(endpoint(setup).withProvider("nonesuch"));
        assertThatThrownBy(() -> Rdmanet.dialRaw(freeAddress(), options))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("no provider nonesuch")
                .hasMessageContaining(providerName());
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void refusesADeviceThatIsNotTheAddresss(ConnectionSetup setup) throws Exception {
        RawOptions plain = rawOptions(setup);
        Listener<RawConn> listener = listenRaw(plain);
        RawOptions options = plain.withEndpoint(plain.endpoint().withDevice("nonesuch"));
        assertThatThrownBy(() -> Rdmanet.dialRaw(listener.localAddress(), options))
                .isInstanceOfAny(VerbsException.class, UnsupportedCapabilityException.class)
                .message()
                .containsAnyOf("nonesuch", "does not support choosing a device");
    }

    @ParameterizedTest
    @EnumSource(ConnectionSetup.class)
    void refusesAGidThatIsNotThere(ConnectionSetup setup) throws Exception {
        RawOptions plain = rawOptions(setup);
        Listener<RawConn> listener = listenRaw(plain);
        RawOptions options = plain.withEndpoint(plain.endpoint().withGidIndex(65535));
        assertThatThrownBy(() -> Rdmanet.dialRaw(listener.localAddress(), options))
                .isInstanceOf(VerbsException.class)
                .message()
                .containsAnyOf("no GID of index 65535", "does not support choosing a GID");
    }

    @Test
    void refusesARegionBeyondTheLimit() {
        RawOptions options =
                rawOptions(ConnectionSetup.RDMA_CM)
                        .withTransmitDepth(16384)
                        .withMaxMessageBytes(1 << 30);
        assertThatThrownBy(() -> Rdmanet.dialRaw(freeAddress(), options))
                .isInstanceOf(IOException.class);
    }

    @Test
    void refusesTheTcpExchangeWhereTheProviderCannotModifyQueuePairs() {
        VerbsContract.skipUnless(
                !provider().capabilities().contains(Capability.QUEUE_PAIR_MODIFY),
                "provider " + providerName() + " can modify queue pairs");
        RawOptions options =
                RawOptions.defaults()
                        .withEndpoint(
                                EndpointOptions.defaults()
                                        .withProvider(providerName())
                                        .withSetup(ConnectionSetup.TCP));
        assertThatThrownBy(() -> Rdmanet.listenRaw(freeAddress(), options))
                .isInstanceOf(UnsupportedCapabilityException.class);
    }
}
