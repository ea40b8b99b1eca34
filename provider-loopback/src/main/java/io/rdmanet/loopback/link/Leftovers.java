package io.rdmanet.loopback.link;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Tells the living instances from those whose process was killed, and removes what the latter
/// left.
///
/// All of it is to be called under the [DirectoryLock].
final class Leftovers {
    private static final Pattern LISTENER_FILE = Pattern.compile("cm-(\\d{1,5})\\.(sock|owner)");

    private Leftovers() {}

    /// Removes what dead instances left in a rendezvous directory and in the memory directory. What
    /// cannot be examined or removed is left for the next start: it must not keep this one away.
    static void remove(RendezvousDirectory directory, MemoryDirectories memory) throws IOException {
        for (Path entry : entries(directory.path())) {
            String name = entry.getFileName().toString();
            if (RendezvousDirectory.isInstanceName(name) && isSurelyDead(entry)) {
                memory.remove(name);
                PrivateDirectory.deleteRecursively(entry);
            }
        }
        for (Path entry : entries(directory.path())) {
            Matcher listener = LISTENER_FILE.matcher(entry.getFileName().toString());
            if (listener.matches()) {
                try {
                    removeListenerIfDead(directory, Integer.parseInt(listener.group(1)));
                } catch (IOException leftForTheNextStart) {
                    // whoever wants the port is told
                }
            }
        }
        memory.removeOrphans();
    }

    private static boolean isSurelyDead(Path instanceDirectory) {
        try {
            return !isAlive(instanceDirectory);
        } catch (IOException unknown) {
            return false;
        }
    }

    /// Whether the process that made an instance's directory is still there. The system gives the
    /// lock up when the process ends, however it ends.
    static boolean isAlive(Path instanceDirectory) throws IOException {
        // Not even to be opened if it is this process's own: closing it again would release the
        // lock.
        if (Instance.isOfThisProcess(instanceDirectory.getFileName().toString())) {
            return true;
        }
        Path file = instanceDirectory.resolve(Instance.LOCK_NAME);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (NoSuchFileException killedWhileCreating) {
            return false;
        } catch (OverlappingFileLockException ownAfterAll) {
            return true;
        }
    }

    /// Whether the instance that a listener's port belongs to is there; if not, what is left of the
    /// listener is removed.
    static boolean removeListenerIfDead(RendezvousDirectory directory, int port)
            throws IOException {
        Path ownerFile = directory.listenerOwner(port);
        try {
            String owner = Files.readString(ownerFile).strip();
            if (RendezvousDirectory.isInstanceName(owner)
                    && isAlive(directory.path().resolve(owner))) {
                return false;
            }
        } catch (NoSuchFileException nobodyOwnsIt) {
            // falls through
        }
        Files.deleteIfExists(directory.listenerSocket(port));
        Files.deleteIfExists(ownerFile);
        return true;
    }

    /// A directory's entries; none if it is not there.
    static List<Path> entries(Path directory) throws IOException {
        List<Path> entries = new ArrayList<>();
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return entries;
        }
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        }
        return entries;
    }
}
