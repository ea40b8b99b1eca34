package io.rdmanet.loopback.link;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Serialises creating and cleaning up in a rendezvous directory, among the threads of this process
/// and among processes. Without it a starter could take for a leftover what another one is just
/// creating.
final class DirectoryLock {
    static final String NAME = "lock";

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_MILLIS = 2;

    /// What is done under the lock.
    interface Action<T extends @Nullable Object> {
        T run() throws VerbsException, IOException;
    }

    private DirectoryLock() {}

    /// Runs an action while nobody else of this user does.
    ///
    /// @throws VerbsException if the lock stays taken for ten seconds, or the action fails
    static <T extends @Nullable Object> T with(RendezvousDirectory directory, Action<T> action)
            throws VerbsException {
        Path file = directory.path().resolve(NAME);
        // A file lock belongs to the process, not to the thread, and on POSIX closing any channel
        // of
        // the file gives up the locks of all. So threads must take turns before they come to the
        // file; an interned string is one object even for several class loaders.
        synchronized (("rdmanet loopback directory " + file).intern()) {
            try (FileChannel channel =
                            FileChannel.open(
                                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = lock(channel, file)) {
                assert held.isValid();
                return action.run();
            } catch (VerbsException e) {
                throw e;
            } catch (IOException e) {
                throw new VerbsException(
                        "open_device",
                        "in " + directory.path() + ": " + e + "; " + RendezvousDirectory.REMEDY,
                        e);
            }
        }
    }

    private static FileLock lock(FileChannel channel, Path file) throws IOException {
        long start = System.nanoTime();
        while (true) {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            if (System.nanoTime() - start > TIMEOUT_NANOS) {
                throw new VerbsException(
                        "open_device",
                        ErrorNumber.ETIMEDOUT,
                        "another process has held "
                                + file
                                + " for 10 s: is one stopped or hanging while it starts?");
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new VerbsException(
                        "open_device", ErrorNumber.EINTR, "interrupted while waiting for " + file);
            }
        }
    }
}
