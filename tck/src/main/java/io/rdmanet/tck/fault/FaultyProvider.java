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

/// A provider with the faults of a [FaultPlan]; without an order it behaves like the one it wraps,
/// and passes the same contracts.
public final class FaultyProvider implements VerbsProvider {
    private final VerbsProvider target;
    private final FaultPlan plan;

    /// @param target what does the work
    /// @param plan what goes wrong
    public FaultyProvider(VerbsProvider target, FaultPlan plan) {
        this.target = target;
        this.plan = plan;
    }

    @Override
    public String name() {
        return target.name();
    }

    @Override
    public int priority() {
        return target.priority();
    }

    @Override
    public Optional<String> unusableReason() {
        return target.unusableReason();
    }

    @Override
    public Set<Capability> capabilities() {
        return target.capabilities();
    }

    @Override
    public String alternativeTo(Capability capability) {
        return target.alternativeTo(capability);
    }

    @Override
    public List<DeviceDescription> devices() throws VerbsException {
        return target.devices();
    }

    @Override
    public Context open(String deviceName) throws VerbsException {
        return Tracked.create(
                plan,
                Resource.CONTEXT,
                () -> target.open(deviceName),
                (context, tracked) -> new FaultyContext(this, plan, context, tracked));
    }

    @Override
    public ConnectionManager openConnectionManager() throws VerbsException {
        return Tracked.create(
                plan,
                Resource.CONNECTION_MANAGER,
                target::openConnectionManager,
                (manager, tracked) -> new FaultyConnectionManager(this, plan, manager, tracked));
    }
}
