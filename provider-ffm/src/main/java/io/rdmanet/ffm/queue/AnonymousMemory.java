package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.Libc;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Zeroed pages of this process, as many as the machine has: unlike an arena's memory they do not
/// count against the JVM's limit of direct memory. They go in two steps, since Java's access ends
/// before the device's, and the memory only after both.
final class AnonymousMemory {
    private final Arena arena = Arena.ofShared();
    private final long address;
    private final long bytes;
    private final MemorySegment segment;

    /// Maps pages.
    static AnonymousMemory map(long bytes) throws VerbsException {
        long address = Libc.mmapAnonymous(bytes);
        if (Result.isFailure(address)) {
            throw new VerbsException(
                    "mmap", Result.errorNumber(address), "allocating " + bytes + " bytes");
        }
        return new AnonymousMemory(address, bytes);
    }

    @SuppressWarnings("restricted") // memory that was mapped a moment ago, and of this length
    private AnonymousMemory(long address, long bytes) {
        this.address = address;
        this.bytes = bytes;
        segment = MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
    }

    MemorySegment segment() {
        return segment;
    }

    /// Ends Java's access.
    ///
    /// @throws IllegalStateException while somebody is using the memory at this moment
    void end() {
        arena.close();
    }

    /// Gives the pages back, once no device can reach them.
    void unmap() {
        // Fails only for addresses that were never mapped.
        Libc.munmap(address, bytes);
    }
}
