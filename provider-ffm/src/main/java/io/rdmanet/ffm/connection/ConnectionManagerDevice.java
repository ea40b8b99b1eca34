package io.rdmanet.ffm.connection;

import io.rdmanet.ffm.c.Librdmacm;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The kernel's side of rdma_cm, `/dev/infiniband/rdma_cm`: whether it can be used.
public final class ConnectionManagerDevice {
    private static final Path DEVICE = Path.of("/dev/infiniband/rdma_cm");
    private static final String VERB = "rdma_create_event_channel";
    private static final String OTHERWISE = "without it, connect by the TCP exchange (--handshake)";

    private ConnectionManagerDevice() {}

    /// Empty if connections can be made through rdma_cm; else why not, and what to do.
    public static Optional<String> absence() {
        Optional<String> library = Librdmacm.absence();
        if (library.isPresent()) {
            return library;
        }
        // Opening a channel has the kernel load the module if it may.
        return isAccessible() || (LoadedByUse.IS_LOADED && isAccessible())
                ? Optional.empty()
                : Optional.of(deviceAbsence());
    }

    private static boolean isAccessible() {
        return Files.isReadable(DEVICE) && Files.isWritable(DEVICE);
    }

    private static String deviceAbsence() {
        return Files.exists(DEVICE)
                ? "no permission for "
                        + DEVICE
                        + ": run as root, or let your group read and write it"
                        + " (udev: KERNEL==\"rdma_cm\", MODE=\"0666\")"
                : DEVICE + " is missing: load the module (modprobe rdma_ucm)";
    }

    /// Why an event channel could not be opened.
    static VerbsException unusable(int errno) {
        if (errno == ErrorNumber.EMFILE) {
            return new VerbsException(VERB, errno, "raise the limit of open files (ulimit -n)");
        }
        if (errno == ErrorNumber.ENODEV) {
            return new VerbsException(
                    VERB, errno, "this machine has no RDMA device (`rdma link` shows them)");
        }
        return new VerbsException(
                VERB,
                errno,
                (isAccessible() ? "opening " + DEVICE : deviceAbsence()) + "; " + OTHERWISE);
    }

    /// Tried once, since it costs a look at all devices.
    private static final class LoadedByUse {
        static final boolean IS_LOADED = load();

        private static boolean load() {
            long channel = Librdmacm.rdma_create_event_channel();
            if (Result.isFailure(channel)) {
                return false;
            }
            Librdmacm.rdma_destroy_event_channel(channel);
            return true;
        }
    }
}
