package io.rdmanet.internal.raw;

/// The immediate data with which the sending end says what is not a message. It rides on an empty
/// SEND; messages carry none.
///
/// ```
///  31 30 29                                                          0
/// +-----+-------------------------------------------------------------+
/// |kind | tag                                                         |
/// +-----+-------------------------------------------------------------+
/// ```
final class RawImmediateDescriptor {
    /// The run ends; the tag is the caller's.
    static final int KIND_END_OF_RUN = 1;

    /// The sender closes; the tag is 0.
    static final int KIND_GOODBYE = 2;

    /// The largest tag.
    static final int MAX_TAG = (1 << 30) - 1;

    private static final int KIND_SHIFT = 30;

    private RawImmediateDescriptor() {}

    static int encode(int kind, int tag) {
        return kind << KIND_SHIFT | tag;
    }

    static int kind(int immediate) {
        return immediate >>> KIND_SHIFT;
    }

    static int tag(int immediate) {
        return immediate & MAX_TAG;
    }
}
