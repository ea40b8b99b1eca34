package io.rdmanet.loopback;

import io.rdmanet.loopback.link.Hub;
import io.rdmanet.loopback.link.HubListener;
import io.rdmanet.loopback.link.LinkRequest;
import io.rdmanet.loopback.memory.RegionTable;
import io.rdmanet.loopback.ring.RegionTableDescriptor;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.VerbsException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The open soft device: its number on this machine, its tables, and its two threads, which sleep
/// while there is nothing for them.
final class LoopbackContext implements Context {
    static final int MAX_WORK_REQUESTS = 1 << 16;
    static final int MAX_SCATTER_GATHER = 32;
    static final int MAX_COMPLETION_QUEUE_ENTRIES = 1 << 22;
    static final int MAX_INLINE_DATA = 64 << 10;
    static final int MAX_READ_ATOMIC = 16;
    static final PathMtu MTU = PathMtu.MTU_4096;

    private static final int MAX_QUEUE_PAIRS = 1 << 16;
    static final int QUEUE_PAIR_NUMBER_MASK = 0xff_ffff;
    private static final int FIRST_QUEUE_PAIR_NUMBER = 0x100;
    private static final int MAX_WAITING_EVENTS = 1024;

    private final LoopbackProvider provider;
    private final ChildCount children = new ChildCount();
    private final Map<Integer, QueuePairWork> queuePairs = new ConcurrentHashMap<>();
    private final Map<Integer, LoopbackMemoryRegion> memoryRegions = new ConcurrentHashMap<>();
    private final Set<LoopbackSharedReceiveQueue> sharedReceiveQueues =
            ConcurrentHashMap.newKeySet();
    private final Queue<AsyncEvent> events = new ConcurrentLinkedQueue<>();
    private final DeviceCounters counters = new DeviceCounters();
    private final AtomicInteger nextDomain = new AtomicInteger(1);
    private final AtomicInteger nextReceivePool = new AtomicInteger(1);
    private final AtomicInteger nextQueuePair =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(QUEUE_PAIR_NUMBER_MASK));
    private final AtomicBoolean isOpen = new AtomicBoolean(true);
    private final UnsharedMemoryServer unsharedMemory = new UnsharedMemoryServer(this);
    private final Hub hub;
    private final RegionTable regions;
    private final DeviceThread deviceThread;

    /// Opens the device.
    static LoopbackContext open(LoopbackProvider provider) throws VerbsException {
        return new LoopbackContext(provider);
    }

    private LoopbackContext(LoopbackProvider provider) throws VerbsException {
        this.provider = provider;
        hub = Hub.open(new Listener());
        try {
            regions = new RegionTable(hub.instance().memoryDirectory(RegionTableDescriptor.BYTES));
        } catch (VerbsException | RuntimeException e) {
            hub.close();
            throw e;
        }
        deviceThread = new DeviceThread(this);
        deviceThread.start();
    }

    @Override
    public LoopbackProvider provider() {
        return provider;
    }

    @Override
    public String deviceName() {
        return LoopbackProvider.DEVICE;
    }

    @Override
    public DeviceAttributes queryDevice() {
        return new DeviceAttributes(
                0,
                "",
                MAX_QUEUE_PAIRS,
                MAX_WORK_REQUESTS,
                MAX_SCATTER_GATHER,
                MAX_QUEUE_PAIRS,
                MAX_COMPLETION_QUEUE_ENTRIES,
                RegionTableDescriptor.CAPACITY,
                Long.MAX_VALUE >>> 1,
                MAX_INLINE_DATA,
                MAX_READ_ATOMIC,
                1);
    }

    @Override
    public PortAttributes queryPort(int portNumber) throws VerbsException {
        requirePort(portNumber);
        return new PortAttributes(
                PortState.ACTIVE, LinkLayer.SHARED_MEMORY, MTU, MTU, 0, 1, Integer.MAX_VALUE, 0);
    }

    @Override
    public List<GidEntry> gidTable(int portNumber) throws VerbsException {
        requirePort(portNumber);
        return List.of(new GidEntry(0, hub.instance().gid(), GidType.ROCE_V2, ""));
    }

    @Override
    public Map<String, Long> hardwareCounters() {
        return counters.snapshot();
    }

    @Override
    public LoopbackProtectionDomain allocateProtectionDomain() {
        requireOpen("alloc_pd");
        return new LoopbackProtectionDomain(this, nextDomain.getAndIncrement());
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        requireOpen("create_comp_channel");
        return new LoopbackCompletionChannel(this);
    }

    @Override
    public CompletionQueue createCompletionQueue(
            int capacity, @Nullable CompletionChannel channel) {
        requireOpen("create_cq");
        if (capacity < 1 || capacity > MAX_COMPLETION_QUEUE_ENTRIES) {
            throw new IllegalArgumentException(
                    "create_cq: capacity must be 1 to "
                            + MAX_COMPLETION_QUEUE_ENTRIES
                            + ", is "
                            + capacity);
        }
        if (channel == null) {
            return new LoopbackCompletionQueue(this, capacity, null);
        }
        if (channel instanceof LoopbackCompletionChannel own && own.context() == this) {
            return new LoopbackCompletionQueue(this, capacity, own);
        }
        throw new IllegalArgumentException(
                "create_cq: the completion channel belongs to another device");
    }

    @Override
    public @Nullable AsyncEvent pollAsyncEvent() {
        return events.poll();
    }

    /// Keeps an event for whoever asks; the oldest is dropped when nobody does.
    void raise(AsyncEvent event) {
        events.add(event);
        if (events.size() > MAX_WAITING_EVENTS) {
            events.poll();
        }
    }

    ChildCount children() {
        return children;
    }

    Hub hub() {
        return hub;
    }

    RegionTable regions() {
        return regions;
    }

    DeviceCounters counters() {
        return counters;
    }

    DeviceThread deviceThread() {
        return deviceThread;
    }

    Collection<QueuePairWork> queuePairs() {
        return queuePairs.values();
    }

    @Nullable QueuePairWork queuePair(int number) {
        return queuePairs.get(number);
    }

    @Nullable LoopbackMemoryRegion memoryRegion(int key) {
        return memoryRegions.get(key);
    }

    void add(LoopbackMemoryRegion region) {
        memoryRegions.put(region.localKey(), region);
    }

    void remove(LoopbackMemoryRegion region) {
        memoryRegions.remove(region.localKey(), region);
    }

    void add(QueuePairWork queuePair) {
        queuePairs.put(queuePair.number(), queuePair);
    }

    void remove(QueuePairWork queuePair) {
        queuePairs.remove(queuePair.number(), queuePair);
    }

    void add(LoopbackSharedReceiveQueue queue) {
        sharedReceiveQueues.add(queue);
    }

    void remove(LoopbackSharedReceiveQueue queue) {
        sharedReceiveQueues.remove(queue);
    }

    /// A number for a new pool of receives that no other had.
    int newReceivePoolNumber() {
        return nextReceivePool.getAndIncrement();
    }

    /// A number for a new queue pair that no other has.
    int newQueuePairNumber() throws VerbsException {
        if (queuePairs.size() >= MAX_QUEUE_PAIRS) {
            throw new VerbsException(
                    "create_qp",
                    ErrorNumber.ENOMEM,
                    "the device has all its " + MAX_QUEUE_PAIRS + " queue pairs");
        }
        while (true) {
            int number = nextQueuePair.getAndIncrement() & QUEUE_PAIR_NUMBER_MASK;
            if (number >= FIRST_QUEUE_PAIR_NUMBER && !queuePairs.containsKey(number)) {
                return number;
            }
        }
    }

    /// Throws if work that has not completed names the region.
    void requireUnused(LoopbackMemoryRegion region) {
        for (QueuePairWork queuePair : queuePairs.values()) {
            requireUnused(queuePair.uses(region), "dereg_mr", region, queuePair);
        }
        for (LoopbackSharedReceiveQueue queue : sharedReceiveQueues) {
            requireUnused(queue.pool().uses(region), "dereg_mr", region, queue);
        }
    }

    /// Throws if datagrams that have not completed name the address handle.
    void requireUnused(LoopbackAddressHandle handle) {
        for (QueuePairWork queuePair : queuePairs.values()) {
            requireUnused(queuePair.uses(handle), "destroy_ah", handle, queuePair);
        }
    }

    private static void requireUnused(boolean isUsed, String verb, Object what, Object where) {
        if (isUsed) {
            throw new IllegalStateException(
                    verb
                            + ": "
                            + what
                            + " is named by work outstanding on "
                            + where
                            + "; await its completions first");
        }
    }

    @Override
    public void close() {
        if (!isOpen.get()) {
            return;
        }
        children.requireNone("the device has open objects");
        if (isOpen.compareAndSet(true, false)) {
            deviceThread.close();
            regions.close();
            hub.close();
        }
    }

    /// Refuses queues that the device cannot make.
    static void requireWithinLimits(QueuePairCapacity asked) throws VerbsException {
        if (asked.maxSends() > MAX_WORK_REQUESTS
                || asked.maxReceives() > MAX_WORK_REQUESTS
                || asked.maxSendScatterGather() > MAX_SCATTER_GATHER
                || asked.maxReceiveScatterGather() > MAX_SCATTER_GATHER
                || asked.maxInlineData() > MAX_INLINE_DATA) {
            throw new VerbsException(
                    "create_qp",
                    ErrorNumber.EINVAL,
                    asked
                            + " exceeds the device's limits: "
                            + MAX_WORK_REQUESTS
                            + " requests, "
                            + MAX_SCATTER_GATHER
                            + " elements, "
                            + MAX_INLINE_DATA
                            + " bytes of inline data");
        }
    }

    private void requireOpen(String verb) {
        if (!isOpen.get()) {
            throw new IllegalStateException(verb + ": the device is closed");
        }
    }

    private static void requirePort(int portNumber) {
        if (portNumber != 1) {
            throw new IllegalArgumentException(
                    "the loopback device has port 1 only, not " + portNumber);
        }
    }

    /// What the hub tells.
    private final class Listener implements HubListener {
        @Override
        public void onWake(int queuePairNumber) {
            QueuePairWork queuePair = queuePairs.get(queuePairNumber);
            if (queuePair != null) {
                queuePair.onWake();
            }
        }

        @Override
        public void onRequest(LinkRequest request) {
            unsharedMemory.serve(request);
        }

        @Override
        public void onPeerGone(GlobalIdentifier peer) {
            for (QueuePairWork queuePair : queuePairs.values()) {
                queuePair.onPeerGone(peer);
            }
            unsharedMemory.forget(peer);
        }
    }
}
