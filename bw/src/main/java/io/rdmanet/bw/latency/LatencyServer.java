package io.rdmanet.bw.latency;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.DeadlineException;
import io.rdmanet.EndpointOptions;
import io.rdmanet.Listener;
import io.rdmanet.PollMode;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.RawConn;
import io.rdmanet.RawDrain;
import io.rdmanet.RawOptions;
import io.rdmanet.Rdmanet;
import io.rdmanet.bw.run.Buffers;
import io.rdmanet.bw.run.Mode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Answers what latency clients send, until they close. Belongs to one thread.
public final class LatencyServer {
    /// What a raw client says first; the lowest bit asks to check payloads.
    private static final int RAW_TAG = 0x1a7e << 4;

    /// Waiting for a client has no end; this is how often the wait begins anew.
    private static final Duration ACCEPT_SLICE = Duration.ofHours(1);

    private final InetSocketAddress address;
    private final EndpointOptions endpoint;
    private final boolean isRaw;
    private final int slotBytes;
    private final PollMode pollMode;
    private final boolean loops;
    private final LatencyObserver observer;

    /// @param address where to listen
    /// @param isRaw whether to serve raw clients; else those of the other tiers
    /// @param slotBytes the longest message without copies
    /// @param pollMode how this end waits; the raw tier always polls
    /// @param loops whether to serve one client after another
    /// @param observer is told of everything
    public LatencyServer(
            InetSocketAddress address,
            EndpointOptions endpoint,
            boolean isRaw,
            int slotBytes,
            PollMode pollMode,
            boolean loops,
            LatencyObserver observer) {
        this.address = address;
        this.endpoint = endpoint;
        this.isRaw = isRaw;
        this.slotBytes = slotBytes;
        this.pollMode = pollMode;
        this.loops = loops;
        this.observer = observer;
    }

    static int rawTag(boolean verify) {
        return RAW_TAG | (verify ? 1 : 0);
    }

    /// Serves.
    ///
    /// @return messages that arrived wrong
    public long serve() throws IOException {
        if (isRaw) {
            RawOptions options = RawOptions.defaults().withEndpoint(endpoint);
            try (Listener<RawConn> listener = Rdmanet.listenRaw(address, options)) {
                return serve(listener, this::answerRaw);
            }
        }
        ConnOptions options =
                ConnOptions.defaults()
                        .withEndpoint(endpoint)
                        .withSlotBytes(slotBytes)
                        .withDepth(Buffers.depth(ConnOptions.defaults().depth(), slotBytes))
                        .withMaxMessageBytes(Buffers.MAX_MESSAGE_BYTES)
                        .withPollMode(pollMode);
        try (Listener<Conn> listener = Rdmanet.listen(address, options)) {
            return serve(listener, this::answer);
        }
    }

    /// Answers one client.
    private interface Answering<C> {
        long answer(C connection) throws IOException;
    }

    private <C extends AutoCloseable> long serve(Listener<C> listener, Answering<C> answering)
            throws IOException {
        observer.listening(listener.localAddress(), listener.provider(), listener.providerReason());
        long badMessages = 0;
        do {
            C client = accept(listener);
            try {
                badMessages += answering.answer(client);
            } catch (IOException failure) {
                if (!loops) {
                    throw failure;
                }
                observer.failed(failure);
            }
        } while (loops);
        return badMessages;
    }

    private static <C extends AutoCloseable> C accept(Listener<C> listener) throws IOException {
        while (true) {
            try {
                return listener.accept(ACCEPT_SLICE);
            } catch (DeadlineException e) {
                // Nobody came yet.
            }
        }
    }

    private long answer(Conn accepted) throws IOException {
        try (Conn conn = accepted) {
            observer.connected(conn.localAddress(), conn.remoteAddress(), conn.description());
            byte[] message = conn.recvMsg();
            if (message == null) {
                return 0;
            }
            LatencyRequest request = LatencyRequest.decode(message);
            if (request.mode() == Mode.ZERO_COPY && request.size() > conn.sendSlotBytes()) {
                throw new ProtocolViolationException(
                        "the client asks for messages of "
                                + request.size()
                                + " bytes without copies, and this end's slots have "
                                + conn.sendSlotBytes());
            }
            try (ConnPinger pinger = new ConnPinger(conn, request)) {
                return answer(pinger);
            }
        }
    }

    private long answerRaw(RawConn accepted) throws IOException {
        try (RawConn conn = accepted) {
            observer.connected(conn.localAddress(), conn.remoteAddress(), conn.description());
            RawDrain first = conn.recvDrain(null);
            if ((first.tag() | 1) != rawTag(true)
                    || conn.options().bufferCount() != RawPinger.BUFFERS) {
                throw new ProtocolViolationException(
                        "the client is not rdmanet-bw lat: use lat on both ends, or on neither");
            }
            boolean verify = first.tag() == rawTag(true);
            try (RawPinger pinger = new RawPinger(conn, false, verify, endpoint.timeout())) {
                return answer(pinger);
            }
        }
    }

    private static long answer(Pinger pinger) throws IOException {
        long bad = 0;
        for (long round = 0; pinger.receive(round); round++) {
            if (pinger.badMessages() == bad) {
                pinger.send(round);
            } else {
                // Only so does the client learn of it.
                bad = pinger.badMessages();
                pinger.sendWrong(round);
            }
        }
        return bad;
    }
}
