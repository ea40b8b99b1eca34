package io.rdmanet.ffm;

import io.rdmanet.ffm.connection.ConnectionManagerDevice;
import io.rdmanet.ffm.connection.FfmConnectionManager;
import io.rdmanet.ffm.queue.DeviceList;
import io.rdmanet.ffm.queue.FfmContext;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Real RDMA devices, through libibverbs and librdmacm.
public final class FfmProvider implements VerbsProvider {
    private final Prerequisites prerequisites = Prerequisites.ofThisMachine();

    @Override
    public String name() {
        return "ffm";
    }

    @Override
    public int priority() {
        return 100;
    }

    @Override
    public Optional<String> unusableReason() {
        return prerequisites.missing();
    }

    /// What it can express. A device that lacks atomics refuses when they are prepared.
    @Override
    public Set<Capability> capabilities() {
        EnumSet<Capability> capabilities = EnumSet.allOf(Capability.class);
        if (connectionManagerAbsence().isPresent()) {
            capabilities.remove(Capability.CONNECTION_MANAGER);
        }
        return capabilities;
    }

    @Override
    public String alternativeTo(Capability capability) {
        return capability == Capability.CONNECTION_MANAGER
                ? connectionManagerAbsence()
                        .map(reason -> "the TCP exchange (--handshake); or mend this: " + reason)
                        .orElse("")
                : "";
    }

    /// Not asked for where native code cannot be called at all.
    private Optional<String> connectionManagerAbsence() {
        return prerequisites.missingSoftware().isPresent()
                ? Optional.empty()
                : ConnectionManagerDevice.absence();
    }

    @Override
    public List<DeviceDescription> devices() throws VerbsException {
        requireUsable("get_device_list");
        try (DeviceList list = DeviceList.read()) {
            return new SystemDevices(Path.of("/")).describe(list.names());
        }
    }

    @Override
    public Context open(String deviceName) throws VerbsException {
        requireUsable("open_device " + deviceName);
        return FfmContext.open(this, deviceName);
    }

    @Override
    public ConnectionManager openConnectionManager() throws VerbsException {
        requireUsable("rdma_create_event_channel");
        require(Capability.CONNECTION_MANAGER);
        return FfmConnectionManager.open(this);
    }

    private void requireUsable(String verb) throws VerbsException {
        Optional<String> reason = unusableReason();
        if (reason.isPresent()) {
            throw new VerbsException(verb, reason.get());
        }
    }
}
