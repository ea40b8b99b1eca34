package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.CELLS_OFFSET;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.MAGIC;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.MAGIC_OFFSET;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.SLOTS_OFFSET;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.STRIDE_OFFSET;

import io.rdmanet.loopback.memory.SharedFile;
import io.rdmanet.loopback.ring.LandingDescriptor;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.ReceivePoolDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The shared memory of a pool of receives, and its landing, which is made only if it is needed: if
/// receives are posted whose memory is out of the senders' reach, and datagrams may come.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | hasUnshared | posting thread | volatile | volatile | takesDatagrams |
/// | takesDatagrams | control thread | volatile | volatile | hasUnshared |
/// | landing | either, under the lock | volatile | volatile | |
final class ReceivePoolMemory {
    private final LoopbackContext context;
    private final int number;
    private final Path file;
    private final MemorySegment segment;
    private final int maxElements;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean hasUnshared;
    private volatile boolean takesDatagrams;
    private volatile @Nullable MemorySegment landing;
    private @Nullable Path landingFile;

    static ReceivePoolMemory create(LoopbackContext context, int maxReceives, int maxElements)
            throws VerbsException {
        int cells = QueuePairDescriptor.capacity(maxReceives);
        int stride = QueuePairDescriptor.stride(maxElements);
        long bytes = ReceivePoolDescriptor.bytes(maxReceives, cells, stride);
        int number = context.newReceivePoolNumber();
        Path file =
                context.hub()
                        .instance()
                        .memoryDirectory(bytes)
                        .resolve(ReceivePoolDescriptor.fileName(number));
        MemorySegment segment = SharedFile.create(file, bytes, Arena.ofAuto());
        initialise(segment, maxReceives, cells, stride);
        return new ReceivePoolMemory(context, number, file, segment, maxElements);
    }

    /// Writes the layout, and last that it is there.
    static void initialise(MemorySegment segment, int slots, int cells, int stride) {
        long base = segment.address();
        Words.setInt(base + SLOTS_OFFSET, slots);
        Words.setInt(base + CELLS_OFFSET, cells);
        Words.setInt(base + STRIDE_OFFSET, stride);
        Words.setLongRelease(base + MAGIC_OFFSET, MAGIC);
    }

    /// @param context null in tests without a device, and so is the file
    ReceivePoolMemory(
            LoopbackContext context,
            int number,
            Path file,
            MemorySegment segment,
            int maxElements) {
        this.context = context;
        this.number = number;
        this.file = file;
        this.segment = segment;
        this.maxElements = maxElements;
    }

    int number() {
        return number;
    }

    MemorySegment segment() {
        return segment;
    }

    long address() {
        return segment.address();
    }

    int slots() {
        return Words.intAt(address() + SLOTS_OFFSET);
    }

    int cells() {
        return Words.intAt(address() + CELLS_OFFSET);
    }

    int maxElements() {
        return maxElements;
    }

    /// Datagrams may come from now on.
    void takeDatagrams() throws VerbsException {
        takesDatagrams = true;
        if (hasUnshared) {
            makeLanding();
        }
    }

    /// A receive is about to be posted whose memory is out of the senders' reach. Without room for
    /// the landing, datagrams to such receives are lost.
    void needLanding() {
        if (!hasUnshared) {
            hasUnshared = true;
        }
        if (takesDatagrams && landing == null) {
            try {
                makeLanding();
            } catch (VerbsException e) {
                System.getLogger(ReceivePoolMemory.class.getName())
                        .log(System.Logger.Level.WARNING, "no landing for datagrams", e);
            }
        }
    }

    private void makeLanding() throws VerbsException {
        lock.lock();
        try {
            if (landing == null) {
                long bytes = LandingDescriptor.bytes(slots());
                Path made =
                        context.hub()
                                .instance()
                                .memoryDirectory(bytes)
                                .resolve(ReceivePoolDescriptor.landingFileName(number));
                landing = SharedFile.create(made, bytes, Arena.ofAuto());
                landingFile = made;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Where datagrams wait, or null if none can.
    @Nullable MemorySegment landing() {
        return landing;
    }

    /// Takes the files' names away.
    void close() {
        SharedFile.delete(file);
        lock.lock();
        try {
            if (landingFile != null) {
                SharedFile.delete(landingFile);
            }
        } finally {
            lock.unlock();
        }
    }
}
