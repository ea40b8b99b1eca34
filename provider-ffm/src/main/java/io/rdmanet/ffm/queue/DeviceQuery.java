package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.DeviceAttributesDescriptor;
import io.rdmanet.ffm.c.GidEntryDescriptor;
import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.PortAttributesDescriptor;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.lang.foreign.Arena;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What a device says of itself and its ports.
final class DeviceQuery {
    private static final int MAX_PORT = 255;

    private final long context;
    private final String name;

    /// Found out once: libibverbs has no name for it.
    private volatile int maxInlineData = -1;

    DeviceQuery(long context, String name) {
        this.context = context;
        this.name = name;
    }

    DeviceAttributes device() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long device = arena.allocate(DeviceAttributesDescriptor.SIZE, Long.BYTES).address();
            query(device);
            long regionBytes =
                    NativeMemory.longAt(
                            device + DeviceAttributesDescriptor.MAX_MEMORY_REGION_BYTES);
            return new DeviceAttributes(
                    NativeMemory.intAt(device + DeviceAttributesDescriptor.VENDOR_ID),
                    NativeMemory.stringAt(device + DeviceAttributesDescriptor.FIRMWARE),
                    NativeMemory.intAt(device + DeviceAttributesDescriptor.MAX_QUEUE_PAIRS),
                    NativeMemory.intAt(device + DeviceAttributesDescriptor.MAX_WORK_REQUESTS),
                    NativeMemory.intAt(device + DeviceAttributesDescriptor.MAX_SCATTER_GATHER),
                    NativeMemory.intAt(device + DeviceAttributesDescriptor.MAX_COMPLETION_QUEUES),
                    NativeMemory.intAt(
                            device + DeviceAttributesDescriptor.MAX_COMPLETION_QUEUE_ENTRIES),
                    NativeMemory.intAt(device + DeviceAttributesDescriptor.MAX_MEMORY_REGIONS),
                    regionBytes < 0 ? Long.MAX_VALUE : regionBytes, // an unsigned number
                    maxInlineData(),
                    NativeMemory.intAt(device + DeviceAttributesDescriptor.MAX_READ_ATOMIC),
                    portCount(device));
        }
    }

    /// Throws unless the device has atomics, which not every one has.
    void requireAtomics(VerbsProvider provider) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long device = arena.allocate(DeviceAttributesDescriptor.SIZE, Long.BYTES).address();
            query(device);
            requireAtomics(device, name, provider);
        }
    }

    /// Throws unless a device that describes itself so has atomics.
    static void requireAtomics(long attributes, String name, VerbsProvider provider)
            throws UnsupportedCapabilityException {
        int atomics = NativeMemory.intAt(attributes + DeviceAttributesDescriptor.ATOMIC_CAPABILITY);
        if (atomics == DeviceAttributesDescriptor.NO_ATOMICS) {
            throw new UnsupportedCapabilityException(
                    provider.name(), Capability.ATOMICS, "the device " + name + " has none");
        }
    }

    private void query(long device) throws VerbsException {
        int errno = Libibverbs.ibv_query_device(context, device);
        if (errno != 0) {
            throw new VerbsException("query_device", errno, "device " + name);
        }
    }

    private static int portCount(long device) {
        return NativeMemory.unsignedByteAt(device + DeviceAttributesDescriptor.PHYSICAL_PORTS);
    }

    private int maxInlineData() {
        if (maxInlineData < 0) {
            maxInlineData = InlineDataProbe.find(context);
        }
        return maxInlineData;
    }

    PortAttributes port(int portNumber) throws VerbsException {
        if (portNumber < 1 || portNumber > MAX_PORT) {
            throw new IllegalArgumentException(
                    "query_port: ports are numbered from 1, not " + portNumber);
        }
        try (Arena arena = Arena.ofConfined()) {
            long port = arena.allocate(PortAttributesDescriptor.SIZE, Long.BYTES).address();
            int errno = Libibverbs.ibv_query_port(context, portNumber, port);
            if (errno != 0) {
                throw new VerbsException(
                        "query_port", errno, "port " + portNumber + " of device " + name);
            }
            return new PortAttributes(
                    PortState.of(NativeMemory.intAt(port + PortAttributesDescriptor.STATE)),
                    linkLayer(
                            NativeMemory.unsignedByteAt(
                                    port + PortAttributesDescriptor.LINK_LAYER)),
                    mtu(NativeMemory.intAt(port + PortAttributesDescriptor.MAX_MTU)),
                    mtu(NativeMemory.intAt(port + PortAttributesDescriptor.ACTIVE_MTU)),
                    NativeMemory.unsignedShortAt(port + PortAttributesDescriptor.LOCAL_IDENTIFIER),
                    NativeMemory.intAt(port + PortAttributesDescriptor.GID_TABLE_LENGTH),
                    Integer.toUnsignedLong(
                            NativeMemory.intAt(port + PortAttributesDescriptor.MAX_MESSAGE_BYTES)),
                    LinkRate.gigabitsPerSecond(
                            NativeMemory.unsignedByteAt(
                                    port + PortAttributesDescriptor.ACTIVE_WIDTH),
                            NativeMemory.unsignedByteAt(
                                    port + PortAttributesDescriptor.ACTIVE_SPEED)));
        }
    }

    private static LinkLayer linkLayer(int code) {
        return switch (code) {
            case PortAttributesDescriptor.INFINIBAND -> LinkLayer.INFINIBAND;
            case PortAttributesDescriptor.ETHERNET -> LinkLayer.ETHERNET;
            default -> LinkLayer.UNSPECIFIED;
        };
    }

    /// A port that is down may have none.
    private static PathMtu mtu(int code) {
        return PathMtu.ofCode(Math.clamp(code, PathMtu.MTU_256.code(), PathMtu.MTU_4096.code()));
    }

    List<GidEntry> gidTable(int portNumber) throws VerbsException {
        port(portNumber); // says what is wrong with the number
        int capacity = gidCount();
        List<GidEntry> table = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            long entries =
                    arena.allocate(
                                    (long) Math.max(1, capacity) * GidEntryDescriptor.SIZE,
                                    Long.BYTES)
                            .address();
            long count = Libibverbs.ibv_query_gid_table(context, entries, capacity);
            if (Result.isFailure(count)) {
                throw new VerbsException(
                        "query_gid_table", Result.errorNumber(count), "device " + name);
            }
            for (long i = 0; i < count; i++) {
                long entry = entries + i * GidEntryDescriptor.SIZE;
                if (NativeMemory.intAt(entry + GidEntryDescriptor.PORT_NUMBER) == portNumber) {
                    table.add(gidEntry(entry));
                }
            }
        }
        table.removeIf(entry -> entry.gid().isZero());
        table.sort(Comparator.comparingInt(GidEntry::index));
        return List.copyOf(table);
    }

    /// Entries of all ports' tables: that is how many the library may want to write.
    private int gidCount() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long device = arena.allocate(DeviceAttributesDescriptor.SIZE, Long.BYTES).address();
            query(device);
            int count = 0;
            for (int i = 1; i <= portCount(device); i++) {
                count += port(i).gidTableLength();
            }
            return count;
        }
    }

    private static GidEntry gidEntry(long entry) {
        return new GidEntry(
                NativeMemory.intAt(entry + GidEntryDescriptor.INDEX),
                GlobalIdentifier.of(
                        NativeMemory.bytesAt(
                                entry + GidEntryDescriptor.GID, GlobalIdentifier.LENGTH)),
                switch (NativeMemory.intAt(entry + GidEntryDescriptor.TYPE)) {
                    case GidEntryDescriptor.ROCE_V1 -> GidType.ROCE_V1;
                    case GidEntryDescriptor.ROCE_V2 -> GidType.ROCE_V2;
                    default -> GidType.INFINIBAND;
                },
                interfaceName(NativeMemory.intAt(entry + GidEntryDescriptor.INTERFACE_INDEX)));
    }

    private static String interfaceName(int index) {
        if (index <= 0) {
            return "";
        }
        try {
            NetworkInterface found = NetworkInterface.getByIndex(index);
            return found == null ? "" : found.getName();
        } catch (SocketException e) {
            return ""; // it has gone, or is in another network namespace
        }
    }
}
