package io.rdmanet.ffm.c;

/// `struct ibv_cq`, the field we use: `cqe`, how many entries it has (4 bytes at 28, behind
/// `context`, `channel`, `cq_context` and `handle`).
public final class CompletionQueueDescriptor {
    public static final int ENTRIES = 28;

    private CompletionQueueDescriptor() {}
}
