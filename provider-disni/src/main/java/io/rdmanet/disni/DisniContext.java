package io.rdmanet.disni;

import com.ibm.disni.verbs.IbvContext;
import io.rdmanet.internal.provider.AccountTable;
import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The device behind a connection of DiSNI's. librdmacm opened it, once for the process, and keeps
/// it open; DiSNI can ask it nothing, so what is told here are the kernel's files and DiSNI's own
/// limits.
final class DisniContext implements Context {
    /// What libdisni gives every queue pair.
    static final int MAX_SCATTER_GATHER = 4;

    /// What every card of the last years takes; DiSNI cannot ask for more than it knows of.
    static final int MAX_INLINE_DATA = 64;

    /// DiSNI does not tell; it grants each connection what the device can.
    private static final int MAX_READ_ATOMIC = 1;

    private final VerbsProvider provider;
    private final Disni disni;
    private final IbvContext device;
    private final DeviceFacts facts;
    private final DeviceFacts.Port port;
    private final AccountTable<WorkAccount> accounts = new AccountTable<>();
    private final ChildCount children;

    /// @param port which the connection goes through
    DisniContext(
            VerbsProvider provider,
            Disni disni,
            IbvContext device,
            DeviceFacts facts,
            DeviceFacts.Port port) {
        this.provider = provider;
        this.disni = disni;
        this.device = device;
        this.facts = facts;
        this.port = port;
        children = new ChildCount("device " + port.device());
    }

    @Override
    public VerbsProvider provider() {
        return provider;
    }

    Disni disni() {
        return disni;
    }

    IbvContext device() {
        return device;
    }

    AccountTable<WorkAccount> accounts() {
        return accounts;
    }

    ChildCount children() {
        return children;
    }

    @Override
    public String deviceName() {
        return port.device();
    }

    /// Limits of the device that DiSNI does not tell are as if there were none: exceeding them is
    /// refused by the call that does.
    @Override
    public DeviceAttributes queryDevice() {
        requireOpen("query_device");
        return new DeviceAttributes(
                0,
                facts.firmware(port.device()),
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                MAX_SCATTER_GATHER,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                MAX_INLINE_DATA,
                MAX_READ_ATOMIC,
                facts.ports(port.device()));
    }

    @Override
    public PortAttributes queryPort(int portNumber) {
        requireOpen("query_port");
        int ports = facts.ports(port.device());
        if (portNumber < 1 || portNumber > ports) {
            throw new IllegalArgumentException(
                    "query_port: "
                            + port.device()
                            + " has the ports 1 to "
                            + ports
                            + ", not "
                            + portNumber);
        }
        return facts.port(
                portNumber == port.number()
                        ? port
                        : new DeviceFacts.Port(port.device(), portNumber, -1));
    }

    private void requireOpen(String verb) {
        if (children.isClosed()) {
            throw new IllegalStateException(verb + ": " + this + " is closed");
        }
    }

    @Override
    public List<GidEntry> gidTable(int portNumber) throws UnsupportedCapabilityException {
        provider.require(Capability.GID_CHOICE);
        return List.of();
    }

    @Override
    public Map<String, Long> hardwareCounters() {
        return facts.counters(port);
    }

    @Override
    public @Nullable AsyncEvent pollAsyncEvent() throws UnsupportedCapabilityException {
        provider.require(Capability.ASYNC_EVENTS);
        return null;
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws VerbsException {
        return DisniProtectionDomain.allocate(this);
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return DisniCompletionChannel.create(this);
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, @Nullable CompletionChannel channel)
            throws VerbsException {
        if (capacity < 1) {
            throw new IllegalArgumentException(
                    "create_cq: a completion queue has 1 entry or more, not " + capacity);
        }
        if (channel == null) {
            return DisniCompletionQueue.create(this, capacity, null);
        }
        if (channel instanceof DisniCompletionChannel own && own.context() == this) {
            return DisniCompletionQueue.create(this, capacity, own);
        }
        throw new IllegalArgumentException(
                "create_cq: the completion channel belongs to another device");
    }

    /// The connection manager does this; the device itself stays librdmacm's.
    @Override
    public void close() {
        boolean ignored = children.close("objects");
    }

    @Override
    public String toString() {
        return "device " + port.device();
    }
}
