package io.rdmanet.bw.perftest.wire;

import io.rdmanet.RawVerb;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Layout of the options that version 6.28 sends after the preamble, whatever the other end
/// announced; each field must equal the peer's own, or it gives up.
///
/// ```
///   0  test method   0 one size, 1 all        32  size            8 bytes
///   4  connection    0 RC                     40  iterations      8 bytes
///   8  verb          0 SEND 2 WRITE 4 READ    48  AES-XTS
///  12  test          0 latency, 1 bandwidth   52  queue pairs
///  16  atomic type                            56  duration        5 if there is none
///  20  0 iterations, 1 duration               60  rdma_cm, and four switches more
///  24  0 Gb/s, 1 MiB/s                        80  struct ibv_device_attr, HOST order
///  28  padding                               224  its max_qp_rd_atom
/// 312  mlx5 mask, only of peers built with mlx5 (usual on x86-64 Linux)
/// ```
///
/// Numbers are big-endian and have 4 bytes unless said. A server sends back what it got: that
/// equals everything. A client has to guess the peer's length, and takes the longer one.
public final class NegotiationDescriptor {
    /// Bytes of a peer without mlx5.
    public static final int SHORT_LENGTH = 312;

    /// Bytes of a peer with it.
    public static final int LONG_LENGTH = 320;

    private static final int TEST_METHOD_OFFSET = 0;
    private static final int VERB_OFFSET = 8;
    private static final int TEST_OFFSET = 12;
    private static final int BY_TIME_OFFSET = 20;
    private static final int UNIT_OFFSET = 24;
    private static final int SIZE_OFFSET = 32;
    private static final int ITERATIONS_OFFSET = 40;
    private static final int QUEUE_PAIRS_OFFSET = 52;
    private static final int DURATION_OFFSET = 56;
    private static final int MAX_READ_ATOMIC_OFFSET = 80 + 144;

    private static final int SEND = 0;
    private static final int WRITE = 2;
    private static final int READ = 4;
    private static final int NO_DURATION = 5;
    private static final int MEBIBYTES = 1;

    private NegotiationDescriptor() {}

    /// The number of a verb.
    public static int code(RawVerb verb) {
        return switch (verb) {
            case SEND -> SEND;
            case WRITE -> WRITE;
            case READ -> READ;
        };
    }

    /// This end's options as they travel.
    public static byte[] encode(Negotiation options) {
        ByteBuffer message = ByteBuffer.allocate(LONG_LENGTH);
        boolean isByTime = options.durationSeconds() > 0;
        message.putInt(TEST_METHOD_OFFSET, options.runsAllSizes() ? 1 : 0)
                .putInt(VERB_OFFSET, options.verb())
                .putInt(TEST_OFFSET, options.isLatency() ? 0 : 1)
                .putInt(BY_TIME_OFFSET, isByTime ? 1 : 0)
                .putInt(UNIT_OFFSET, MEBIBYTES)
                .putLong(SIZE_OFFSET, options.size())
                .putLong(ITERATIONS_OFFSET, isByTime ? 0 : options.iterations())
                .putInt(QUEUE_PAIRS_OFFSET, options.queuePairs())
                .putInt(DURATION_OFFSET, isByTime ? options.durationSeconds() : NO_DURATION);
        message.order(ByteOrder.nativeOrder())
                .putInt(MAX_READ_ATOMIC_OFFSET, options.maxReadAtomic());
        return message.array();
    }
}
