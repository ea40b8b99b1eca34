package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.ContextDescriptor;
import io.rdmanet.ffm.c.DeviceDescriptor;
import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.internal.provider.AccountTable;
import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// An open device of libibverbs.
public final class FfmContext implements Context {
    private final VerbsProvider provider;
    private final long address;
    private final String name;
    private final DeviceOperations operations;
    private final AsyncEvents events;
    private final ChildCount children;
    private final AccountTable<WorkQueueAccount> accounts = new AccountTable<>();
    private final DeviceQuery query;
    private final AtomicInteger nextSharedReceiveQueue = new AtomicInteger(1);

    /// Opens a device by name.
    public static FfmContext open(VerbsProvider provider, String deviceName) throws VerbsException {
        try (DeviceList devices = DeviceList.read()) {
            long address = devices.open(deviceName);
            try {
                return new FfmContext(provider, address);
            } catch (VerbsException | RuntimeException e) {
                Libibverbs.ibv_close_device(address);
                throw e;
            }
        }
    }

    private FfmContext(VerbsProvider provider, long address) throws VerbsException {
        this.provider = provider;
        this.address = address;
        long device = NativeMemory.longAt(address + ContextDescriptor.DEVICE);
        name = NativeMemory.stringAt(device + DeviceDescriptor.NAME);
        children = new ChildCount("device " + name);
        operations = DeviceOperations.of(address);
        query = new DeviceQuery(address, name);
        events = AsyncEvents.of(address);
    }

    @Override
    public VerbsProvider provider() {
        return provider;
    }

    @Override
    public String deviceName() {
        return name;
    }

    /// The `struct ibv_context *`.
    long address() {
        return address;
    }

    DeviceOperations operations() {
        return operations;
    }

    AsyncEvents events() {
        return events;
    }

    AccountTable<WorkQueueAccount> accounts() {
        return accounts;
    }

    ChildCount children() {
        return children;
    }

    // ---- asking the device; each call counts as a child while it lasts, so that none is closed
    // under it

    @Override
    public DeviceAttributes queryDevice() throws VerbsException {
        children.add("query_device");
        try {
            return query.device();
        } finally {
            children.remove();
        }
    }

    /// Throws unless the device has atomics.
    void requireAtomics() throws VerbsException {
        children.add("query_device");
        try {
            query.requireAtomics(provider);
        } finally {
            children.remove();
        }
    }

    @Override
    public PortAttributes queryPort(int portNumber) throws VerbsException {
        children.add("query_port");
        try {
            return query.port(portNumber);
        } finally {
            children.remove();
        }
    }

    @Override
    public List<GidEntry> gidTable(int portNumber) throws VerbsException {
        children.add("query_gid_table");
        try {
            return query.gidTable(portNumber);
        } finally {
            children.remove();
        }
    }

    @Override
    public Map<String, Long> hardwareCounters() throws VerbsException {
        return HardwareCounters.read(Path.of("/"), name);
    }

    @Override
    public @Nullable AsyncEvent pollAsyncEvent() throws VerbsException {
        children.add("get_async_event");
        try {
            return events.poll();
        } finally {
            children.remove();
        }
    }

    // ---- making things

    @Override
    public ProtectionDomain allocateProtectionDomain() throws VerbsException {
        return FfmProtectionDomain.allocate(this);
    }

    @Override
    public CompletionChannel createCompletionChannel() throws VerbsException {
        return FfmCompletionChannel.create(this);
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, @Nullable CompletionChannel channel)
            throws VerbsException {
        if (capacity < 1) {
            throw new IllegalArgumentException(
                    "create_cq: a completion queue has 1 entry or more, not " + capacity);
        }
        if (channel == null) {
            return FfmCompletionQueue.create(this, capacity, null);
        }
        if (channel instanceof FfmCompletionChannel own && own.context() == this) {
            return FfmCompletionQueue.create(this, capacity, own);
        }
        throw new IllegalArgumentException(
                "create_cq: the completion channel belongs to another device");
    }

    /// A number for a new shared receive queue that no other open one has.
    int newSharedReceiveQueueNumber() {
        return nextSharedReceiveQueue.getAndIncrement();
    }

    @Override
    public void close() {
        if (!children.close("objects")) {
            return;
        }
        long result = Libibverbs.ibv_close_device(address);
        if (Result.isFailure(result)) {
            Destroying.require("close_device", Result.errorNumber(result), toString());
        }
    }

    @Override
    public String toString() {
        return "device " + name;
    }
}
