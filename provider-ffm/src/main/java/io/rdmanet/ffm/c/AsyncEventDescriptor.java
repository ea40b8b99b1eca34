package io.rdmanet.ffm.c;

/// `struct ibv_async_event`
/// ([ibv_get_async_event(3)](https://man7.org/linux/man-pages/man3/ibv_get_async_event.3.html)):
///
/// ```
///  0                      8            12       16
/// +----------------------+------------+--------+
/// | cq, qp, srq or       | event_type | unused |
/// | port_num (4 bytes)   |            |        |
/// +----------------------+------------+--------+
/// ```
public final class AsyncEventDescriptor {
    public static final int SIZE = 16;
    public static final int ELEMENT = 0;
    public static final int TYPE = 8;

    private AsyncEventDescriptor() {}
}
