package io.rdmanet.verbs;

/// A port's state (the part of `struct ibv_port_attr` that programs decide by).
///
/// @param state whether it carries traffic
/// @param linkLayer what its packets travel on
/// @param maxMtu the largest payload per packet that it can do
/// @param activeMtu the largest payload per packet that it does now
/// @param localIdentifier its LID; 0 on RoCE and on shared memory
/// @param gidTableLength entries of its GID table, used or not
/// @param maxMessageBytes the longest message
/// @param linkGigabitsPerSecond the line rate, 0 if it has none or none is known
public record PortAttributes(
        PortState state,
        LinkLayer linkLayer,
        PathMtu maxMtu,
        PathMtu activeMtu,
        int localIdentifier,
        int gidTableLength,
        long maxMessageBytes,
        double linkGigabitsPerSecond) {}
