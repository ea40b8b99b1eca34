package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.QueuePairCapacityDescriptor;
import io.rdmanet.ffm.c.QueuePairInitialDescriptor;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.verbs.QueuePairCapacity;
import java.lang.foreign.Arena;

/// How much inline data a queue pair of a device can have. No query tells; creating one does.
final class InlineDataProbe {
    /// What devices allow lies between these; few allow more.
    private static final int[] SIZES = {1024, 512, 256, 128, 64, 32};

    private InlineDataProbe() {}

    /// Tries ever smaller amounts on queue pairs that are destroyed at once.
    ///
    /// @return bytes, 0 if none can be had or nothing can be made
    static int find(long context) {
        long domain = Libibverbs.ibv_alloc_pd(context);
        if (Result.isFailure(domain)) {
            return 0;
        }
        long queue = Libibverbs.ibv_create_cq(context, 1, 0);
        try {
            return Result.isFailure(queue) ? 0 : find(domain, queue);
        } finally {
            if (!Result.isFailure(queue)) {
                Libibverbs.ibv_destroy_cq(queue);
            }
            Libibverbs.ibv_dealloc_pd(domain);
        }
    }

    private static int find(long domain, long queue) {
        try (Arena arena = Arena.ofConfined()) {
            long initial = arena.allocate(QueuePairInitialDescriptor.SIZE, Long.BYTES).address();
            for (int size : SIZES) {
                NativeMemory.setLong(
                        initial + QueuePairInitialDescriptor.SEND_COMPLETION_QUEUE, queue);
                NativeMemory.setLong(
                        initial + QueuePairInitialDescriptor.RECEIVE_COMPLETION_QUEUE, queue);
                NativeMemory.setInt(
                        initial + QueuePairInitialDescriptor.TYPE,
                        QueuePairInitialDescriptor.RELIABLE_CONNECTION);
                long capacity = initial + QueuePairInitialDescriptor.CAPACITY;
                QueuePairCapacityDescriptor.set(capacity, new QueuePairCapacity(1, 1, 1, 1, size));
                long made = Libibverbs.ibv_create_qp(domain, initial);
                if (!Result.isFailure(made)) {
                    Libibverbs.ibv_destroy_qp(made);
                    // Never less than was asked for; some drivers do not say how much more it is.
                    return Math.max(
                            size, QueuePairCapacityDescriptor.get(capacity).maxInlineData());
                }
            }
            return 0;
        }
    }
}
