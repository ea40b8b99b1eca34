package io.rdmanet.verbs;

/// The protocol a GID stands for.
public enum GidType {
    INFINIBAND,
    ROCE_V1,
    ROCE_V2
}
