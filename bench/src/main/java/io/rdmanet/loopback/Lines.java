package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/// Memory for the states of the tests: zeroed pieces that hold a queue pair of a receive or two.
/// There are many more pieces than states alive at a time, so a piece is free again when its turn
/// comes.
public final class Lines {
    private static final int MOST_RECEIVES = 2;
    private static final int MOST_ELEMENTS = 3;

    /// Where a line for payload is, behind the queue pair.
    static final int PAYLOAD_OFFSET = payloadOffset();

    static final int PIECE_BYTES = PAYLOAD_OFFSET + QueuePairDescriptor.LINE;

    private static final int PIECES = 1 << 17;
    private static final MemorySegment MEMORY =
            Arena.global().allocate((long) PIECES * PIECE_BYTES, QueuePairDescriptor.LINE);
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Lines() {}

    private static int payloadOffset() {
        long bytes =
                QueuePairDescriptor.bytes(MOST_RECEIVES, QueuePairDescriptor.stride(MOST_ELEMENTS));
        return Math.toIntExact((bytes + QueuePairDescriptor.LINE - 1) & -QueuePairDescriptor.LINE);
    }

    /// The next piece, zeroed.
    public static MemorySegment next() {
        int index = NEXT.getAndIncrement() & (PIECES - 1);
        MemorySegment piece = MEMORY.asSlice((long) index * PIECE_BYTES, PIECE_BYTES);
        piece.fill((byte) 0);
        return piece;
    }

    /// The next piece as the memory of a pool of one or two receives with up to three elements.
    static MemorySegment nextPool(int slots) {
        MemorySegment piece = next();
        ReceivePoolMemory.initialise(
                piece, slots, QueuePairDescriptor.capacity(slots), QueuePairDescriptor.LINE);
        return piece;
    }

    /// The next piece as the memory of a queue pair that takes its receives from a pool of one or
    /// two, and is ready for datagrams with the key 0.
    static MemorySegment nextPooled(int slots) {
        MemorySegment piece = next();
        long base = piece.address();
        Words.setInt(
                base + QueuePairDescriptor.CAPACITY_OFFSET, QueuePairDescriptor.capacity(slots));
        Words.setInt(base + QueuePairDescriptor.HAS_CHANNEL_OFFSET, 1);
        Words.setInt(base + QueuePairDescriptor.TRANSPORT_OFFSET, QueuePairDescriptor.DATAGRAM);
        Words.setInt(
                base + QueuePairDescriptor.STATE_OFFSET, QueuePairState.READY_TO_RECEIVE.code());
        return piece;
    }

    /// The next piece as the memory of a queue pair with one receive of one element.
    static MemorySegment nextQueuePair() {
        MemorySegment piece = next();
        long base = piece.address();
        Words.setInt(base + QueuePairDescriptor.CAPACITY_OFFSET, 1);
        Words.setInt(base + QueuePairDescriptor.STRIDE_OFFSET, QueuePairDescriptor.stride(1));
        Words.setInt(base + QueuePairDescriptor.HAS_CHANNEL_OFFSET, 1);
        return piece;
    }
}
