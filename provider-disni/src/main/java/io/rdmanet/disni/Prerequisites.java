package io.rdmanet.disni;

import io.rdmanet.verbs.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What has to be there before anything works, in the order in which it can be looked for; and what
/// to do about the first thing that is not.
final class Prerequisites {
    private static final String LIBRARY = "libdisni.so";

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

        /// As `java.library.path`.
        String libraryPath();

        /// Whether a library is in one of the folders of [#libraryPath()].
        boolean hasLibrary(String name);

        /// Whether DiSNI may see `sun.nio.ch`, in which it looks for the addresses of buffers.
        boolean mayReachBuffers();

        /// Loads libdisni.
        ///
        /// @throws VerbsException if DiSNI does not take it
        /// @throws LinkageError if it cannot be loaded
        void load() throws VerbsException;

        /// The names of the devices that the kernel has.
        List<String> devices();

        /// A file through which programs reach rdma_cm.
        Path connectionManagerFile();

        /// What `--enable-native-access` and `--add-exports` have to name.
        String module();
    }

    /// The first thing that is missing, and what to do about it; empty if all is there.
    Optional<String> missing() {
        return missingSystem()
                .or(this::missingLibrary)
                .or(this::missingOption)
                .or(this::unloadable)
                .or(this::missingDevice);
    }

    private Optional<String> missingSystem() {
        return machine.operatingSystem().equals("Linux")
                ? Optional.empty()
                : Optional.of(
                        "it needs Linux, and this is "
                                + machine.operatingSystem()
                                + "; use the provider loopback");
    }

    private Optional<String> missingLibrary() {
        return machine.hasLibrary(LIBRARY)
                ? Optional.empty()
                : Optional.of(
                        LIBRARY
                                + " is not in java.library.path ("
                                + machine.libraryPath()
                                + "): it is no part of DiSNI's jar; build it from the folder"
                                + " libdisni of https://github.com/zrlio/disni (tag v2.1), and"
                                + " name its folder in LD_LIBRARY_PATH or by"
                                + " -Djava.library.path=FOLDER; or use the provider ffm, which"
                                + " needs no such library");
    }

    private Optional<String> missingOption() {
        return machine.mayReachBuffers()
                ? Optional.empty()
                : Optional.of(
                        "DiSNI needs a package that Java hides: start java with --add-exports"
                                + " java.base/sun.nio.ch="
                                + machine.module()
                                + " (bin/rdmanet-bw does)");
    }

    private Optional<String> unloadable() {
        try {
            machine.load();
            return Optional.empty();
        } catch (VerbsException e) {
            return Optional.of(e.getMessage() + ": it must be libdisni of DiSNI 2.1");
        } catch (IllegalCallerException e) {
            return Optional.of(notAllowed());
        } catch (ExceptionInInitializerError e) {
            return Optional.of(
                    e.getCause() instanceof IllegalCallerException
                            ? notAllowed()
                            : LIBRARY + " cannot be loaded: " + e.getCause());
        } catch (LinkageError e) {
            return Optional.of(
                    LIBRARY
                            + " cannot be loaded: "
                            + e.getMessage()
                            + "; it must be of this machine's architecture, and needs libibverbs"
                            + " and librdmacm (packages libibverbs1 and librdmacm1)");
        }
    }

    private String notAllowed() {
        return "native code is not allowed to it: start java with --enable-native-access="
                + machine.module();
    }

    private Optional<String> missingDevice() {
        List<String> devices = machine.devices();
        if (devices.isEmpty()) {
            return Optional.of(
                    "this machine has no RDMA device: load your card's module, or make one of an"
                            + " Ethernet interface (rdma link add rxe0 type rxe netdev eth0); "
                            + WITHOUT_HARDWARE);
        }
        Path file = machine.connectionManagerFile();
        if (!Files.exists(file)) {
            return Optional.of(
                    "there is no "
                            + file
                            + ": load the module rdma_ucm (modprobe rdma_ucm), or give the"
                            + " container /dev/infiniband");
        }
        if (!Files.isReadable(file) || !Files.isWritable(file)) {
            return Optional.of(
                    "this user may not read and write "
                            + file
                            + ": have the administrator allow it (chmod, or membership of the"
                            + " group that owns it)");
        }
        return Optional.empty();
    }
}
