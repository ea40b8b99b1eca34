package io.rdmanet.internal.engine;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.VerbsProvider;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A provider of devices that exist in one process only, to test the engine against: strict (a
/// frame that meets an empty receive queue fails the connection), and obedient to faults.
record FakeProvider(Set<Capability> capabilities) implements VerbsProvider {
    @Override
    public String name() {
        return "fake";
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
    public List<DeviceDescription> devices() {
        return List.of();
    }

    @Override
    public Context open(String deviceName) {
        return new FakeContext(this);
    }

    @Override
    public ConnectionManager openConnectionManager() {
        throw new UnsupportedOperationException("the fake has no connection manager");
    }
}
