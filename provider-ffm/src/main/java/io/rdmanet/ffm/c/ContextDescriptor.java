package io.rdmanet.ffm.c;

/// `struct ibv_context`, the fields we use. The functions of the data path are not exported by the
/// library: verbs.h calls them through these pointers of the device's driver.
///
/// ```
///  0        8                                                                    264
/// +--------+-------------------------------------------------------------------+--------+---
/// | device | ops                                                               | cmd_fd | async_fd
/// +--------+-------------------------------------------------------------------+--------+---
///            96 poll_cq, 104 req_notify_cq, 168 post_srq_recv, 208 post_send, 216 post_recv  268
/// ```
public final class ContextDescriptor {
    public static final int DEVICE = 0;
    public static final int POLL_COMPLETION_QUEUE = 96;
    public static final int REQUEST_NOTIFICATION = 104;
    public static final int POST_SHARED_RECEIVE = 168;
    public static final int POST_SEND = 208;
    public static final int POST_RECEIVE = 216;
    public static final int ASYNC_DESCRIPTOR = 268;

    private ContextDescriptor() {}
}
