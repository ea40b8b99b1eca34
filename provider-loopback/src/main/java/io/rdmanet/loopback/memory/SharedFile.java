package io.rdmanet.loopback.memory;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// A file that is mapped by its owner and by peers.
///
/// Every byte is written when the file is made: a file with holes on a full file system would kill
/// the process at some later store, while here the maker gets an error that says what to do.
public final class SharedFile {
    private static final int CHUNK_BYTES = 1 << 20;

    private SharedFile() {}

    /// Makes a file of zeros and maps it.
    ///
    /// @param path where; must not exist
    /// @param bytes its length
    /// @param arena the mapping's life
    public static MemorySegment create(Path path, long bytes, Arena arena) throws VerbsException {
        FileChannel created = createNew(path);
        try (FileChannel channel = created) {
            fill(channel, bytes);
            return channel.map(MapMode.READ_WRITE, 0, bytes, arena);
        } catch (IOException e) {
            delete(path);
            throw new VerbsException(
                    "mmap",
                    ErrorNumber.ENOMEM,
                    bytes
                            + " bytes of shared memory in "
                            + path
                            + " ("
                            + e.getMessage()
                            + "); free space there, or set the system property"
                            + " rdmanet.loopback.directory to a folder with room");
        }
    }

    /// Kept apart from filling, because what cannot be created must not be deleted: it may be
    /// somebody else's.
    private static FileChannel createNew(Path path) throws VerbsException {
        try {
            return FileChannel.open(
                    path,
                    Set.of(
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw new VerbsException("mmap", "cannot create shared memory: " + e, e);
        }
    }

    /// Maps a file that a peer has made.
    ///
    /// @throws IOException if it is not there (any more)
    public static MemorySegment map(Path path, Arena arena) throws IOException {
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, channel.size(), arena);
        }
    }

    /// Takes the name away; mappings live on. Does nothing if it is not there.
    public static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // A system that cannot delete mapped files leaves it to the next start.
            System.getLogger(SharedFile.class.getName())
                    .log(System.Logger.Level.DEBUG, "cannot delete " + path, e);
        }
    }

    private static void fill(FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(CHUNK_BYTES, bytes));
        long position = 0;
        while (position < bytes) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - position));
            position += channel.write(zeros, position);
        }
    }
}
