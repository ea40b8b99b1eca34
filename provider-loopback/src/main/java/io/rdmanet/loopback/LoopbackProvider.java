package io.rdmanet.loopback;

import io.rdmanet.loopback.connection.LoopbackConnectionManager;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A soft RDMA device, between processes of one user on one machine and inside one process. It is
/// usable everywhere and chosen last.
public final class LoopbackProvider implements VerbsProvider {
    /// The one device's name.
    static final String DEVICE = "loopback0";

    private static final Set<Capability> CAPABILITIES =
            Collections.unmodifiableSet(
                    EnumSet.complementOf(EnumSet.of(Capability.UNRELIABLE_CONNECTION)));

    @Override
    public String name() {
        return "loopback";
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public Optional<String> unusableReason() {
        return Optional.empty();
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public String alternativeTo(Capability capability) {
        return "use reliable connections, or datagrams";
    }

    @Override
    public List<DeviceDescription> devices() {
        return List.of(new DeviceDescription(DEVICE, "soft device over shared memory"));
    }

    @Override
    public Context open(String deviceName) throws VerbsException {
        if (!deviceName.equals(DEVICE)) {
            throw new VerbsException(
                    "open_device",
                    ErrorNumber.ENODEV,
                    "provider loopback has no device " + deviceName + ", only " + DEVICE);
        }
        return LoopbackContext.open(this);
    }

    @Override
    public ConnectionManager openConnectionManager() throws VerbsException {
        LoopbackContext context = LoopbackContext.open(this);
        return new LoopbackConnectionManager(this, context, context.hub());
    }
}
