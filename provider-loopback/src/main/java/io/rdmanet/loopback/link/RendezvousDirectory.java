package io.rdmanet.loopback.link;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Where the loopback devices of one user find each other: a directory of theirs alone.
///
/// ```
/// rdmanet-USER/              0700
///   lock                     held while instances and ports are created or cleaned up
///   0123456789abcdef/        one open device (see Instance)
///     lock                   held as long as its process lives
///     device.sock            where peers' hubs connect
///     memory-directory       the paths of its shared memory, one a line
///     memory/                shared memory that found no room elsewhere
///   cm-18515.sock            a connection manager's listener (see PortClaim)
///   cm-18515.owner           the instance it belongs to
/// ```
///
/// Immutable; safe for use by any thread.
public final class RendezvousDirectory {
    /// The system property that names another place.
    public static final String PROPERTY = "rdmanet.loopback.directory";

    /// The environment variable that names another place.
    public static final String ENVIRONMENT_VARIABLE = "RDMANET_LOOPBACK_DIRECTORY";

    /// `sun_path` has 104 bytes on macOS and 108 on Linux, the closing zero included.
    static final int MAX_SOCKET_PATH_LENGTH = 103;

    static final String REMEDY =
            "name another directory by -D"
                    + PROPERTY
                    + "=DIR or "
                    + ENVIRONMENT_VARIABLE
                    + "=DIR (the same for all processes)";

    private static final String LONGEST_SOCKET_NAME = instanceName(0) + "/" + Instance.SOCKET_NAME;

    private final Path path;

    private RendezvousDirectory(Path path) {
        this.path = path;
    }

    /// The directory this process is told to use; it need not exist.
    static RendezvousDirectory configured() {
        return new RendezvousDirectory(
                location(
                        System.getProperty(PROPERTY),
                        System.getenv(ENVIRONMENT_VARIABLE),
                        System.getProperty("java.io.tmpdir", "."),
                        userName()));
    }

    /// Creates or checks the directory.
    ///
    /// @throws VerbsException if it is not the user's own, or its path is too long for sockets
    static RendezvousDirectory open() throws VerbsException {
        RendezvousDirectory directory = configured();
        directory.checkLength();
        PrivateDirectory.createOrCheck(directory.path, REMEDY);
        return directory;
    }

    static Path location(
            @Nullable String property,
            @Nullable String environment,
            String temporaryDirectory,
            String userName) {
        String given = property != null && !property.isEmpty() ? property : environment;
        Path place =
                given != null && !given.isEmpty()
                        ? Path.of(given)
                        : Path.of(temporaryDirectory).resolve(directoryName(userName));
        return place.toAbsolutePath().normalize();
    }

    /// `rdmanet-` and the user, with what could upset a file system replaced.
    static String directoryName(String userName) {
        return "rdmanet-" + userName.replaceAll("[^A-Za-z0-9._-]", "_");
    }

    static String userName() {
        return System.getProperty("user.name", "unknown");
    }

    /// The directory itself.
    public Path path() {
        return path;
    }

    Path instance(long id) {
        return path.resolve(instanceName(id));
    }

    static String instanceName(long id) {
        return HexFormat.of().toHexDigits(id);
    }

    /// Whether a file name is one of [#instanceName].
    static boolean isInstanceName(String name) {
        return name.length() == Long.BYTES * 2
                && name.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }

    /// The socket of a connection manager's listener.
    public Path listenerSocket(int port) {
        return path.resolve("cm-" + port + ".sock");
    }

    Path listenerOwner(int port) {
        return path.resolve("cm-" + port + ".owner");
    }

    private void checkLength() throws VerbsException {
        int length =
                path.resolve(LONGEST_SOCKET_NAME)
                        .toString()
                        .getBytes(StandardCharsets.UTF_8)
                        .length;
        if (length > MAX_SOCKET_PATH_LENGTH) {
            throw new VerbsException(
                    "open_device",
                    ErrorNumber.EINVAL,
                    "the directory "
                            + path
                            + " makes socket paths of "
                            + length
                            + " bytes, and systems allow "
                            + MAX_SOCKET_PATH_LENGTH
                            + "; "
                            + REMEDY
                            + ", at least "
                            + (length - MAX_SOCKET_PATH_LENGTH)
                            + " bytes shorter");
        }
    }
}
