package io.rdmanet.loopback.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedFileTest {
    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 64, (1 << 20) - 1, 1 << 20, (1 << 20) + 1})
    void makesAFileOfZerosThatOthersMap(long bytes) throws Exception {
        Path file = directory.resolve("file");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = SharedFile.create(file, bytes, arena);
            assertThat(file).hasSize(bytes);
            assertThat(made.byteSize()).isEqualTo(bytes);
            assertThat(made.get(ValueLayout.JAVA_BYTE, bytes - 1)).isZero();

            MemorySegment mapped = SharedFile.map(file, arena);
            made.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 7);
            assertThat(mapped.byteSize()).isEqualTo(bytes);
            assertThat(mapped.get(ValueLayout.JAVA_BYTE, bytes - 1)).isEqualTo((byte) 7);
        }
    }

    @Test
    void refusesAFileThatExistsAndLeavesItAlone() throws Exception {
        Path file = directory.resolve("file");
        Files.writeString(file, "somebody else's");
        try (Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> SharedFile.create(file, 64, arena))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(file.toString());
        }

        assertThat(file).hasContent("somebody else's");
    }

    @Test
    void saysWhichFolderIsMissing() {
        Path file = directory.resolve("missing").resolve("file");
        try (Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> SharedFile.create(file, 64, arena))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(file.toString());
            assertThatThrownBy(() -> SharedFile.map(file, arena))
                    .isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void deletesTheNameWhileMappingsLiveOn() throws Exception {
        Path file = directory.resolve("file");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = SharedFile.create(file, 64, arena);
            SharedFile.delete(file);

            made.set(ValueLayout.JAVA_BYTE, 63, (byte) 1);
            assertThat(made.get(ValueLayout.JAVA_BYTE, 63)).isOne();
        }
        SharedFile.delete(file);
        assertThat(file).doesNotExist();
    }

    @Test
    void deletesWhatIsNotThereWithoutAWord() {
        assertThatCode(() -> SharedFile.delete(directory.resolve("missing")))
                .doesNotThrowAnyException();
    }
}
