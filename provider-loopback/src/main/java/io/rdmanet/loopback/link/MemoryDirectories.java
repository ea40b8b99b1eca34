package io.rdmanet.loopback.link;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// Where files of shared memory go: to memory (`/dev/shm/rdmanet-USER/ID/`) where there is such a
/// file system with room, else beside the sockets (`.../rdmanet-USER/ID/memory/`).
///
/// Immutable; safe for use by any thread.
final class MemoryDirectories {
    /// A file system in memory, on Linux. Elsewhere this does not exist, and the page cache serves.
    static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /// In a directory in memory: the path of the instance's directory.
    static final String INSTANCE_NAME = "instance";

    private static final String NAME = "memory";

    /// What was created so long ago without saying whose it is was left by a killed process.
    private static final Duration ORPHAN_AGE = Duration.ofMinutes(1);

    private final Path sharedMemory;
    private final Path root;

    MemoryDirectories(Path sharedMemory, String userName) {
        this.sharedMemory = sharedMemory;
        this.root = sharedMemory.resolve(RendezvousDirectory.directoryName(userName));
    }

    static MemoryDirectories ofThisMachine() {
        return new MemoryDirectories(SHARED_MEMORY, RendezvousDirectory.userName());
    }

    /// The directory to use for so many bytes, created if need be.
    ///
    /// @param instanceDirectory whose memory it is
    /// @throws VerbsException if there is no room in either place
    Path choose(Path instanceDirectory, long bytes) throws VerbsException {
        try {
            long freeInMemory = 0;
            if (Files.isDirectory(sharedMemory) && Files.isWritable(sharedMemory)) {
                freeInMemory = usableBytes(sharedMemory);
                if (freeInMemory >= bytes) {
                    return inMemory(instanceDirectory);
                }
            }
            long freeBeside = usableBytes(instanceDirectory);
            if (freeBeside >= bytes) {
                return beside(instanceDirectory);
            }
            throw noRoom(instanceDirectory, bytes, freeInMemory, freeBeside);
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw new VerbsException(
                    "alloc_mr",
                    "no directory for shared memory: " + e + "; " + RendezvousDirectory.REMEDY,
                    e);
        }
    }

    /// Removes an instance's memory.
    void remove(String instanceName) {
        Path directory = root.resolve(instanceName);
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            PrivateDirectory.deleteRecursively(directory);
        }
    }

    /// Removes the memory of instances whose directory somebody else has removed, for instance the
    /// system's cleaning of its temporary directory.
    void removeOrphans() throws IOException {
        for (Path directory : Leftovers.entries(root)) {
            if (RendezvousDirectory.isInstanceName(directory.getFileName().toString())
                    && isOrphan(directory)) {
                PrivateDirectory.deleteRecursively(directory);
            }
        }
    }

    private static boolean isOrphan(Path directory) {
        try {
            Path owner = directory.resolve(INSTANCE_NAME);
            if (Files.exists(owner)) {
                return Files.notExists(Path.of(Files.readString(owner)));
            }
            Instant created = Files.getLastModifiedTime(directory).toInstant();
            return created.isBefore(Instant.now().minus(ORPHAN_AGE));
        } catch (IOException vanishedOrUnreadable) {
            return false;
        }
    }

    private Path inMemory(Path instanceDirectory) throws IOException {
        PrivateDirectory.createOrCheck(root, "remove it, or let its owner do so");
        Path directory = root.resolve(instanceDirectory.getFileName());
        if (Files.notExists(directory)) {
            PrivateDirectory.create(directory);
            Files.writeString(directory.resolve(INSTANCE_NAME), instanceDirectory.toString());
        }
        return directory;
    }

    private static Path beside(Path instanceDirectory) throws IOException {
        Path directory = instanceDirectory.resolve(NAME);
        if (Files.notExists(directory)) {
            PrivateDirectory.create(directory);
        }
        return directory;
    }

    private static long usableBytes(Path directory) throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }

    private VerbsException noRoom(
            Path instanceDirectory, long bytes, long freeInMemory, long freeBeside) {
        String memoryPart =
                Files.isDirectory(sharedMemory) ? sharedMemory + " has " + freeInMemory + ", " : "";
        return new VerbsException(
                "alloc_mr",
                ErrorNumber.ENOSPC,
                bytes
                        + " bytes of shared memory do not fit: "
                        + memoryPart
                        + instanceDirectory.getParent()
                        + " has "
                        + freeBeside
                        + " bytes free; "
                        + RendezvousDirectory.REMEDY
                        + " on a larger file system");
    }
}
