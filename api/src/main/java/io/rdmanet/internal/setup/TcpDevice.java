package io.rdmanet.internal.setup;

import io.rdmanet.EndpointOptions;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.net.InetAddress;
import java.util.List;

/// The device that connections by the TCP exchange run on: chosen and checked before anybody is
/// dialled or listened for, so that a wrong name, port or GID is known at once. A listener shares
/// it with the connections it accepted. Safe for use by any thread.
final class TcpDevice {
    /// RDMA READs and atomics in flight each way, if the device can do as many. More helps only on
    /// long wires.
    static final int MAX_READ_ATOMIC = 16;

    /// To be followed by the device's name.
    static final String DEVICE_LOST = "the device at this end failed or was removed: ";

    private final ProviderSelection selection;
    private final EndpointOptions options;
    private final SharedResource<Context> context;
    private final DeviceWatch watch;

    private TcpDevice(
            ProviderSelection selection, EndpointOptions options, SharedResource<Context> context) {
        this.selection = selection;
        this.options = options;
        this.context = context;
        watch = DeviceWatch.of(context.value());
    }

    /// Opens the device that the options name; else the one that owns this end's address of the
    /// exchange, since where that goes the peer's device can be reached; else the first.
    ///
    /// @param local this end's address, maybe a wildcard
    /// @throws VerbsException if there is no such device, port or GID, or the port is down
    /// @throws io.rdmanet.verbs.UnsupportedCapabilityException if the provider cannot connect queue
    ///   pairs by numbers, or cannot choose what was asked for
    static TcpDevice open(ProviderSelection selection, EndpointOptions options, InetAddress local)
            throws VerbsException {
        VerbsProvider provider = selection.provider();
        provider.require(Capability.QUEUE_PAIR_MODIFY);
        if (!options.device().isEmpty()) {
            provider.require(Capability.DEVICE_CHOICE);
        }
        if (options.gidIndex() != EndpointOptions.AUTOMATIC) {
            provider.require(Capability.GID_CHOICE);
        }
        if (!options.device().isEmpty()) {
            DeviceChoice.require(selection, options.device());
        }
        Context context = provider.open(deviceName(provider, options, local));
        try {
            TcpDevice device =
                    new TcpDevice(
                            selection, options, new SharedResource<>(context, context::close));
            device.checkPort();
            device.chooseGid();
            return device;
        } catch (VerbsException | RuntimeException failure) {
            context.close();
            throw failure;
        }
    }

    private static String deviceName(
            VerbsProvider provider, EndpointOptions options, InetAddress local)
            throws VerbsException {
        if (!options.device().isEmpty()) {
            return options.device();
        }
        List<DeviceDescription> devices = provider.devices();
        if (devices.isEmpty()) {
            throw new VerbsException(
                    "opening a device", "provider " + provider.name() + " has no device");
        }
        if (devices.size() > 1 && provider.capabilities().contains(Capability.GID_CHOICE)) {
            for (DeviceDescription device : devices) {
                if (owns(provider, device.name(), options.portNumber(), local)) {
                    return device.name();
                }
            }
        }
        return devices.getFirst().name();
    }

    private static boolean owns(
            VerbsProvider provider, String name, int portNumber, InetAddress address) {
        try (Context context = provider.open(name)) {
            for (GidEntry entry : context.gidTable(portNumber)) {
                if (entry.gid().toAddress().equals(address)) {
                    return true;
                }
            }
        } catch (VerbsException notThisOne) {
            // It may have fewer ports, or be gone; another one may do.
        }
        return false;
    }

    private void checkPort() throws VerbsException {
        int ports = context().queryDevice().physicalPorts();
        if (options.portNumber() > ports) {
            throw new VerbsException(
                    "query_port",
                    "there is no " + describePort() + "; the device has " + ports + " port(s)");
        }
        PortState state = context().queryPort(options.portNumber()).state();
        if (state != PortState.ACTIVE && state != PortState.ACTIVE_DEFER) {
            throw new VerbsException(
                    "query_port",
                    describePort()
                            + " is "
                            + state
                            + ", not ACTIVE: bring its network interface up, check the cable");
        }
    }

    private GidEntry chooseGid() throws VerbsException {
        return GidChoice.choose(
                context().gidTable(options.portNumber()), options.gidIndex(), describePort());
    }

    ProviderSelection selection() {
        return selection;
    }

    EndpointOptions options() {
        return options;
    }

    Context context() {
        return context.value();
    }

    /// Whether the device has failed or was removed.
    boolean isLost() {
        return watch.isLost(context());
    }

    String howLost() {
        return DEVICE_LOST + context().deviceName();
    }

    /// Takes part in holding it.
    TcpDevice retain() {
        context.retain();
        return this;
    }

    /// Lets go; the last one closes the device.
    void release() {
        context.release();
    }

    /// This end's half of the exchange. The GID is chosen anew, since tables change while a
    /// listener lives.
    QueuePairEnd end(QueuePair queuePair, int packetSequence) throws VerbsException {
        PortAttributes port = context().queryPort(options.portNumber());
        GidEntry gid = chooseGid();
        return new QueuePairEnd(
                queuePair.number(),
                packetSequence,
                gid.gid(),
                gid.index(),
                gid.type(),
                port.localIdentifier(),
                options.portNumber(),
                port.activeMtu(),
                port.linkLayer(),
                Math.clamp(context().queryDevice().maxReadAtomic(), 0, MAX_READ_ATOMIC));
    }

    private String describePort() {
        return "port " + options.portNumber() + " of " + context().deviceName();
    }
}
