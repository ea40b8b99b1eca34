package io.rdmanet.internal.raw;

import io.rdmanet.RawOptions;

/// How buffers lie in a region and receives go round in them. Both ends compute the same from the
/// dialling end's options.
///
/// ```
///   0          stride      2*stride                          bufferCount*stride
///   +----------+-----------+--------- ... --+----------------+--------+--------+
///   | buffer 0 | buffer 1  |                | bufferCount-1  | spare  | spare  |
///   +----------+-----------+--------- ... --+----------------+--------+--------+
/// ```
///
/// The listening end keeps [#receiveCount()] receives posted: the transmit depth for messages, and
/// two that the end of a run and the goodbye find even if nobody drains yet. If every message in
/// flight is to have a buffer of its own (bufferCount = transmitDepth), these two need their own as
/// well, since nobody knows which receive a message will take: the spare ones. Buffers begin on
/// cache lines.
///
/// @param options the dialling end's options
record RawLayout(RawOptions options) {
    /// Receives beyond the transmit depth.
    static final int CONTROL_RECEIVES = 2;

    /// The most memory of one region: what a peer can make this end allocate.
    static final long MAX_REGION_BYTES = 4L << 30;

    private static final int ALIGNMENT = 64;

    /// Bytes from one buffer to the next.
    long stride() {
        return (options.maxMessageBytes() + (long) ALIGNMENT - 1) & -ALIGNMENT;
    }

    /// Receives that the listening end keeps posted.
    int receiveCount() {
        return receiveCount(options.transmitDepth());
    }

    static int receiveCount(int transmitDepth) {
        return transmitDepth + CONTROL_RECEIVES;
    }

    /// Buffers that receives go round in.
    int receiveBufferCount() {
        return options.bufferCount() == options.transmitDepth()
                ? receiveCount()
                : options.bufferCount();
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
