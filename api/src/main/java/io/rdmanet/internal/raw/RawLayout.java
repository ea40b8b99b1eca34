package io.rdmanet.internal.raw;

import io.rdmanet.RawOptions;

/// How buffers lie in a region and receives go round in them. Both ends compute the same from the
/// dialling end's options, but for the number of receives, which is the listening end's own matter.
///
/// ```
///   0          stride      2*stride                          bufferCount*stride
///   +----------+-----------+--------- ... --+----------------+--------+--------+
///   | buffer 0 | buffer 1  |                | bufferCount-1  | spare  | spare  |
///   +----------+-----------+--------- ... --+----------------+--------+--------+
/// ```
///
/// The listening end has at least [#leastReceives] receives: the transmit depth for messages, and
/// two that the end of a run and the goodbye find even if nobody drains yet. If messages are kept,
/// each receive has a buffer of its own, these two as well, since nobody knows which receive a
/// message will take: the spare ones.
///
/// If they are not kept, receives go round in bufferCount buffers, and there are more of them, up
/// to [#mostReceives]. The sender's window does not bound what the listening end has yet to see: a
/// device acknowledges a message when it is placed, and the sender sends the next. So the receives
/// beyond the transmit depth are how far the listening end may lag before the sender finds none,
/// which costs it 0.6 ms and more each time. As many as ib_send_bw has, 512 for 128 in flight.
///
/// Buffers begin on cache lines.
///
/// @param options the dialling end's options
record RawLayout(RawOptions options) {
    /// Receives beyond the transmit depth.
    static final int CONTROL_RECEIVES = 2;

    /// Receives for messages, per message in flight, where messages are not kept.
    private static final int RECEIVES_PER_SEND = 4;

    /// The most memory of one region: what a peer can make this end allocate.
    static final long MAX_REGION_BYTES = 4L << 30;

    private static final int ALIGNMENT = 64;

    /// Bytes from one buffer to the next.
    long stride() {
        return (options.maxMessageBytes() + (long) ALIGNMENT - 1) & -ALIGNMENT;
    }

    /// Whether every receive has a buffer of its own. Fewer buffers than messages in flight mean
    /// that messages are overwritten, whatever the options say.
    boolean keepsMessages() {
        return options.keepsMessages() && options.bufferCount() == options.transmitDepth();
    }

    /// Receives that the listening end keeps posted.
    ///
    /// @param room receives that its queues take, at least [#leastReceives]
    int receiveCount(int room) {
        int depth = options.transmitDepth();
        return keepsMessages() ? leastReceives(depth) : Math.min(mostReceives(depth), room);
    }

    static int leastReceives(int transmitDepth) {
        return transmitDepth + CONTROL_RECEIVES;
    }

    static int mostReceives(int transmitDepth) {
        return RECEIVES_PER_SEND * transmitDepth + CONTROL_RECEIVES;
    }

    /// Buffers that receives go round in.
    int receiveBufferCount() {
        return keepsMessages() ? leastReceives(options.transmitDepth()) : options.bufferCount();
    }

    /// Sends prepared side by side: the smallest multiple of bufferCount that holds the transmit
    /// depth, so that message m always leaves from buffer m modulo bufferCount.
    int sendRingLength() {
        int count = options.bufferCount();
        return (options.transmitDepth() + count - 1) / count * count;
    }

    long offset(int buffer) {
        return buffer * stride();
    }

    /// The region's length in bytes at the listening end; the dialling end has no use for the spare
    /// buffers, and none of them.
    long regionBytes(boolean isDialling) {
        return stride() * (isDialling ? options.bufferCount() : receiveBufferCount());
    }

    /// Why a region of this size is refused, or an empty string.
    String fault() {
        long bytes = regionBytes(false);
        return bytes <= MAX_REGION_BYTES
                ? ""
                : options.bufferCount()
                        + " buffers of "
                        + options.maxMessageBytes()
                        + " bytes need a region of "
                        + bytes
                        + " bytes, more than the limit of "
                        + MAX_REGION_BYTES
                        + ": lower the transmit depth, the number of buffers, or the message"
                        + " length";
    }
}
