package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.MemoryRegionDescriptor;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A memory region of libibverbs: the caller's memory, or pages of its own.
final class FfmMemoryRegion implements MemoryRegion {
    /// Nobody's: asks whether memory belongs to one thread only.
    private static final Thread ANY_OTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

    private final FfmProtectionDomain domain;
    private final MemorySegment segment;
    private final @Nullable AnonymousMemory owned;
    private final Set<AccessFlag> access;
    private final int accessMask;
    private final long nativeRegion;
    private final long address;
    private final long length;
    private final int localKey;
    private final int remoteKey;
    private final NamedResource named = new NamedResource();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean isOpen = true;

    /// Takes memory of the caller's.
    static FfmMemoryRegion register(
            FfmProtectionDomain domain, MemorySegment segment, Set<AccessFlag> access)
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
        if (!segment.isAccessibleBy(ANY_OTHER_THREAD)) {
            throw new IllegalArgumentException(
                    "reg_mr: the memory belongs to one thread; take it from Arena.ofShared()");
        }
        requireConsistent(access);
        return register(domain, segment, access, null);
    }

    /// Makes pages and takes them.
    static FfmMemoryRegion allocate(FfmProtectionDomain domain, long bytes, Set<AccessFlag> access)
            throws VerbsException {
        if (bytes < 1) {
            throw new IllegalArgumentException("a region has 1 byte or more, not " + bytes);
        }
        requireConsistent(access);
        AnonymousMemory memory = AnonymousMemory.map(bytes);
        boolean isMade = false;
        try {
            FfmMemoryRegion region = register(domain, memory.segment(), access, memory);
            isMade = true;
            return region;
        } finally {
            if (!isMade) {
                memory.end();
                memory.unmap();
            }
        }
    }

    private static FfmMemoryRegion register(
            FfmProtectionDomain domain,
            MemorySegment segment,
            Set<AccessFlag> access,
            @Nullable AnonymousMemory owned)
            throws VerbsException {
        domain.children().add("reg_mr");
        long made =
                Libibverbs.ibv_reg_mr(
                        domain.address(),
                        segment.address(),
                        segment.byteSize(),
                        AccessFlag.mask(access));
        if (Result.isFailure(made)) {
            domain.children().remove();
            throw refused(domain, segment, access, Result.errorNumber(made));
        }
        return new FfmMemoryRegion(domain, segment, access, owned, made);
    }

    private static VerbsException refused(
            FfmProtectionDomain domain, MemorySegment segment, Set<AccessFlag> access, int errno) {
        String hint =
                switch (errno) {
                    case ErrorNumber.ENOMEM, ErrorNumber.EAGAIN -> "; " + LockedMemory.hint();
                    case ErrorNumber.EFAULT, ErrorNumber.EOPNOTSUPP ->
                            "; pages of this kind (of a device, or of a mapped file) cannot be"
                                    + " pinned: use allocate()";
                    default -> "";
                };
        return new VerbsException(
                "reg_mr",
                errno,
                segment.byteSize()
                        + " bytes with access "
                        + access
                        + " on "
                        + domain.context()
                        + hint);
    }

    private FfmMemoryRegion(
            FfmProtectionDomain domain,
            MemorySegment segment,
            Set<AccessFlag> access,
            @Nullable AnonymousMemory owned,
            long nativeRegion) {
        this.domain = domain;
        this.segment = segment;
        this.owned = owned;
        this.nativeRegion = nativeRegion;
        this.access =
                access.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(access));
        accessMask = AccessFlag.mask(access);
        address = segment.address();
        length = segment.byteSize();
        localKey = NativeMemory.intAt(nativeRegion + MemoryRegionDescriptor.LOCAL_KEY);
        remoteKey = NativeMemory.intAt(nativeRegion + MemoryRegionDescriptor.REMOTE_KEY);
    }

    /// Throws unless a region is one of a domain.
    static FfmMemoryRegion requireOf(FfmProtectionDomain domain, MemoryRegion region) {
        if (!(region instanceof FfmMemoryRegion own) || own.domain != domain) {
            throw new IllegalArgumentException(
                    "the memory region belongs to another protection domain than the queue");
        }
        return own;
    }

    /// Throws unless the region is open, and an element of a request inside it.
    void requireInside(long offset, int bytes) {
        if (named.isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        if (offset < 0 || bytes < 0 || offset > length - bytes) {
            throw new IllegalArgumentException(
                    bytes + " bytes at offset " + offset + " are not inside " + this);
        }
    }

    @Override
    public FfmProtectionDomain protectionDomain() {
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
        return address;
    }

    @Override
    public int localKey() {
        return localKey;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public Set<AccessFlag> access() {
        return access;
    }

    /// Whether it allows an access.
    boolean allows(int mask) {
        return (accessMask & mask) == mask;
    }

    /// How requests name it.
    NamedResource named() {
        return named;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!isOpen) {
                return;
            }
            named.close("dereg_mr: " + this);
            if (owned != null) {
                endOwned(owned);
            }
            isOpen = false;
            // Only memory that the device has given back may be freed.
            Destroying.require("dereg_mr", Libibverbs.ibv_dereg_mr(nativeRegion), toString());
            if (owned != null) {
                owned.unmap();
            }
            domain.children().remove();
        } finally {
            lock.unlock();
        }
    }

    /// Ends Java's access first, because that can be refused: a channel may be reading from it.
    private void endOwned(AnonymousMemory memory) {
        boolean hasEnded = false;
        try {
            memory.end();
            hasEnded = true;
        } finally {
            if (!hasEnded) {
                named.reopen();
            }
        }
    }

    @Override
    public String toString() {
        return "memory region 0x" + Integer.toHexString(localKey) + " of " + length + " bytes";
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
