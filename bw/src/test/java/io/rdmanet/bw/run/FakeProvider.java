package io.rdmanet.bw.run;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A provider that has devices, or reasons, but does nothing.
public record FakeProvider(
        String name, Optional<String> unusableReason, List<DeviceDescription> devices)
        implements VerbsProvider {
    public static FakeProvider usable(String name) {
        return new FakeProvider(
                name, Optional.empty(), List.of(new DeviceDescription(name + "0", "fake")));
    }

    public static FakeProvider unusable(String name, String reason) {
        return new FakeProvider(name, Optional.of(reason), List.of());
    }

    public static FakeProvider withoutDevice(String name) {
        return new FakeProvider(name, Optional.empty(), List.of());
    }

    @Override
    public int priority() {
        return 1;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.DEVICE_LIST);
    }

    @Override
    public Context open(String deviceName) throws VerbsException {
        throw new VerbsException("opening a device", "a fake has none");
    }

    @Override
    public ConnectionManager openConnectionManager() throws VerbsException {
        throw new VerbsException("opening a connection manager", "a fake has none");
    }
}
