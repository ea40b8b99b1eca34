package io.rdmanet.verbs;

/// The limits of a device (the part of `struct ibv_device_attr` that programs decide by).
///
/// @param vendorId the vendor's number
/// @param firmware the firmware's version, or an empty string
/// @param maxQueuePairs queue pairs per device
/// @param maxWorkRequests work requests per queue
/// @param maxScatterGather scatter/gather elements per work request
/// @param maxCompletionQueues completion queues per device
/// @param maxCompletionQueueEntries entries per completion queue
/// @param maxMemoryRegions memory regions per device
/// @param maxMemoryRegionBytes bytes per memory region
/// @param maxInlineData the most inline data a queue pair may ask for, in bytes
/// @param maxReadAtomic RDMA READs and atomics in flight per queue pair
/// @param physicalPorts ports, numbered from 1
public record DeviceAttributes(
        int vendorId,
        String firmware,
        int maxQueuePairs,
        int maxWorkRequests,
        int maxScatterGather,
        int maxCompletionQueues,
        int maxCompletionQueueEntries,
        int maxMemoryRegions,
        long maxMemoryRegionBytes,
        int maxInlineData,
        int maxReadAtomic,
        int physicalPorts) {}
