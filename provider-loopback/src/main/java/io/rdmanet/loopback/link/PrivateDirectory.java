package io.rdmanet.loopback.link;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Directories that only their owner can look into: the whole protection of the loopback device,
/// since whoever reaches its sockets and memory files can read and write its users' memory.
final class PrivateDirectory {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");

    private PrivateDirectory() {}

    /// Creates a directory with its parents, or makes sure that an existing one is the caller's own
    /// and nobody else's.
    ///
    /// @param remedy what to do when it cannot be used, for the message
    /// @throws VerbsException if it cannot be created, is not a directory, is a symbolic link,
    ///   belongs to somebody else, or is open to others
    static void createOrCheck(Path directory, String remedy) throws VerbsException {
        try {
            Path parent = directory.getParent();
            if (parent != null && !Files.exists(parent)) {
                Files.createDirectories(parent, ownerOnly(parent));
            }
            Files.createDirectory(directory, ownerOnly(directory));
        } catch (FileAlreadyExistsException existing) {
            check(directory, remedy);
        } catch (IOException e) {
            throw new VerbsException(
                    "open_device", "cannot create " + directory + " (" + e + "); " + remedy, e);
        }
    }

    /// Creates a directory that must not exist yet, inside one that is private already.
    static void create(Path directory) throws IOException {
        Files.createDirectory(directory, ownerOnly(directory));
    }

    /// Deletes a directory and everything in it as far as that is possible; links are deleted, not
    /// followed. What another process holds open (Windows) stays for the next start.
    ///
    /// @return whether it is gone
    static boolean deleteRecursively(Path directory) {
        try {
            Files.walkFileTree(directory, new Deleter());
        } catch (IOException leftForTheNextStart) {
            return false;
        }
        return Files.notExists(directory, LinkOption.NOFOLLOW_LINKS);
    }

    private static void check(Path directory, String remedy) throws VerbsException {
        if (Files.isSymbolicLink(directory)) {
            throw refusal(directory, "is a symbolic link", remedy);
        }
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw refusal(directory, "is not a directory", remedy);
        }
        try {
            checkPermissions(directory, remedy);
            checkOwner(directory, remedy);
        } catch (AccessDeniedException e) {
            throw refusal(directory, "belongs to somebody else or cannot be written", remedy);
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw new VerbsException(
                    "open_device", "cannot examine " + directory + " (" + e + "); " + remedy, e);
        }
    }

    private static void checkPermissions(Path directory, String remedy) throws IOException {
        if (!hasPosixPermissions(directory)) {
            return;
        }
        Set<PosixFilePermission> permissions =
                Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
        if (!OWNER_ONLY.containsAll(permissions)) {
            throw refusal(
                    directory,
                    "is open to others (" + PosixFilePermissions.toString(permissions) + ")",
                    "run chmod 700 on it if it is yours, or " + remedy);
        }
    }

    /// Compares with the owner of a file just made, which is this process's user on every system,
    /// whatever name the user has or lacks.
    private static void checkOwner(Path directory, String remedy) throws IOException {
        Path probe = Files.createTempFile(directory, "probe-", ".tmp");
        try {
            String own = Files.getOwner(probe).getName();
            String owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName();
            if (!own.equals(owner)) {
                throw refusal(directory, "belongs to " + owner + ", not to " + own, remedy);
            }
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private static VerbsException refusal(Path directory, String what, String remedy) {
        return new VerbsException(
                "open_device", ErrorNumber.EPERM, directory + " " + what + "; " + remedy);
    }

    private static FileAttribute<?>[] ownerOnly(Path directory) {
        return hasPosixPermissions(directory)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
    }

    private static boolean hasPosixPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /// Two processes may delete the same leftovers at once: what is gone already is fine.
    private static final class Deleter extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
