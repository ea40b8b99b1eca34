package io.rdmanet.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCRegMr;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A memory region that DiSNI registered: the caller's memory, or memory of its own.
final class DisniMemoryRegion implements MemoryRegion {
    private static final int PAGE_BYTES = 4096;

    /// Nobody's: asks whether memory belongs to one thread only.
    private static final Thread ANY_OTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

    private final DisniProtectionDomain domain;
    private final MemorySegment segment;
    private final @Nullable Arena owned;
    private final Set<AccessFlag> access;
    private final IbvMr region;
    private final long address;
    private final long length;
    private final int localKey;
    private final int remoteKey;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean isClosed;
    private boolean isRegistered = true;
    private boolean isDone;

    /// Takes memory of the caller's.
    static DisniMemoryRegion register(
            DisniProtectionDomain domain, MemorySegment segment, Set<AccessFlag> access)
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
        requireSmall(domain, segment.byteSize());
        return register(domain, segment, access, null);
    }

    /// Makes memory and takes it.
    @SuppressWarnings("MustBeClosedChecker") // with the region
    static DisniMemoryRegion allocate(
            DisniProtectionDomain domain, long bytes, Set<AccessFlag> access)
            throws VerbsException {
        if (bytes < 1) {
            throw new IllegalArgumentException("a region has 1 byte or more, not " + bytes);
        }
        requireConsistent(access);
        requireSmall(domain, bytes);
        Arena arena = Arena.ofShared();
        boolean isMade = false;
        try {
            DisniMemoryRegion region =
                    register(domain, arena.allocate(bytes, PAGE_BYTES), access, arena);
            isMade = true;
            return region;
        } finally {
            if (!isMade) {
                arena.close();
            }
        }
    }

    /// DiSNI has lengths of 31 bits.
    private static void requireSmall(DisniProtectionDomain domain, long bytes)
            throws VerbsException {
        if (bytes > Integer.MAX_VALUE) {
            domain.context().provider().require(Capability.LARGE_REGIONS);
        }
    }

    private static DisniMemoryRegion register(
            DisniProtectionDomain domain,
            MemorySegment segment,
            Set<AccessFlag> access,
            @Nullable Arena owned)
            throws VerbsException {
        domain.children().add("reg_mr");
        boolean isMade = false;
        try {
            SVCRegMr call =
                    domain.context()
                            .disni()
                            .verbs()
                            .regMr(
                                    domain.domain(),
                                    segment.address(),
                                    (int) segment.byteSize(),
                                    AccessFlag.mask(access));
            IbvMr made;
            try {
                call.execute();
                made = call.getMr();
            } finally {
                call.free();
            }
            DisniMemoryRegion region = new DisniMemoryRegion(domain, segment, access, owned, made);
            isMade = true;
            return region;
        } catch (IOException e) {
            throw refused(domain, segment, access, e);
        } finally {
            if (!isMade) {
                domain.children().remove();
            }
        }
    }

    private static VerbsException refused(
            DisniProtectionDomain domain,
            MemorySegment segment,
            Set<AccessFlag> access,
            IOException failure) {
        int errno = DisniFailure.errno(failure);
        String hint =
                errno == ErrorNumber.ENOMEM || errno == ErrorNumber.EAGAIN
                        ? "; the limit of locked memory may be too low: ulimit -l unlimited"
                        : "";
        return DisniFailure.of(
                "reg_mr",
                failure,
                segment.byteSize()
                        + " bytes with access "
                        + access
                        + " on "
                        + domain.context()
                        + hint);
    }

    private DisniMemoryRegion(
            DisniProtectionDomain domain,
            MemorySegment segment,
            Set<AccessFlag> access,
            @Nullable Arena owned,
            IbvMr region) {
        this.domain = domain;
        this.segment = segment;
        this.owned = owned;
        this.region = region;
        this.access =
                access.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(access));
        address = segment.address();
        length = segment.byteSize();
        localKey = region.getLkey();
        remoteKey = region.getRkey();
    }

    /// Checks an element of a request: an open region of a domain, and inside it.
    static DisniMemoryRegion requireInside(
            DisniProtectionDomain domain, MemoryRegion region, long offset, int length) {
        if (!(region instanceof DisniMemoryRegion own) || own.domain != domain) {
            throw new IllegalArgumentException(
                    "the memory region belongs to another protection domain than the queue");
        }
        if (own.isClosed) {
            throw new IllegalStateException(own + " is closed");
        }
        if (offset < 0 || length < 0 || offset > own.length - length) {
            throw new IllegalArgumentException(
                    length + " bytes at offset " + offset + " are not inside " + own);
        }
        return own;
    }

    @Override
    public DisniProtectionDomain protectionDomain() {
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

    /// Whether requests may not name it any more.
    boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (isDone) {
                return;
            }
            if (isRegistered) {
                isClosed = true; // before looking: a thread that posts looks after noting
                if (domain.isOutstanding(this)) {
                    isClosed = false;
                    throw new IllegalStateException(
                            "dereg_mr: a posted request that has not completed names " + this);
                }
                deregister();
                isRegistered = false;
            }
            if (owned != null) {
                owned.close(); // refused while somebody uses the memory at this moment: try again
            }
            isDone = true;
            domain.children().remove();
        } finally {
            lock.unlock();
        }
    }

    private void deregister() {
        try {
            SVCDeregMr call = domain.context().disni().verbs().deregMr(region);
            call.execute();
            call.free();
        } catch (IOException e) {
            Destroying.require("dereg_mr", DisniFailure.errno(e), toString());
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
