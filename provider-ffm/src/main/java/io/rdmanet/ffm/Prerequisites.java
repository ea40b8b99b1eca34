package io.rdmanet.ffm;

import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What has to be there before anything works, in the order in which it can be looked for; and what
/// to do about the first thing that is not.
final class Prerequisites {
    private static final Set<String> ARCHITECTURES =
            Set.of("amd64", "aarch64", "ppc64le", "riscv64", "loongarch64");

    private static final String WITHOUT_HARDWARE =
            "bin/softroce runs a command where there is one, without hardware and without root";

    private final Machine machine;

    Prerequisites(Machine machine) {
        this.machine = machine;
    }

    static Prerequisites ofThisMachine() {
        return new Prerequisites(new ThisMachine());
    }

    /// Where to look.
    interface Machine {
        /// As `os.name`.
        String operatingSystem();

        /// As `os.arch`.
        String architecture();

        /// The file system's root.
        Path root();

        /// Whether this process may read and write a file.
        boolean mayUse(Path file);

        /// Loads a library.
        ///
        /// @return what it exports; empty if there is no such library
        /// @throws IllegalCallerException if this module may not
        Optional<Predicate<String>> load(String library);

        /// The devices that libibverbs has a driver for.
        List<String> devices() throws VerbsException;

        /// What `--enable-native-access` has to name.
        String module();
    }

    /// The first thing that is missing, and what to do about it; empty if all is there.
    Optional<String> missing() {
        return missingSoftware().or(this::missingDevice);
    }

    /// As [#missing()], of what is there whether or not there is a device.
    Optional<String> missingSoftware() {
        return missingSystem().or(this::missingLibrary);
    }

    private Optional<String> missingSystem() {
        if (!machine.operatingSystem().equals("Linux")) {
            return Optional.of(
                    "it needs Linux, and this is "
                            + machine.operatingSystem()
                            + "; use the provider loopback");
        }
        if (!ARCHITECTURES.contains(machine.architecture())) {
            return Optional.of(
                    "it needs a 64-bit little-endian machine (x86-64, AArch64 and the like), and"
                            + " this is "
                            + machine.architecture()
                            + "; use the provider loopback");
        }
        return Optional.empty();
    }

    /// Without librdmacm everything works but [io.rdmanet.verbs.Capability#CONNECTION_MANAGER].
    private Optional<String> missingLibrary() {
        try {
            Optional<Predicate<String>> exports = machine.load(Libibverbs.LIBRARY_NAME);
            if (exports.isEmpty()) {
                return Optional.of(absent(Libibverbs.LIBRARY_NAME));
            }
            return Libibverbs.FUNCTIONS.stream()
                    .filter(exports.get().negate())
                    .findFirst()
                    .map(function -> tooOld(Libibverbs.LIBRARY_NAME, function));
        } catch (IllegalCallerException e) {
            return Optional.of(
                    "native code is not allowed to it: start java with --enable-native-access="
                            + machine.module());
        }
    }

    private static String absent(String library) {
        return library
                + " is not installed: install rdma-core, libibverbs1, librdmacm1 and"
                + " ibverbs-providers (Debian, Ubuntu) or rdma-core, libibverbs and librdmacm"
                + " (Fedora, RHEL)";
    }

    private static String tooOld(String library, String function) {
        return library
                + " is too old, it has no "
                + function
                + ": install rdma-core 32 or newer (it comes with libibverbs and librdmacm)";
    }

    private Optional<String> missingDevice() {
        List<Path> known = entries("sys/class/infiniband", "");
        if (known.isEmpty()) {
            return Optional.of(
                    "this machine has no RDMA device: load your card's module, or make one of an"
                            + " Ethernet interface (rdma link add rxe0 type rxe netdev eth0); "
                            + WITHOUT_HARDWARE);
        }
        String names = String.join(", ", known.stream().map(Prerequisites::name).toList());
        List<Path> files = entries("dev/infiniband", "uverbs");
        if (files.isEmpty()) {
            return Optional.of(
                    "there is no /dev/infiniband/uverbs* for "
                            + names
                            + ": load the module ib_uverbs (modprobe ib_uverbs), or give the"
                            + " container /dev/infiniband");
        }
        if (files.stream().noneMatch(machine::mayUse)) {
            return Optional.of(
                    "this user may not read and write /dev/infiniband/"
                            + name(files.getFirst())
                            + ": have the administrator allow it (chmod, or membership of the"
                            + " group that owns it)");
        }
        return missingDriver(names);
    }

    private Optional<String> missingDriver(String names) {
        try {
            return machine.devices().isEmpty()
                    ? Optional.of(
                            "libibverbs has no driver for "
                                    + names
                                    + ": install ibverbs-providers (Debian, Ubuntu) or libibverbs"
                                    + " (Fedora, RHEL) of the same version as libibverbs1")
                    : Optional.empty();
        } catch (VerbsException e) {
            return Optional.of("the RDMA devices cannot be listed: " + e.getMessage());
        }
    }

    private List<Path> entries(String directory, String prefix) {
        try (Stream<Path> all = Files.list(machine.root().resolve(directory))) {
            return all.filter(path -> name(path).startsWith(prefix)).sorted().toList();
        } catch (IOException | UncheckedIOException | SecurityException e) {
            return List.of(); // as good as empty
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }
}
