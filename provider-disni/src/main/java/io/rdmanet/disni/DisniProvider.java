package io.rdmanet.disni;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Real RDMA devices, through IBM's DiSNI 2.1 and its native library libdisni.
public final class DisniProvider implements VerbsProvider {
    /// What DiSNI has a way to ask for; what is not here is refused by name.
    private static final Set<Capability> CAPABILITIES =
            Collections.unmodifiableSet(
                    EnumSet.of(
                            Capability.CONNECTION_MANAGER,
                            Capability.COMPLETION_CHANNEL,
                            Capability.IMMEDIATE_DATA,
                            Capability.INLINE_DATA,
                            Capability.ONE_SIDED));

    private final Prerequisites prerequisites = Prerequisites.ofThisMachine();

    @Override
    public String name() {
        return "disni";
    }

    @Override
    public int priority() {
        return 50;
    }

    @Override
    public Optional<String> unusableReason() {
        return prerequisites.missing();
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public String alternativeTo(Capability capability) {
        return switch (capability) {
            case QUEUE_PAIR_MODIFY ->
                    "connect through rdma_cm (without --handshake), or use the provider ffm";
            case DEVICE_CHOICE, GID_CHOICE ->
                    "the address decides which device and GID are used; or use the provider ffm";
            case DEVICE_LIST -> "`rdma link` lists the devices; or use the provider ffm";
            case MTU_CHOICE ->
                    "rdma_cm takes the MTU of the network interface; or use the provider ffm";
            case IPV6 -> "use an IPv4 address, or the provider ffm";
            case LARGE_REGIONS -> "use several smaller regions, or the provider ffm";
            default -> "use the provider ffm";
        };
    }

    @Override
    public List<DeviceDescription> devices() {
        return List.of();
    }

    @Override
    public Context open(String deviceName) throws VerbsException {
        require(Capability.DEVICE_CHOICE);
        throw new AssertionError("the provider has no such capability");
    }

    @Override
    public ConnectionManager openConnectionManager() throws VerbsException {
        Optional<String> reason = unusableReason();
        if (reason.isPresent()) {
            throw new VerbsException("rdma_create_event_channel", reason.get());
        }
        return new DisniConnectionManager(this, Disni.open(), new DeviceFacts(Path.of("/")));
    }
}
