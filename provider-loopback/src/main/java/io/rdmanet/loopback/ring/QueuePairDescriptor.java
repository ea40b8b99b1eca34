package io.rdmanet.loopback.ring;

import io.rdmanet.verbs.QueuePairState;

/// The memory of one queue pair, created by its owner and mapped by the queue pair at the other
/// end.
///
/// ```
///    0  +--------------------------------------------------------------+
///       | magic 8 | state 4 | min RNR timer 4 | access 4 | capacity 4   |  written by the owner
///       | stride 4 | has channel 4 | domain 4 | peer number 4 | peer id 8|  at changes of state;
///       | fault 4 | transport 4 | queue key 4 | pool 4                 |  the peer can set ERROR
///  128  +--------------------------------------------------------------+
///       | armed 4      owner: set when it is about to sleep             |
///       |              peer: clears it and wakes the owner              |
///  256  +--------------------------------------------------------------+
///       | executing 4  owner: 1 while it may be writing to the peer,    |
///       |              2 when it never will again                       |
///  384  +--------------------------------------------------------------+
///       | claim 8      0, or the device that may write here: datagrams  |  whoever has the claim
///       | completed 8  the position of the next completion              |
///       | held ticket 8 | held slot 4                                   |
///  512  +--------------------------------------------------------------+
///       | posted 8     the end of what is posted                        |  owner -> peer
///  640  +--------------------------------------------------------------+
///       | copy offer, see CopyOfferDescriptor                           |  both
/// 1024  +--------------------------------------------------------------+
///       | receive ring: capacity entries of `stride` bytes              |  owner -> peer
///       |   unused 8 | count 4 | flags 4 | count x element              |
///       |   element: offset 8 | length 4 | key 4                        |
///       +--------------------------------------------------------------+
///       | completion ring: capacity entries of 16 bytes, of 32 with a   |  peer -> owner
///       |   sequence 4 | outcome 4 | byte length 4 | immediate 4        |  pool
///       |   slot 4 | source 4 | ticket 8       (with a pool)            |
///       +--------------------------------------------------------------+
/// ```
///
/// Both rings are indexed by the position of the receive, a number that counts from 0, modulo the
/// capacity. The peer may use the receives before the position `posted`, and writes the completion
/// of each at the same position, which is there when its sequence is the low half of its position
/// plus 1. The owner re-uses both entries only for a receive posted after that completion was
/// polled. So neither ring can overflow.
///
/// **What stays the same moves nothing.** Between cores, only what is written costs: the cursor,
/// once for each chain of receives; a completion, a quarter of a line; and a receive entry only if
/// it differs from the one before it in the ring. Who posts as many receives as the ring holds, in
/// the order in which they come back, writes each entry once.
///
/// **Completions may be shown together**: the peer writes those of several short messages with
/// their sequences, but keeps back the sequence of the first, which the owner waits for. Its
/// release shows all of them.
///
/// **A queue pair that takes its receives from a pool** (see [ReceivePoolDescriptor]) has no
/// receive ring, and its stride is 0. Its completions say which receive they are of. There are
/// never more of them than the pool has slots, so that ring cannot overflow either.
///
/// **Datagrams** may come from many devices at once. Who delivers one has the claim meanwhile, by
/// compare-and-set from 0 to its device's number, so that the ring has one writer at a time. If its
/// process dies with the claim, the owner takes it back: a completion is either there or it is not,
/// by its sequence, whatever else was half written; and a receive that was taken and not completed
/// is noted as held, for the next datagram.
///
/// The word `executing` is what makes a flush exact: the owner of a queue pair in error reports a
/// receive as flushed only after it has seen the peer not executing, and a peer that starts
/// executing afterwards sees the error. Both sides keep their write before their read: the owner by
/// a full fence, the peer by compare-and-set and volatile read.
public final class QueuePairDescriptor {
    /// `rdmQP` and the version of this layout.
    public static final long MAGIC = 0x7264_6d51_5000_0005L;

    public static final int MAGIC_OFFSET = 0;
    public static final int STATE_OFFSET = 8;
    public static final int MIN_RNR_TIMER_OFFSET = 12;
    public static final int ACCESS_OFFSET = 16;
    public static final int CAPACITY_OFFSET = 20;
    public static final int STRIDE_OFFSET = 24;
    public static final int HAS_CHANNEL_OFFSET = 28;
    public static final int DOMAIN_OFFSET = 32;
    public static final int PEER_NUMBER_OFFSET = 36;
    public static final int PEER_ID_OFFSET = 40;
    public static final int FAULT_OFFSET = 48;
    public static final int TRANSPORT_OFFSET = 52;
    public static final int QUEUE_KEY_OFFSET = 56;
    public static final int POOL_OFFSET = 60;
    public static final int ARMED_OFFSET = 128;
    public static final int EXECUTING_OFFSET = 256;
    public static final int CLAIM_OFFSET = 384;
    public static final int COMPLETED_OFFSET = 392;
    public static final int HELD_TICKET_OFFSET = 400;
    public static final int HELD_SLOT_OFFSET = 408;
    public static final int POSTED_OFFSET = 512;
    public static final int COPY_OFFER_OFFSET = 640;
    public static final int RINGS_OFFSET = COPY_OFFER_OFFSET + CopyOfferDescriptor.BYTES;

    /// Values of the word at [#ARMED_OFFSET].
    public static final int NOT_ARMED = 0;

    public static final int ARMED_SOLICITED = 1;
    public static final int ARMED_ANY = 2;

    /// Values of the word at [#EXECUTING_OFFSET].
    public static final int NOT_EXECUTING = 0;

    public static final int EXECUTING = 1;
    public static final int RETIRED = 2;

    /// Values of the word at [#FAULT_OFFSET]: why the peer has set the state to ERROR.
    public static final int NO_FAULT = 0;

    public static final int ACCESS_FAULT = 1;

    /// Values of the word at [#TRANSPORT_OFFSET].
    public static final int RELIABLE = 0;

    public static final int DATAGRAM = 1;

    /// Value of the word at [#POOL_OFFSET] of a queue pair with a receive ring of its own.
    public static final int NO_POOL = 0;

    /// Value of the word at [#CLAIM_OFFSET] while nobody delivers.
    public static final long UNCLAIMED = 0;

    /// Value of the word at [#HELD_TICKET_OFFSET] while no receive is held.
    public static final long NO_TICKET = 0;

    /// A line of the processor's cache.
    public static final int LINE = 64;

    /// What receive entries are multiples of.
    public static final int ENTRY_UNIT = 32;

    public static final int RECEIVE_COUNT_OFFSET = 8;
    public static final int RECEIVE_FLAGS_OFFSET = 12;
    public static final int ELEMENTS_OFFSET = 16;
    public static final int ELEMENT_BYTES = 16;
    public static final int ELEMENT_OFFSET_OFFSET = 0;
    public static final int ELEMENT_LENGTH_OFFSET = 8;
    public static final int ELEMENT_KEY_OFFSET = 12;

    /// Flag of a receive of which a part is not in shared memory, so that its owner must copy.
    public static final int RECEIVE_UNSHARED = 1;

    public static final int COMPLETION_SEQUENCE_OFFSET = 0;
    public static final int COMPLETION_OUTCOME_OFFSET = 4;
    public static final int COMPLETION_LENGTH_OFFSET = 8;
    public static final int COMPLETION_IMMEDIATE_OFFSET = 12;
    public static final int COMPLETION_SLOT_OFFSET = 16;
    public static final int COMPLETION_SOURCE_OFFSET = 20;
    public static final int COMPLETION_TICKET_OFFSET = 24;

    /// Bytes of one completion, without a pool.
    public static final int COMPLETION_BYTES = 16;

    private static final int POOLED_COMPLETION_BYTES = 32;

    /// Flag of the outcome of a datagram, which has a global route before its payload.
    public static final int DATAGRAM_FLAG = 1 << 25;

    /// Flag of an outcome whose data waits at the pool's landing for its owner to copy it.
    public static final int LANDED_FLAG = 1 << 26;

    private static final int OPCODE_SHIFT = 8;
    private static final int BYTE_MASK = 0xff;
    private static final int IMMEDIATE_FLAG = 1 << 24;

    private QueuePairDescriptor() {}

    /// Entries of the rings of a queue pair without a pool: exactly as many as it can have
    /// receives, so that who posts them in turn finds each in its place again.
    public static int entries(int receives) {
        return Math.max(1, receives);
    }

    /// Entries of rings that hold at least `receives`: a power of two.
    public static int capacity(int receives) {
        return receives <= 1 ? 1 : Integer.highestOneBit(receives - 1) << 1;
    }

    /// Bytes of one receive entry with room for `elements`.
    public static int stride(int elements) {
        int bytes = ELEMENTS_OFFSET + elements * ELEMENT_BYTES;
        return (bytes + ENTRY_UNIT - 1) / ENTRY_UNIT * ENTRY_UNIT;
    }

    /// Bytes of one completion entry.
    ///
    /// @param stride that of receive entries, 0 with a pool
    public static int completionStride(int stride) {
        return stride == 0 ? POOLED_COMPLETION_BYTES : COMPLETION_BYTES;
    }

    /// Bytes of the whole.
    public static long bytes(int capacity, int stride) {
        return completionsOffset(capacity, stride) + (long) capacity * completionStride(stride);
    }

    /// Where the completion ring begins: on a line.
    public static long completionsOffset(int capacity, int stride) {
        long end = RINGS_OFFSET + (long) capacity * stride;
        return (end + LINE - 1) & -LINE;
    }

    /// The sequence of the completion at a position.
    public static int sequence(long position) {
        return (int) (position + 1);
    }

    /// Whether a queue pair in a state may be written to by its peer.
    public static boolean isReceiving(int state) {
        return state >= QueuePairState.READY_TO_RECEIVE.code()
                && state < QueuePairState.ERROR.code();
    }

    /// Packs how a receive ended.
    public static int outcome(int status, int opcode, boolean hasImmediate) {
        return status | opcode << OPCODE_SHIFT | (hasImmediate ? IMMEDIATE_FLAG : 0);
    }

    /// The status in an outcome.
    public static int status(int outcome) {
        return outcome & BYTE_MASK;
    }

    /// The opcode in an outcome.
    public static int opcode(int outcome) {
        return outcome >>> OPCODE_SHIFT & BYTE_MASK;
    }

    /// Whether an outcome has immediate data.
    public static boolean hasImmediate(int outcome) {
        return (outcome & IMMEDIATE_FLAG) != 0;
    }

    /// Whether an outcome is a datagram's.
    public static boolean isDatagram(int outcome) {
        return (outcome & DATAGRAM_FLAG) != 0;
    }

    /// Whether the data of an outcome waits at the landing.
    public static boolean isLanded(int outcome) {
        return (outcome & LANDED_FLAG) != 0;
    }

    /// The name of a queue pair's file.
    public static String fileName(int queuePairNumber) {
        return "qp-" + Integer.toHexString(queuePairNumber);
    }
}
