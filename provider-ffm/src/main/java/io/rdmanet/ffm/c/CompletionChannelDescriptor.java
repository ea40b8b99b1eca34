package io.rdmanet.ffm.c;

/// `struct ibv_comp_channel`, the field we use: `fd`, its file descriptor (4 bytes at 8, behind
/// `context`).
public final class CompletionChannelDescriptor {
    public static final int DESCRIPTOR = 8;

    private CompletionChannelDescriptor() {}
}
