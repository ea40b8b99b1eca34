package io.rdmanet.internal.engine;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A fake device with its domains and regions. Counts what is open, and refuses to close a parent
/// before its children.
final class FakeContext implements Context {
    final AtomicInteger open = new AtomicInteger();
    private final VerbsProvider provider;

    /// How many objects may still be made before one fails, to test half-way failures.
    int failsAfter = Integer.MAX_VALUE;

    boolean isClosed;

    FakeContext(VerbsProvider provider) {
        this.provider = provider;
    }

    void opening(String verb) throws VerbsException {
        if (failsAfter-- <= 0) {
            throw new VerbsException(verb, "the fake was told to fail here");
        }
        open.incrementAndGet();
    }

    @Override
    public VerbsProvider provider() {
        return provider;
    }

    @Override
    public String deviceName() {
        return "fake0";
    }

    @Override
    public DeviceAttributes queryDevice() {
        return new DeviceAttributes(0, "", 9, 99_999, 4, 9, 99_999, 99, 1L << 40, 220, 1, 1);
    }

    @Override
    public PortAttributes queryPort(int portNumber) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<GidEntry> gidTable(int portNumber) {
        return List.of();
    }

    @Override
    public Map<String, Long> hardwareCounters() {
        return Map.of();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws VerbsException {
        opening("alloc_pd");
        return new Domain();
    }

    @Override
    public CompletionChannel createCompletionChannel() throws VerbsException {
        opening("create_comp_channel");
        return new FakeCompletionQueue.Channel(this);
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, @Nullable CompletionChannel channel)
            throws VerbsException {
        opening("create_cq");
        return new FakeCompletionQueue(this, capacity, (FakeCompletionQueue.Channel) channel);
    }

    @Override
    public @Nullable AsyncEvent pollAsyncEvent() {
        return null;
    }

    @Override
    public void close() {
        if (open.get() != 0) {
            throw new IllegalStateException(open.get() + " objects of the device are open");
        }
        isClosed = true;
    }

    private final class Domain implements ProtectionDomain {
        private int regions;
        private boolean isOpen = true;

        @Override
        public Context context() {
            return FakeContext.this;
        }

        @Override
        public MemoryRegion register(MemorySegment segment, Set<AccessFlag> access) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MemoryRegion allocate(long bytes, Set<AccessFlag> access) throws VerbsException {
            opening("reg_mr");
            regions++;
            return new Region(this, bytes, access);
        }

        @Override
        public QueuePair createQueuePair(QueuePairInitialAttributes attributes)
                throws VerbsException {
            opening("create_qp");
            return new FakeQueuePair(this, attributes);
        }

        @Override
        public SharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxScatterGather) {
            throw new UnsupportedOperationException();
        }

        @Override
        public AddressHandle createAddressHandle(AddressVector address) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            if (regions != 0) {
                throw new IllegalStateException("a region of the domain is open");
            }
            if (isOpen) {
                isOpen = false;
                open.decrementAndGet();
            }
        }
    }

    private final class Region implements MemoryRegion {
        private final Domain domain;
        private final Arena arena = Arena.ofShared();
        private final MemorySegment segment;
        private final Set<AccessFlag> access;

        Region(Domain domain, long bytes, Set<AccessFlag> access) {
            this.domain = domain;
            this.segment = arena.allocate(bytes, 4096);
            this.access = access;
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
            return segment.byteSize();
        }

        @Override
        public long address() {
            return segment.address();
        }

        @Override
        public int localKey() {
            return 1;
        }

        @Override
        public int remoteKey() {
            return 1;
        }

        @Override
        public Set<AccessFlag> access() {
            return access;
        }

        @Override
        public void close() {
            if (arena.scope().isAlive()) {
                arena.close();
                domain.regions--;
                open.decrementAndGet();
            }
        }
    }
}
