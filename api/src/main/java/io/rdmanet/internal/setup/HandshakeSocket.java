package io.rdmanet.internal.setup;

import io.rdmanet.DeadlineException;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.setup.HandshakeRecord.Offer;
import io.rdmanet.internal.setup.HandshakeRecord.Ready;
import io.rdmanet.internal.setup.HandshakeRecord.Reason;
import io.rdmanet.internal.setup.HandshakeRecord.Refusal;
import io.rdmanet.verbs.ConnectionException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The TCP connection of one exchange: records with deadlines, then a wire that breaks when the
/// peer dies.
///
/// During the exchange it belongs to one thread, whose reads another may end by closing. After
/// [#watch()] it is safe for use by any thread.
final class HandshakeSocket implements AutoCloseable {
    /// How long a refusing end waits for the refused one to read why and hang up.
    private static final long REFUSAL_LINGER_NANOS = 1_000_000_000L;

    /// What a refusing end reads and forgets at most meanwhile.
    private static final int REFUSAL_DRAIN_BYTES = 16 << 10;

    private static final int SHOWN_BYTES = 16;

    private final SocketChannel channel;
    private final Role role;
    private final InetSocketAddress localAddress;
    private final InetSocketAddress remoteAddress;
    private final ByteBuffer watchBuffer = ByteBuffer.allocateDirect(1);
    private boolean isPeerGone;

    private HandshakeSocket(SocketChannel channel, Role role) throws IOException {
        this.channel = channel;
        this.role = role;
        this.localAddress = (InetSocketAddress) channel.getLocalAddress();
        this.remoteAddress = (InetSocketAddress) channel.getRemoteAddress();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        enableKeepAlive(channel);
    }

    /// Dials a listener's TCP port; what fails is said in terms of the address.
    ///
    /// @throws ConnectionException if nobody listens or there is no way there
    /// @throws DeadlineException if there was no answer in time
    static HandshakeSocket connect(InetSocketAddress address, Role role, Deadline deadline)
            throws IOException {
        Addresses.requireResolved(address, "connect");
        String peer = AddressText.describe(address);
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(address, deadline.remainingMillis());
            return new HandshakeSocket(channel, role);
        } catch (IOException failure) {
            channel.close();
            throw switch (failure) {
                case NoRouteToHostException noRoute ->
                        failed(
                                ConnectionException.Reason.UNREACHABLE,
                                "there is no way to "
                                        + peer
                                        + ": check address and network ("
                                        + noRoute.getMessage()
                                        + ")",
                                noRoute);
                case ConnectException refused ->
                        failed(
                                ConnectionException.Reason.REJECTED,
                                "nobody listens on "
                                        + peer
                                        + " (TCP: "
                                        + refused.getMessage()
                                        + "): start the server first, with the TCP exchange",
                                refused);
                case SocketTimeoutException late ->
                        new DeadlineException(
                                "connecting to "
                                        + peer
                                        + " (TCP): no answer within "
                                        + deadline.wholeTime()
                                        + "; is the machine up, and no firewall between?");
                default -> failure;
            };
        }
    }

    private static ConnectionException failed(
            ConnectionException.Reason reason, String detail, Throwable cause) {
        ConnectionException failure = new ConnectionException("connect", reason, detail);
        failure.initCause(cause);
        return failure;
    }

    /// Takes an accepted connection over.
    static HandshakeSocket accepted(SocketChannel channel, Role role) throws IOException {
        try {
            return new HandshakeSocket(channel, role);
        } catch (IOException failure) {
            channel.close();
            throw failure;
        }
    }

    /// A machine that dies without a word is noticed by keep-alive probes after some 6 s, where the
    /// system lets their times be set; by name, since their constants belong to another module.
    @SuppressWarnings("unchecked") // the three options are integers
    private static void enableKeepAlive(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        for (SocketOption<?> option : channel.supportedOptions()) {
            switch (option.name()) {
                case "TCP_KEEPIDLE", "TCP_KEEPCOUNT" ->
                        channel.setOption((SocketOption<Integer>) option, 3);
                case "TCP_KEEPINTERVAL" -> channel.setOption((SocketOption<Integer>) option, 1);
                default -> {}
            }
        }
    }

    InetSocketAddress localAddress() {
        return localAddress;
    }

    InetSocketAddress remoteAddress() {
        return remoteAddress;
    }

    /// The peer in words.
    String peer() {
        return AddressText.describe(remoteAddress);
    }

    /// Sends a record. That cannot block: one connection carries at most three of them each way,
    /// less than any socket's buffer.
    void write(HandshakeRecord record) throws IOException {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(HandshakeRecordDescriptor.encode(record));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException failure) {
            throw gone("while this end wrote to it (" + failure.getMessage() + ")", failure);
        }
    }

    /// Reads the peer's offer.
    ///
    /// @throws ProtocolViolationException if it is none, or of another version or role; a peer that
    ///   speaks the protocol has been told so
    /// @throws ConnectionException if the peer refused or has gone
    /// @throws DeadlineException if it did not come in time
    Offer readOffer(Deadline deadline) throws IOException {
        HandshakeRecord record = read(deadline, "its handshake record");
        if (!(record instanceof Offer offer)) {
            throw refuse(Reason.PROTOCOL, "expected a record of the kind OFFER, got " + record);
        }
        if (offer.role() != role) {
            IOException mismatch = Refusals.roleMismatch(role, offer.role().code(), peer());
            refuse(Refusals.of(role, Reason.ROLE, ""));
            throw mismatch;
        }
        return offer;
    }

    /// Reads the peer's word that it can receive.
    void readReady(Deadline deadline) throws IOException {
        HandshakeRecord record = read(deadline, "its word that it is ready");
        if (!(record instanceof Ready)) {
            throw refuse(Reason.PROTOCOL, "expected a record of the kind READY, got " + record);
        }
    }

    private HandshakeRecord read(Deadline deadline, String what) throws IOException {
        byte[] bytes = new byte[HandshakeRecordDescriptor.LENGTH];
        readFully(bytes, 0, HandshakeRecordDescriptor.PREFIX_LENGTH, deadline, what);
        int version = HandshakeRecordDescriptor.version(bytes);
        if (version != HandshakeRecordDescriptor.VERSION
                && !HandshakeRecordDescriptor.isRefusal(bytes)) {
            refuse(Refusals.of(role, Reason.VERSION, ""));
            throw Refusals.versionMismatch(HandshakeRecordDescriptor.VERSION, version, peer());
        }
        readFully(
                bytes,
                HandshakeRecordDescriptor.PREFIX_LENGTH,
                HandshakeRecordDescriptor.LENGTH,
                deadline,
                what);
        HandshakeRecord record;
        try {
            record = HandshakeRecordDescriptor.decode(bytes);
        } catch (ProtocolViolationException violation) {
            throw refuse(Reason.PROTOCOL, String.valueOf(violation.getMessage()));
        }
        if (record instanceof Refusal refusal) {
            throw Refusals.toException(refusal, role, peer());
        }
        return record;
    }

    private void readFully(byte[] bytes, int from, int to, Deadline deadline, String what)
            throws IOException {
        int count = from;
        while (count < to) {
            int read = readSome(bytes, count, to - count, deadline, what);
            if (read < 0) {
                throw gone("after " + count + " of " + bytes.length + " bytes of " + what, null);
            }
            count += read;
            if (!HandshakeRecordDescriptor.mayBegin(bytes, count)) {
                throw new ProtocolViolationException(
                        peer()
                                + " does not speak rdmanet's handshake: it sent "
                                + shown(bytes, count));
            }
        }
    }

    private int readSome(byte[] bytes, int offset, int length, Deadline deadline, String what)
            throws IOException {
        if (deadline.isPast()) {
            throw silent(offset, bytes.length, deadline, what);
        }
        try {
            channel.socket().setSoTimeout(deadline.remainingMillis());
            return channel.socket().getInputStream().read(bytes, offset, length);
        } catch (SocketTimeoutException late) {
            throw silent(offset, bytes.length, deadline, what);
        } catch (IOException failure) {
            throw gone("while this end waited for " + what, failure);
        }
    }

    private DeadlineException silent(int count, int length, Deadline deadline, String what) {
        return new DeadlineException(
                peer()
                        + " did not send "
                        + what
                        + " within "
                        + deadline.wholeTime()
                        + " ("
                        + count
                        + " of "
                        + length
                        + " bytes came): is it rdmanet with the TCP exchange?");
    }

    private ConnectionException gone(String when, @Nullable Throwable cause) {
        ConnectionException gone =
                new ConnectionException(
                        "handshake",
                        ConnectionException.Reason.PEER_GONE,
                        peer() + " closed the connection " + when);
        if (cause != null) {
            gone.initCause(cause);
        }
        return gone;
    }

    private static String shown(byte[] bytes, int count) {
        byte[] shown = Arrays.copyOf(bytes, Math.min(count, SHOWN_BYTES));
        String text =
                HandshakeRecordDescriptor.printable(new String(shown, StandardCharsets.US_ASCII));
        return HexFormat.ofDelimiter(" ").formatHex(shown) + " (" + text + ")";
    }

    private ProtocolViolationException refuse(Reason reason, String text) {
        refuse(Refusals.of(role, reason, text));
        return new ProtocolViolationException(peer() + ": " + text);
    }

    /// Tells the peer no and why, and closes. What the peer has sent meanwhile is read first: a
    /// socket closed over unread bytes sends a reset, which would overtake the reason.
    void refuse(Refusal refusal) {
        try (channel) {
            write(refusal);
            channel.shutdownOutput();
            Deadline deadline = Deadline.after(REFUSAL_LINGER_NANOS);
            InputStream input = channel.socket().getInputStream();
            byte[] forgotten = new byte[1024];
            int drained = 0;
            int count = 0;
            while (count >= 0 && drained < REFUSAL_DRAIN_BYTES && !deadline.isPast()) {
                channel.socket().setSoTimeout(deadline.remainingMillis());
                count = input.read(forgotten);
                drained += count;
            }
        } catch (IOException peerHasGone) {
            // Nobody is left to be told.
        }
    }

    /// Ends the exchange: from now on the socket only tells whether the peer lives.
    void watch() throws IOException {
        channel.configureBlocking(false);
    }

    /// Whether the peer has ended the connection, or died. Never blocks.
    synchronized boolean isPeerGone() {
        if (!isPeerGone) {
            try {
                // Nothing is said after the exchange: a byte is as wrong as an end.
                isPeerGone = channel.read(watchBuffer.clear()) != 0;
            } catch (IOException broken) {
                isPeerGone = true;
            }
        }
        return isPeerGone;
    }

    /// Tells the peer that this end is done.
    void shutdown() {
        try {
            channel.shutdownOutput();
        } catch (IOException alreadyClosed) {
            // Then the peer knows.
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException nothingLeftToDo) {
            // The descriptor is released even so.
        }
    }
}
