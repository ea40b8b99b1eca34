package io.rdmanet.ffm;

import io.rdmanet.verbs.DeviceDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// What the kernel tells of RDMA devices without their being opened.
final class SystemDevices {
    private final Path devices;

    /// @param root the file system's root
    SystemDevices(Path root) {
        devices = root.resolve("sys/class/infiniband");
    }

    /// Describes devices; those with a port that carries traffic come first.
    List<DeviceDescription> describe(List<String> names) {
        return names.stream()
                .sorted(Comparator.comparing(name -> !isActive(name))) // keeps the order otherwise
                .map(name -> new DeviceDescription(name, description(name)))
                .toList();
    }

    /// The adapter's type and the description that the administrator can give it.
    private String description(String name) {
        Path device = devices.resolve(name);
        String type = text(device.resolve("hca_type"));
        String description = text(device.resolve("node_desc"));
        return type.isEmpty() || description.isEmpty()
                ? type + description
                : type + ", " + description;
    }

    private boolean isActive(String name) {
        try (Stream<Path> ports = Files.list(devices.resolve(name).resolve("ports"))) {
            return ports.anyMatch(port -> text(port.resolve("state")).endsWith("ACTIVE"));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /// A file's text, or an empty string if it cannot be read.
    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }
}
