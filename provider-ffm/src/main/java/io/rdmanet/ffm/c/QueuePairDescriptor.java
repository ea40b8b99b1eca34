package io.rdmanet.ffm.c;

/// `struct ibv_qp`, the fields we use:
///
/// ```
///  0         8                          48       52       56      60
/// +---------+--------------------------+--------+--------+-------+---
/// | context | ...                      | handle | qp_num | state | ...
/// +---------+--------------------------+--------+--------+-------+---
/// ```
///
/// `state` is what `ibv_modify_qp` set or `ibv_query_qp` found last, in this library or, through
/// it, in librdmacm. A fault changes the device's state and not this one.
public final class QueuePairDescriptor {
    public static final int CONTEXT = 0;
    public static final int NUMBER = 52;
    public static final int STATE = 56;

    private QueuePairDescriptor() {}
}
