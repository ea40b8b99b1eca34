package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.CAPACITY_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.DOMAIN_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.HAS_CHANNEL_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MAGIC;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MAGIC_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.STRIDE_OFFSET;

import io.rdmanet.loopback.memory.SharedFile;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// The shared memory of one life of a queue pair, from RESET to RESET: a new file each time, since
/// the peer of the former life may still have the old one mapped.
///
/// The mapping lives as long as anything refers to it, because a thread that polls may be looking
/// at it while another closes the queue pair.
final class QueuePairMemory {
    private final Path file;
    private final MemorySegment segment;

    static QueuePairMemory create(
            LoopbackContext context,
            int number,
            int domain,
            QueuePairCapacity capacity,
            boolean hasChannel)
            throws VerbsException {
        int entries = QueuePairDescriptor.capacity(capacity.maxReceives());
        int stride = QueuePairDescriptor.stride(capacity.maxReceiveScatterGather());
        long bytes = QueuePairDescriptor.bytes(entries, stride);
        Path file =
                context.hub()
                        .instance()
                        .memoryDirectory(bytes)
                        .resolve(QueuePairDescriptor.fileName(number));
        MemorySegment segment = SharedFile.create(file, bytes, Arena.ofAuto());
        long base = segment.address();
        Words.setInt(base + CAPACITY_OFFSET, entries);
        Words.setInt(base + STRIDE_OFFSET, stride);
        Words.setInt(base + HAS_CHANNEL_OFFSET, hasChannel ? 1 : 0);
        Words.setInt(base + DOMAIN_OFFSET, domain);
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
