package io.rdmanet.disni;

import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.PortState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What the kernel's files tell of devices, since DiSNI tells nothing: not even a name.
///
/// On RoCE a port's GIDs are the addresses of its network interface, so the device behind a
/// connection is the one that has its local address among its GIDs.
///
/// ```
/// /sys/class/infiniband/rxe0/ports/1/gids/1             0000:...:ffff:0a4d:0001
/// /sys/class/infiniband/rxe0/ports/1/gid_attrs/ndevs/1  eth0
/// ```
final class DeviceFacts {
    /// What a port of RoCE has around its payload, as the kernel's drivers reckon.
    private static final int HEADER_BYTES = 80;

    private static final long MAX_MESSAGE_BYTES = 1L << 30;
    private static final String UNKNOWN = "unknown";

    private final Path root;

    /// @param root the file system's root
    DeviceFacts(Path root) {
        this.root = root;
    }

    /// A port of a device.
    ///
    /// @param gidIndex of the address it was found by, or -1
    record Port(String device, int number, int gidIndex) {}

    /// The names of all devices.
    List<String> names() {
        return entries(root.resolve("sys/class/infiniband")).map(DeviceFacts::name).toList();
    }

    /// The port that has an address; the only device's first port if no file tells; else port 1 of
    /// an unknown device.
    Port find(InetAddress address) {
        String gid = gid(address);
        for (Path device : entries(root.resolve("sys/class/infiniband")).toList()) {
            for (Path port : entries(device.resolve("ports")).toList()) {
                for (Path entry : entries(port.resolve("gids")).toList()) {
                    if (text(entry).equals(gid)) {
                        return new Port(name(device), number(name(port), 1), index(entry));
                    }
                }
            }
        }
        List<String> names = names();
        return new Port(names.size() == 1 ? names.getFirst() : UNKNOWN, 1, -1);
    }

    private static String gid(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length != 4
                ? ""
                : "0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x"
                        .formatted(bytes[0], bytes[1], bytes[2], bytes[3]);
    }

    private static int index(Path entry) {
        return number(name(entry), -1);
    }

    /// How many ports a device has, at least 1.
    int ports(String device) {
        return Math.max(1, (int) entries(device(device).resolve("ports")).count());
    }

    String firmware(String device) {
        return text(device(device).resolve("fw_ver"));
    }

    /// A port's state. Where no file tells, it is UNKNOWN, with the smallest MTU of RoCE.
    PortAttributes port(Port port) {
        Path directory = device(port.device()).resolve("ports").resolve("" + port.number());
        String rate = text(directory.resolve("rate")); // 2.5 Gb/sec (1X SDR)
        return new PortAttributes(
                PortState.of(number(text(directory.resolve("state")).split(":", 2)[0], -1)),
                linkLayer(text(directory.resolve("link_layer"))),
                PathMtu.MTU_4096,
                activeMtu(directory, port.gidIndex()),
                localIdentifier(text(directory.resolve("lid"))),
                (int) entries(directory.resolve("gids")).count(),
                MAX_MESSAGE_BYTES,
                rate.isEmpty() ? 0 : decimal(rate.split(" ", 2)[0]));
    }

    private static LinkLayer linkLayer(String name) {
        return switch (name) {
            case "Ethernet" -> LinkLayer.ETHERNET;
            case "InfiniBand" -> LinkLayer.INFINIBAND;
            default -> LinkLayer.UNSPECIFIED;
        };
    }

    private PathMtu activeMtu(Path port, int gidIndex) {
        String device = text(port.resolve("gid_attrs/ndevs").resolve("" + Math.max(0, gidIndex)));
        int bytes = 0;
        if (!device.isEmpty()) {
            bytes = number(text(root.resolve("sys/class/net").resolve(device).resolve("mtu")), 0);
        }
        PathMtu active = bytes == 0 ? PathMtu.MTU_1024 : PathMtu.MTU_256;
        for (PathMtu mtu : PathMtu.values()) {
            if (mtu.bytes() + HEADER_BYTES <= bytes) {
                active = mtu;
            }
        }
        return active;
    }

    private static int localIdentifier(String hexadecimal) {
        try {
            return hexadecimal.isEmpty() ? 0 : Integer.decode(hexadecimal);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /// What a port counted, by the driver's names.
    Map<String, Long> counters(Port port) {
        Map<String, Long> counters = new TreeMap<>();
        Path directory = device(port.device()).resolve("ports").resolve("" + port.number());
        for (String kind : List.of("counters", "hw_counters")) {
            for (Path file : entries(directory.resolve(kind)).toList()) {
                long count = longNumber(text(file));
                if (count >= 0 && !name(file).equals("lifespan")) {
                    counters.put(name(file), count);
                }
            }
        }
        return counters;
    }

    private Path device(String name) {
        return root.resolve("sys/class/infiniband").resolve(name);
    }

    private static Stream<Path> entries(Path directory) {
        try (Stream<Path> all = Files.list(directory)) {
            return all.sorted().toList().stream();
        } catch (IOException | UncheckedIOException | SecurityException e) {
            return Stream.empty(); // as good as empty
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /// A file's text, or an empty string if it cannot be read.
    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException | UncheckedIOException | SecurityException e) {
            return "";
        }
    }

    private static int number(String text, int otherwise) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    private static long longNumber(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static double decimal(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
