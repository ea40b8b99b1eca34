package io.rdmanet.bw.run;

/// Layout of the tags by which a raw client talks to its server ([io.rdmanet.RawConn#endRun(int)]).
///
/// ```
/// 29     27 26      25 24      23               0
/// +--------+----------+----------+---------------+
/// | kind   | WARM_UP  | VERIFY   | index         |
/// +--------+----------+----------+---------------+
/// ```
///
/// Each run is announced by an empty one whose tag is an [#ANNOUNCE], so that the server knows
/// before the first message what to do with it, or an [#ANNOUNCE_SILENCE]. Then come the messages,
/// then an [#END] with the same lower bits. A [#REDIAL] says that the client closes this connection
/// and makes another one, with other buffers.
final class RunTagDescriptor {
    /// A run follows.
    static final int ANNOUNCE = 1;

    /// The run's messages are through.
    static final int END = 2;

    /// This connection ends, another one follows.
    static final int REDIAL = 3;

    /// A run follows of which the server sees nothing: RDMA WRITE or READ.
    static final int ANNOUNCE_SILENCE = 4;

    private static final int KIND_SHIFT = 27;
    private static final int KIND_MASK = 7;
    private static final int WARM_UP = 1 << 26;
    private static final int VERIFY = 1 << 25;
    private static final int INDEX_MASK = (1 << 24) - 1;

    private RunTagDescriptor() {}

    /// A tag.
    ///
    /// @param kind one of the constants
    /// @param index number of the run; its lower 24 bits count
    static int tag(int kind, int index, boolean warmUp, boolean verify) {
        return (kind << KIND_SHIFT)
                | (warmUp ? WARM_UP : 0)
                | (verify ? VERIFY : 0)
                | (index & INDEX_MASK);
    }

    /// The kind, which may be none of the constants.
    static int kind(int tag) {
        return tag >>> KIND_SHIFT & KIND_MASK;
    }

    /// The run's number.
    static int index(int tag) {
        return tag & INDEX_MASK;
    }

    /// Whether nobody wants to know the figures.
    static boolean isWarmUp(int tag) {
        return (tag & WARM_UP) != 0;
    }

    /// Whether the payload is to be checked.
    static boolean isVerified(int tag) {
        return (tag & VERIFY) != 0;
    }
}
