package io.rdmanet.verbs;

/// Flags of a send work request, to be or-ed (`enum ibv_send_flags`).
public final class SendFlags {
    /// No flag.
    public static final int NONE = 0;

    /// Wait for RDMA READs and atomics posted before this request.
    public static final int FENCE = 1;

    /// Report success, too, in the send completion queue. Failures are always reported.
    public static final int SIGNALED = 2;

    /// Wake a peer that asked for solicited completions only.
    public static final int SOLICITED = 4;

    /// Take the data when the request is executed; the buffer may be changed right afterwards. At
    /// most [QueuePairCapacity#maxInlineData()] bytes. [PostSend#inlineData] sends what is not even
    /// in a memory region.
    public static final int INLINE = 8;

    /// Every flag there is.
    public static final int ALL = FENCE | SIGNALED | SOLICITED | INLINE;

    private SendFlags() {}
}
