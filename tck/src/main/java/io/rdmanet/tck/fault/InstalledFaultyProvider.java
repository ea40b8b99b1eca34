package io.rdmanet.tck.fault;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What the ServiceLoader finds under the name `faulty`: the provider of the [FaultInjection] that
/// is installed, if one is.
public final class InstalledFaultyProvider implements VerbsProvider {
    /// For the ServiceLoader.
    public InstalledFaultyProvider() {}

    @Override
    public String name() {
        return FaultInjection.PROVIDER_NAME;
    }

    /// Never chosen unless asked for.
    @Override
    public int priority() {
        return Integer.MIN_VALUE;
    }

    @Override
    public Optional<String> unusableReason() {
        VerbsProvider installed = FaultInjection.installed();
        return installed == null
                ? Optional.of("no test has installed a faulty provider")
                : installed.unusableReason();
    }

    @Override
    public Set<Capability> capabilities() {
        VerbsProvider installed = FaultInjection.installed();
        return installed == null ? Set.of() : installed.capabilities();
    }

    @Override
    public List<DeviceDescription> devices() throws VerbsException {
        VerbsProvider installed = FaultInjection.installed();
        return installed == null ? List.of() : installed.devices();
    }

    @Override
    public Context open(String deviceName) throws VerbsException {
        return required().open(deviceName);
    }

    @Override
    public ConnectionManager openConnectionManager() throws VerbsException {
        return required().openConnectionManager();
    }

    private static VerbsProvider required() throws VerbsException {
        VerbsProvider installed = FaultInjection.installed();
        if (installed == null) {
            throw new VerbsException(
                    "using provider " + FaultInjection.PROVIDER_NAME,
                    "no test has installed a faulty provider");
        }
        return installed;
    }
}
