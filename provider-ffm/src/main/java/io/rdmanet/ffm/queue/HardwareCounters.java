package io.rdmanet.ffm.queue;

import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// What a device counts, from the kernel's files: those of the device, and the sums of those of its
/// ports.
///
/// ```
/// /sys/class/infiniband/rxe0/hw_counters/*
/// /sys/class/infiniband/rxe0/ports/1/counters/*
/// /sys/class/infiniband/rxe0/ports/1/hw_counters/*
/// ```
final class HardwareCounters {
    /// Not a count, but how long the kernel keeps one before it asks the device again.
    private static final String LIFESPAN = "lifespan";

    private HardwareCounters() {}

    /// Reads them all.
    ///
    /// @param root `/`
    static Map<String, Long> read(Path root, String device) throws VerbsException {
        Path directory = root.resolve("sys/class/infiniband").resolve(device);
        Map<String, Long> counters = new TreeMap<>();
        try {
            add(directory.resolve("hw_counters"), counters);
            Path ports = directory.resolve("ports");
            if (Files.isDirectory(ports)) {
                try (DirectoryStream<Path> each = Files.newDirectoryStream(ports)) {
                    for (Path port : each) {
                        add(port.resolve("counters"), counters);
                        add(port.resolve("hw_counters"), counters);
                    }
                }
            }
        } catch (IOException e) {
            throw new VerbsException("reading counters", "those of device " + device, e);
        }
        return counters;
    }

    private static void add(Path directory, Map<String, Long> counters) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                addCounter(file, counters);
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            // A device need not count anything.
        }
    }

    private static void addCounter(Path file, Map<String, Long> counters) {
        Path name = file.getFileName();
        if (name == null || name.toString().equals(LIFESPAN)) {
            return;
        }
        try {
            long count = Long.parseLong(Files.readString(file).strip());
            if (count >= 0) {
                counters.merge(name.toString(), count, Long::sum);
            }
        } catch (IOException | NumberFormatException e) {
            // Listed, but not supported by this port: reading such a file is an error (EINVAL).
        }
    }
}
