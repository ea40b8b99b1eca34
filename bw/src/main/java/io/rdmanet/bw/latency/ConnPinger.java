package io.rdmanet.bw.latency;

import static java.util.Objects.requireNonNull;

import io.rdmanet.Conn;
import io.rdmanet.ReceivedMessage;
import io.rdmanet.SendSlot;
import io.rdmanet.bw.run.PayloadPattern;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Ping-pong over a [Conn]: message by message, in batches, or without copies.
final class ConnPinger implements Pinger {
    private static final long ALIGNMENT = 64;
    private static final long SEED = 0x1a7e;

    private final Conn conn;
    private final LatencyRequest request;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment[] sources;
    private final MemorySegment[] targets;
    private final int[] lengths;
    private long badMessages;

    ConnPinger(Conn conn, LatencyRequest request) {
        this.conn = conn;
        this.request = request;
        sources = segments();
        targets = segments();
        lengths = new int[request.batch()];
    }

    private MemorySegment[] segments() {
        MemorySegment[] segments = new MemorySegment[request.batch()];
        for (int i = 0; i < segments.length; i++) {
            segments[i] = arena.allocate(request.size(), ALIGNMENT);
        }
        return segments;
    }

    @Override
    public void send(long round) throws IOException {
        switch (request.mode()) {
            case MSG -> {
                fill(sources[0], round);
                conn.sendMsg(sources[0]);
            }
            case BATCH -> {
                for (int i = 0; i < sources.length; i++) {
                    fill(sources[i], round * sources.length + i);
                }
                conn.sendBatch(sources, sources.length);
            }
            case ZERO_COPY -> {
                SendSlot slot = conn.claim(request.size());
                fill(slot.segment(), round);
                slot.commit();
            }
            case RAW -> throw new IllegalStateException("raw is no mode of a Conn");
        }
    }

    @Override
    public void sendWrong(long round) throws IOException {
        // No message has a number below 0.
        send(~round);
    }

    private void fill(MemorySegment memory, long message) {
        if (request.verify()) {
            PayloadPattern.fill(memory, request.size(), SEED, message);
        }
    }

    @Override
    public boolean receive(long round) throws IOException {
        return switch (request.mode()) {
            case MSG -> {
                int length = conn.recvMsg(targets[0]);
                yield length != Conn.END_OF_STREAM && check(targets[0], length, round);
            }
            case BATCH -> receiveBatch(round);
            case ZERO_COPY -> receiveLease(round);
            case RAW -> throw new IllegalStateException("raw is no mode of a Conn");
        };
    }

    private boolean receiveBatch(long round) throws IOException {
        int received = 0;
        while (received < targets.length) {
            // Buffers are taken from the first on, whatever has come before.
            int count = conn.recvBatch(targets, lengths, targets.length - received);
            if (count == Conn.END_OF_STREAM) {
                return false;
            }
            for (int i = 0; i < count; i++) {
                check(targets[i], lengths[i], round * targets.length + received + i);
            }
            received += count;
        }
        return true;
    }

    private boolean receiveLease(long round) throws IOException {
        ReceivedMessage message = conn.receiveLease();
        if (message == null) {
            return false;
        }
        ReceivedMessage lease = requireNonNull(message);
        try {
            return check(lease.segment(), lease.length(), round);
        } finally {
            lease.close();
        }
    }

    /// @return true
    private boolean check(MemorySegment memory, int length, long message) {
        boolean isRight =
                length == request.size()
                        && (!request.verify()
                                || PayloadPattern.matches(memory, length, SEED, message));
        if (!isRight) {
            badMessages++;
        }
        return true;
    }

    @Override
    public long badMessages() {
        return badMessages;
    }

    @Override
    public void close() {
        arena.close();
    }
}
