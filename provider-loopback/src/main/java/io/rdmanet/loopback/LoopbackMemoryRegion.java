package io.rdmanet.loopback;

import io.rdmanet.loopback.memory.SharedFile;
import io.rdmanet.loopback.ring.RegionTableDescriptor;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A memory region. Allocated memory is a shared file that peers map, so that data moves once;
/// registered memory is out of their reach, and this device copies for them.
final class LoopbackMemoryRegion implements MemoryRegion {
    private final LoopbackProtectionDomain domain;
    private final MemorySegment segment;
    private final long length;
    private final Set<AccessFlag> access;
    private final int accessMask;
    private final @Nullable Arena arena;
    private final @Nullable Path file;
    private final int key;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean isOpen = true;

    /// Takes memory of the caller's.
    static LoopbackMemoryRegion register(
            LoopbackProtectionDomain domain, MemorySegment segment, Set<AccessFlag> access)
            throws VerbsException {
        if (!segment.isNative()) {
            throw new IllegalArgumentException(
                    "reg_mr: memory on the Java heap can move; take it from an Arena");
        }
        if (segment.byteSize() == 0) {
            throw new IllegalArgumentException("reg_mr: the memory is empty");
        }
        if (segment.isReadOnly()) {
            throw new IllegalArgumentException("reg_mr: the memory is read-only");
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("reg_mr: the memory's arena is closed");
        }
        if (!segment.isAccessibleBy(domain.context().deviceThread().thread())) {
            throw new IllegalArgumentException(
                    "reg_mr: the memory belongs to one thread, but the device's threads copy, too;"
                            + " take it from Arena.ofShared()");
        }
        requireConsistent(access);
        long regionId = domain.context().regions().newRegionId();
        return new LoopbackMemoryRegion(domain, regionId, segment, access, null, null);
    }

    /// Makes memory that peers can map.
    static LoopbackMemoryRegion allocate(
            LoopbackProtectionDomain domain, long bytes, Set<AccessFlag> access)
            throws VerbsException {
        if (bytes < 1) {
            throw new IllegalArgumentException("a region has 1 byte or more, not " + bytes);
        }
        requireConsistent(access);
        LoopbackContext context = domain.context();
        long regionId = context.regions().newRegionId();
        Path file =
                context.hub()
                        .instance()
                        .memoryDirectory(bytes)
                        .resolve(RegionTableDescriptor.fileName(regionId));
        @SuppressWarnings("MustBeClosedChecker") // lives as long as the region
        Arena arena = Arena.ofShared();
        boolean isMade = false;
        try {
            MemorySegment segment = SharedFile.create(file, bytes, arena);
            isMade = true;
            return new LoopbackMemoryRegion(domain, regionId, segment, access, arena, file);
        } catch (VerbsException | RuntimeException e) {
            arena.close();
            if (isMade) {
                SharedFile.delete(file);
            }
            throw e;
        }
    }

    private LoopbackMemoryRegion(
            LoopbackProtectionDomain domain,
            long regionId,
            MemorySegment segment,
            Set<AccessFlag> access,
            @Nullable Arena arena,
            @Nullable Path file)
            throws VerbsException {
        this.domain = domain;
        this.segment = segment;
        length = segment.byteSize();
        this.access =
                access.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(access));
        this.accessMask = AccessFlag.mask(access);
        this.arena = arena;
        this.file = file;
        this.key =
                domain.context()
                        .regions()
                        .add(
                                regionId,
                                segment.address(),
                                segment.byteSize(),
                                accessMask,
                                domain.number(),
                                arena != null);
        domain.context().add(this);
        domain.children().add();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public long address() {
        return segment.address();
    }

    @Override
    public int localKey() {
        return key;
    }

    @Override
    public int remoteKey() {
        return key;
    }

    @Override
    public Set<AccessFlag> access() {
        return access;
    }

    /// Throws unless an element of a request is inside it.
    void requireInside(long offset, int bytes) {
        if (offset < 0 || bytes < 0 || offset > length - bytes) {
            throw new IllegalArgumentException(
                    bytes + " bytes at offset " + offset + " are not inside " + this);
        }
    }

    /// Whether it allows an access.
    boolean allows(int mask) {
        return (accessMask & mask) == mask;
    }

    /// Whether peers can map it.
    boolean isShared() {
        return arena != null;
    }

    boolean isOpen() {
        return isOpen;
    }

    /// Runs something that needs the memory, and keeps the region open meanwhile. For the hub's
    /// thread, which copies for peers that no request of this side's stands for.
    ///
    /// @return false if it is closed; nothing was run then
    boolean whileOpen(Runnable action) {
        lock.lock();
        try {
            if (isOpen) {
                action.run();
            }
            return isOpen;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!isOpen) {
                return;
            }
            closeUnlessUsed();
            domain.context().regions().remove(key);
            domain.context().remove(this);
            if (file != null) {
                SharedFile.delete(file);
            }
            domain.children().remove();
        } finally {
            lock.unlock();
        }
    }

    /// Asks once more after it was marked as closed: a send that is executed where it was prepared
    /// either sees the mark, or is seen. What was there before is not to see it.
    private void closeUnlessUsed() {
        domain.context().requireUnused(this);
        isOpen = false;
        boolean isClosed = false;
        try {
            domain.context().requireUnused(this);
            if (arena != null) {
                arena.close(); // it can refuse: a channel may be reading from the memory
            }
            isClosed = true;
        } finally {
            isOpen = !isClosed;
        }
    }

    @Override
    public String toString() {
        return "memory region 0x" + Integer.toHexString(key) + " of " + length() + " bytes";
    }

    private static void requireConsistent(Set<AccessFlag> access) {
        boolean isWrittenRemotely =
                access.contains(AccessFlag.REMOTE_WRITE)
                        || access.contains(AccessFlag.REMOTE_ATOMIC);
        if (isWrittenRemotely && !access.contains(AccessFlag.LOCAL_WRITE)) {
            throw new IllegalArgumentException(
                    "reg_mr: " + access + " needs LOCAL_WRITE too (ibv_reg_mr(3))");
        }
    }
}
