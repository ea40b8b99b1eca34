package io.rdmanet.loopback.link;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/// One open device's presence on this machine: its GID, and the directory peers find it by (the
/// figure is in [RendezvousDirectory]).
///
/// The [Hub] opens and closes it. When the process ends in an orderly way (Ctrl-C too) a shutdown
/// hook removes the files; when it is killed, the next start of any loopback device does. Safe for
/// use by any thread.
public final class Instance implements AutoCloseable {
    static final String LOCK_NAME = "lock";
    static final String SOCKET_NAME = "device.sock";
    static final String MEMORY_DIRECTORY_NAME = "memory-directory";

    /// The GIDs' high half: `fd` (a private IPv6 address) and "rdmanet".
    private static final long GID_HIGH = 0xfd72_646d_616e_6574L;

    /// Marks the instances of this process for all its class loaders: their lock files must not be
    /// opened a second time, since closing them would release the lock (POSIX).
    private static final String MARK_PREFIX = "rdmanet.loopback.instance.";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final RendezvousDirectory rendezvous;
    private final MemoryDirectories memory;
    private final long id;
    private final Path directory;
    private final FileChannel lockChannel;
    private final Set<Path> ownedFiles = ConcurrentHashMap.newKeySet();
    private final ReentrantLock memoryLock = new ReentrantLock();
    private final Set<Path> memoryDirectories = new LinkedHashSet<>(); // guarded by memoryLock

    private Instance(
            RendezvousDirectory rendezvous,
            MemoryDirectories memory,
            long id,
            FileChannel lockChannel) {
        this.rendezvous = rendezvous;
        this.memory = memory;
        this.id = id;
        this.directory = rendezvous.instance(id);
        this.lockChannel = lockChannel;
    }

    /// Removes what dead instances left and creates a new one.
    static Instance open() throws VerbsException {
        return open(RendezvousDirectory.open(), MemoryDirectories.ofThisMachine());
    }

    static Instance open(RendezvousDirectory rendezvous, MemoryDirectories memory)
            throws VerbsException {
        Instance instance =
                DirectoryLock.with(
                        rendezvous,
                        () -> {
                            Leftovers.remove(rendezvous, memory);
                            return create(rendezvous, memory);
                        });
        try {
            ShutdownCleaning.add(instance);
        } catch (IllegalStateException shuttingDown) {
            instance.close();
            throw new VerbsException("open_device", "the process is ending", shuttingDown);
        }
        return instance;
    }

    private static Instance create(RendezvousDirectory rendezvous, MemoryDirectories memory)
            throws IOException {
        long id = RANDOM.nextLong();
        Path directory = rendezvous.instance(id);
        String name = RendezvousDirectory.instanceName(id);
        PrivateDirectory.create(directory);
        System.setProperty(MARK_PREFIX + name, directory.toString());
        try {
            FileChannel channel =
                    FileChannel.open(
                            directory.resolve(LOCK_NAME),
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.WRITE);
            try {
                lockForLife(channel, directory);
                return new Instance(rendezvous, memory, id, channel);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            System.clearProperty(MARK_PREFIX + name);
            PrivateDirectory.deleteRecursively(directory);
            throw e;
        }
    }

    /// The lock is never released but with its channel: it says that this process lives.
    private static void lockForLife(FileChannel channel, Path directory) throws IOException {
        FileLock lock = channel.tryLock();
        if (lock == null) {
            throw new VerbsException("open_device", "the new " + directory + " is locked already");
        }
    }

    static boolean isOfThisProcess(String instanceName) {
        return System.getProperty(MARK_PREFIX + instanceName) != null;
    }

    /// The GID's low half.
    public long id() {
        return id;
    }

    /// The device's GID.
    public GlobalIdentifier gid() {
        return gidOf(id);
    }

    /// The directory, of this user alone; removed when the device is closed or the process ends.
    public Path directory() {
        return directory;
    }

    /// The directory that all instances of this user meet in.
    public RendezvousDirectory rendezvous() {
        return rendezvous;
    }

    /// Where to put a file of shared memory: a directory of this instance with so many bytes free,
    /// created on the first call. It need not be the same one each time; peers find a file in it by
    /// [#findMemoryFile]. Removed with the instance.
    ///
    /// The room is not reserved: a file in memory takes its pages when they are first written.
    ///
    /// @throws VerbsException if there is no room; it says where and how much there is
    public Path memoryDirectory(long bytes) throws VerbsException {
        memoryLock.lock();
        try {
            Path chosen = memory.choose(directory, bytes);
            if (memoryDirectories.add(chosen)) {
                publishMemoryDirectories();
            }
            return chosen;
        } finally {
            memoryLock.unlock();
        }
    }

    private void publishMemoryDirectories() throws VerbsException {
        Path file = directory.resolve(MEMORY_DIRECTORY_NAME);
        Path draft = directory.resolve(MEMORY_DIRECTORY_NAME + ".new");
        try {
            Files.write(draft, memoryDirectories.stream().map(Path::toString).toList());
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new VerbsException("alloc_mr", "cannot write " + file + ": " + e, e);
        }
    }

    /// Where an instance's file of shared memory is.
    ///
    /// @param owner the GID of the instance that made it
    /// @param name its name in the directory
    /// @throws VerbsException if the instance or the file is not there
    public static Path findMemoryFile(GlobalIdentifier owner, String name) throws VerbsException {
        Path record = directoryOf(owner).resolve(MEMORY_DIRECTORY_NAME);
        List<String> places;
        try {
            places = Files.readAllLines(record);
        } catch (NoSuchFileException e) {
            throw new VerbsException(
                    "map_memory",
                    ErrorNumber.EHOSTUNREACH,
                    "the device " + owner + " has gone or shares no memory: no " + record);
        } catch (IOException e) {
            throw new VerbsException("map_memory", "cannot read " + record + ": " + e, e);
        }
        for (String place : places) {
            Path file = Path.of(place).resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        throw new VerbsException(
                "map_memory",
                ErrorNumber.ENOENT,
                "the device " + owner + " has no memory file " + name + " in " + places);
    }

    /// An instance's directory, which need not exist.
    ///
    /// @throws VerbsException if the GID is not one of a loopback device
    public static Path directoryOf(GlobalIdentifier gid) throws VerbsException {
        return RendezvousDirectory.configured().instance(idOf(gid));
    }

    /// The GID of an instance.
    public static GlobalIdentifier gidOf(long id) {
        return new GlobalIdentifier(GID_HIGH, id);
    }

    /// The instance a GID belongs to.
    ///
    /// @throws VerbsException if the GID is not one of a loopback device
    public static long idOf(GlobalIdentifier gid) throws VerbsException {
        if (!isInstance(gid)) {
            throw new VerbsException(
                    "query_gid",
                    ErrorNumber.EHOSTUNREACH,
                    gid + " is not the GID of a loopback device: both ends must use this provider");
        }
        return gid.low();
    }

    /// Whether a GID is one of a loopback device.
    public static boolean isInstance(GlobalIdentifier gid) {
        return gid.high() == GID_HIGH;
    }

    /// Makes a file outside the directory go when the instance goes.
    void own(Path file) {
        ownedFiles.add(file);
    }

    void disown(Path file) {
        ownedFiles.remove(file);
    }

    /// Removes the files and gives the lock up.
    @Override
    public void close() {
        ShutdownCleaning.remove(this);
        removeFiles();
    }

    /// May run twice at once, at the end of the process.
    void removeFiles() {
        for (Path file : ownedFiles) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException leftForTheNextStart) {
                // as after a kill
            }
        }
        String name = RendezvousDirectory.instanceName(id);
        memory.remove(name);
        PrivateDirectory.deleteRecursively(directory);
        try {
            lockChannel.close();
        } catch (IOException lockIsGoneAnyway) {
            // nothing was written
        }
        System.clearProperty(MARK_PREFIX + name);
        // Windows keeps an open file's directory: once more, now that the lock file is closed.
        if (Files.exists(directory)) {
            PrivateDirectory.deleteRecursively(directory);
        }
    }
}
