package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.CAPACITY_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.DATAGRAM;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.DOMAIN_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.HAS_CHANNEL_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MAGIC;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MAGIC_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.NO_POOL;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.POOL_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RELIABLE;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.STRIDE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.TRANSPORT_OFFSET;

import io.rdmanet.loopback.memory.SharedFile;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The shared memory of one life of a queue pair, from RESET to RESET: a new file each time, since
/// the peer of the former life may still have the old one mapped.
///
/// The mapping lives as long as anything refers to it, because a thread that polls may be looking
/// at it while another closes the queue pair.
final class QueuePairMemory {
    private final Path file;
    private final MemorySegment segment;

    /// @param pool where the receives are, or null if they are in a ring here
    static QueuePairMemory create(
            LoopbackContext context, QueuePairPlan plan, @Nullable ReceivePool pool)
            throws VerbsException {
        QueuePairCapacity capacity = plan.capacity();
        int entries =
                pool == null
                        ? QueuePairDescriptor.entries(capacity.maxReceives())
                        : pool.memory().cells();
        int stride =
                pool == null ? QueuePairDescriptor.stride(capacity.maxReceiveScatterGather()) : 0;
        long bytes = QueuePairDescriptor.bytes(entries, stride);
        Path file =
                context.hub()
                        .instance()
                        .memoryDirectory(bytes)
                        .resolve(QueuePairDescriptor.fileName(plan.number()));
        MemorySegment segment = SharedFile.create(file, bytes, Arena.ofAuto());
        long base = segment.address();
        Words.setInt(base + CAPACITY_OFFSET, entries);
        Words.setInt(base + STRIDE_OFFSET, stride);
        Words.setInt(base + HAS_CHANNEL_OFFSET, plan.hasChannel() ? 1 : 0);
        Words.setInt(base + DOMAIN_OFFSET, plan.domain());
        Words.setInt(base + TRANSPORT_OFFSET, plan.isDatagram() ? DATAGRAM : RELIABLE);
        Words.setInt(base + POOL_OFFSET, pool == null ? NO_POOL : pool.number());
        Words.setLongRelease(base + MAGIC_OFFSET, MAGIC);
        return new QueuePairMemory(file, segment);
    }

    private QueuePairMemory(Path file, MemorySegment segment) {
        this.file = file;
        this.segment = segment;
    }

    MemorySegment segment() {
        return segment;
    }

    long address() {
        return segment.address();
    }

    /// Takes the file's name away.
    void close() {
        SharedFile.delete(file);
    }
}
