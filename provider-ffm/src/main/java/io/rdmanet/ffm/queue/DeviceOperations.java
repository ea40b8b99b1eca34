package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.ContextDescriptor;
import io.rdmanet.ffm.c.NativeMemory;
import java.lang.foreign.MemorySegment;

/// The functions of a device's driver that the data path calls, for
/// [io.rdmanet.ffm.c.VerbsOperations].
record DeviceOperations(
        MemorySegment poll,
        MemorySegment requestNotification,
        MemorySegment postSend,
        MemorySegment postReceive,
        MemorySegment postSharedReceive) {
    /// Reads them from a `struct ibv_context`.
    static DeviceOperations of(long context) {
        return new DeviceOperations(
                NativeMemory.functionAt(context + ContextDescriptor.POLL_COMPLETION_QUEUE),
                NativeMemory.functionAt(context + ContextDescriptor.REQUEST_NOTIFICATION),
                NativeMemory.functionAt(context + ContextDescriptor.POST_SEND),
                NativeMemory.functionAt(context + ContextDescriptor.POST_RECEIVE),
                NativeMemory.functionAt(context + ContextDescriptor.POST_SHARED_RECEIVE));
    }
}
