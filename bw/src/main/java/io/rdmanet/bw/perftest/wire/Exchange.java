package io.rdmanet.bw.perftest.wire;

import io.rdmanet.PeerGoneException;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.verbs.PathMtu;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/// One end of the exchange between two tools: in lock-step, message for message of known length.
///
/// Whoever connected (the client) writes and then reads; the server reads and then writes. So the
/// order follows from who connected, never from where the data goes. After the keys, the same key
/// messages travel again and again as barriers. Belongs to one thread; the caller closes the
/// socket.
public final class Exchange {
    /// The rest of a message that was sent by one write comes with it.
    private static final Duration REST = Duration.ofMillis(300);

    private final PeerSocket socket;
    private final boolean isClient;
    private final Duration timeout;
    private byte[][] ownKeys = {};
    private byte[][] peerKeys = {};

    /// @param isClient whether this end connected
    /// @param timeout for each message of the peer, unless said otherwise
    public Exchange(PeerSocket socket, boolean isClient, Duration timeout) {
        this.socket = socket;
        this.isClient = isClient;
        this.timeout = timeout;
    }

    /// What the preamble brought.
    ///
    /// @param peerVersion the peer's version
    /// @param cycleBufferBytes the larger of both ends'
    /// @param cacheLineBytes the larger of both ends'
    /// @param mtu the smaller of both ends'
    public record Preamble(
            PerftestVersion peerVersion, int cycleBufferBytes, int cacheLineBytes, PathMtu mtu) {}

    /// Whether this end connected.
    public boolean isClient() {
        return isClient;
    }

    /// How long the peer may take for a message.
    public Duration timeout() {
        return timeout;
    }

    /// The socket, to look at the peer.
    public PeerSocket socket() {
        return socket;
    }

    /// Agrees on what comes before everything else.
    ///
    /// @param ownMtu what this end's port can do
    /// @param options are told to a peer that insists
    /// @throws ProtocolViolationException if the peer is no such tool, or too old
    public Preamble preamble(PathMtu ownMtu, Negotiation options) throws IOException {
        PerftestVersion version = version();
        int cycleBuffer =
                PreambleDescriptor.decodeSize(
                        swap(
                                PreambleDescriptor.encodeSize(
                                        PreambleDescriptor.CYCLE_BUFFER_BYTES),
                                "its cycle buffer's size"));
        int cacheLine =
                PreambleDescriptor.decodeSize(
                        swap(
                                PreambleDescriptor.encodeSize(PreambleDescriptor.CACHE_LINE_BYTES),
                                "its cache line's size"));
        int largestCycleBuffer = Math.max(cycleBuffer, PreambleDescriptor.CYCLE_BUFFER_BYTES);
        int largestCacheLine = Math.max(cacheLine, PreambleDescriptor.CACHE_LINE_BYTES);
        if (largestCacheLine > largestCycleBuffer) {
            throw new ProtocolViolationException(
                    "the peer does not speak perftest: it says that its cache line has "
                            + cacheLine
                            + " bytes, more than the cycle buffer's "
                            + largestCycleBuffer);
        }
        PathMtu mtu =
                PreambleDescriptor.decodeMtu(swap(PreambleDescriptor.encodeMtu(ownMtu), "its MTU"));
        if (version.negotiatesUnasked()) {
            negotiate(options);
        }
        return new Preamble(
                version, largestCycleBuffer, largestCacheLine, PathMtu.min(mtu, ownMtu));
    }

    private PerftestVersion version() throws IOException {
        byte[] own = PreambleDescriptor.encodeVersion(PerftestVersion.OWN);
        PerftestVersion version = PreambleDescriptor.decodeVersion(swap(own, "its version"));
        if (version.isRefused()) {
            throw new ProtocolViolationException(
                    "the peer has version "
                            + version
                            + " of the exchange, and "
                            + PerftestVersion.OLDEST
                            + " is the oldest that this end can talk to (ib_send_bw --version):"
                            + " install a newer perftest there");
        }
        return version;
    }

    /// Sends options to a peer that does not ask whether it may send its own.
    private void negotiate(Negotiation options) throws IOException {
        String what = "its options, which version " + PerftestVersion.NEGOTIATING + " sends";
        if (isClient) {
            swap(NegotiationDescriptor.encode(options), what);
            return;
        }
        byte[] message = socket.receive(NegotiationDescriptor.SHORT_LENGTH, what, timeout);
        byte[] rest =
                socket.receiveUpTo(
                        NegotiationDescriptor.LONG_LENGTH - NegotiationDescriptor.SHORT_LENGTH,
                        what,
                        REST);
        byte[] echo = Arrays.copyOf(message, message.length + rest.length);
        System.arraycopy(rest, 0, echo, message.length, rest.length);
        socket.send(echo, what);
    }

    /// Exchanges the keys of all queue pairs.
    ///
    /// @param own one for each queue pair
    /// @return the peer's, as many
    /// @throws ProtocolViolationException if they are none, of another number of queue pairs, or
    ///   not of reliable connections
    public KeyMessage[] keys(KeyMessage[] own) throws IOException {
        ownKeys = new byte[own.length][];
        peerKeys = new byte[own.length][];
        KeyMessage[] peer = new KeyMessage[own.length];
        for (int i = 0; i < own.length; i++) {
            ownKeys[i] = KeyMessageDescriptor.encode(own[i]);
            peerKeys[i] = swapKey(ownKeys[i], "its key message " + (i + 1), timeout);
            peer[i] = KeyMessageDescriptor.decode(peerKeys[i]);
            if (peer[i].sharedReceiveQueue() != 0) {
                throw new ProtocolViolationException(
                        "the peer names the shared receive queue 0x"
                                + Integer.toHexString(peer[i].sharedReceiveQueue())
                                + ", as XRC and DC have them, which this end has not: start it"
                                + " with -c RC");
            }
            for (int before = 0; before < i; before++) {
                if (peer[before].queuePairNumber() == peer[i].queuePairNumber()) {
                    throw new ProtocolViolationException(
                            "the peer has fewer queue pairs than this end's "
                                    + own.length
                                    + ": give both the same -q");
                }
            }
        }
        return peer;
    }

    /// A barrier: both ends have come to the same point.
    ///
    /// @param what the point, for messages
    public void barrier(String what) throws IOException {
        barrier(what, timeout);
    }

    /// A barrier that may take long to reach.
    public void barrier(String what, Duration patience) throws IOException {
        handshake(0, what, patience);
    }

    /// A barrier for each queue pair.
    public void barriers(String what) throws IOException {
        for (int i = 0; i < ownKeys.length; i++) {
            handshake(i, what, timeout);
        }
    }

    private void handshake(int queuePair, String what, Duration patience) throws IOException {
        byte[] answer = swapKey(ownKeys[queuePair], what, patience);
        if (Arrays.equals(answer, peerKeys[queuePair])) {
            return;
        }
        KeyMessage other = KeyMessageDescriptor.decode(answer);
        throw new ProtocolViolationException(
                "where "
                        + what
                        + " was due the peer sent the keys of its queue pair 0x"
                        + Integer.toHexString(other.queuePairNumber())
                        + ": is it the same tool, with the same -q and -a?");
    }

    /// The last barrier. A peer that goes instead has run as long as this end, but failed after.
    public void close() throws IOException {
        try {
            barrier("the end of the exchange");
        } catch (PeerGoneException done) {
            throw new PeerGoneException(
                    "the run is over, but the peer did not say so: " + done.getMessage(), done);
        }
    }

    /// Exchanges the figures of a run.
    ///
    /// @param patience until the peer's run is over
    public BandwidthReport reports(BandwidthReport own, Duration patience) throws IOException {
        byte[][] messages = new byte[ReportDescriptor.MESSAGES][];
        for (int i = 0; i < messages.length; i++) {
            Duration longest = i == 0 ? patience : timeout;
            messages[i] = swap(ReportDescriptor.encode(own, i), "its report", longest);
        }
        return ReportDescriptor.decode(messages);
    }

    private byte[] swap(byte[] own, String what) throws IOException {
        return swap(own, what, timeout);
    }

    private byte[] swap(byte[] own, String what, Duration patience) throws IOException {
        if (isClient) {
            socket.send(own, what);
            return socket.receive(own.length, what, patience);
        }
        byte[] answer = socket.receive(own.length, what, patience);
        socket.send(own, what);
        return answer;
    }

    private byte[] swapKey(byte[] own, String what, Duration patience) throws IOException {
        if (isClient) {
            socket.send(own, what);
        }
        byte[] beginning = socket.receive(KeyMessageDescriptor.LENGTH_WITHOUT_GID, what, patience);
        if (KeyMessageDescriptor.isWithoutGid(beginning)) {
            throw new ProtocolViolationException(
                    "the peer sent a key message without a GID, as it does on InfiniBand: start it"
                            + " with -x and the index of a GID");
        }
        byte[] rest =
                socket.receive(
                        KeyMessageDescriptor.LENGTH - beginning.length,
                        "the rest of " + what,
                        timeout);
        byte[] message = Arrays.copyOf(beginning, KeyMessageDescriptor.LENGTH);
        System.arraycopy(rest, 0, message, beginning.length, rest.length);
        if (!isClient) {
            socket.send(own, what);
        }
        return message;
    }
}
