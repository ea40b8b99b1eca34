package io.rdmanet.bw.perftest;

import io.rdmanet.EndpointOptions;
import io.rdmanet.RawVerb;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.List;

/// The device that runs against a C tool use: the one named, else the first, as with the C tools.
/// The caller closes it.
///
/// @param selection the provider, and why
/// @param context the device
/// @param attributes the device's limits
/// @param port the port's state
/// @param portNumber the port
/// @param gid the GID to announce
record PerftestDevice(
        ProviderSelection selection,
        Context context,
        DeviceAttributes attributes,
        PortAttributes port,
        int portNumber,
        GidEntry gid)
        implements AutoCloseable {
    /// Opens and checks the device, before anybody is connected.
    static PerftestDevice open(PerftestPlan plan) throws VerbsException {
        EndpointOptions endpoint = plan.endpoint();
        ProviderSelection selection =
                ProviderSelection.choose(ProviderSelection.installed(), endpoint.provider());
        VerbsProvider provider = selection.provider();
        provider.require(Capability.QUEUE_PAIR_MODIFY);
        if (plan.verb() != RawVerb.SEND) {
            provider.require(Capability.ONE_SIDED);
        }
        Context context = provider.open(deviceName(provider, endpoint.device()));
        try {
            DeviceAttributes attributes = context.queryDevice();
            int number = endpoint.portNumber();
            String words = "port " + number + " of " + context.deviceName();
            if (number > attributes.physicalPorts()) {
                throw new VerbsException(
                        "query_port",
                        "there is no "
                                + words
                                + "; the device has "
                                + attributes.physicalPorts()
                                + " port(s)");
            }
            PortAttributes port = context.queryPort(number);
            if (port.state() != PortState.ACTIVE && port.state() != PortState.ACTIVE_DEFER) {
                throw new VerbsException(
                        "query_port",
                        words
                                + " is "
                                + port.state()
                                + ", not ACTIVE: bring its network interface up, check the cable");
            }
            GidEntry gid = GidOfPort.choose(context.gidTable(number), endpoint.gidIndex(), words);
            return new PerftestDevice(selection, context, attributes, port, number, gid);
        } catch (VerbsException | RuntimeException failure) {
            context.close();
            throw failure;
        }
    }

    private static String deviceName(VerbsProvider provider, String wanted) throws VerbsException {
        if (!wanted.isEmpty()) {
            provider.require(Capability.DEVICE_CHOICE);
            return wanted;
        }
        List<DeviceDescription> devices = provider.devices();
        if (devices.isEmpty()) {
            throw new VerbsException(
                    "opening a device", "provider " + provider.name() + " has no device");
        }
        return devices.getFirst().name();
    }

    @Override
    public void close() {
        context.close();
    }
}
