package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.rdmanet.loopback.link.Instance;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegionLifeTest {
    private static final Set<AccessFlag> ALL = EnumSet.allOf(AccessFlag.class);

    private DeviceFixture device;

    @BeforeEach
    void open() throws Exception {
        device = new DeviceFixture();
    }

    @AfterEach
    void close() {
        device.close();
    }

    private long files() throws Exception {
        Path directory = device.context.hub().instance().memoryDirectory(1);
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("mr-")).count();
        }
    }

    @Test
    void removesItsFileWhenItCloses() throws Exception {
        assertThat(files()).isZero();
        MemoryRegion region = device.domain.allocate(100, ALL);
        assertThat(files()).isOne();

        region.close();
        region.close();

        assertThat(files()).isZero();
        assertThat(region.segment().scope().isAlive()).isFalse();
        assertThat(device.context.memoryRegion(region.localKey())).isNull();
    }

    @Test
    void isFoundByItsFileWhileItIsOpen() throws Exception {
        try (MemoryRegion region = device.domain.allocate(100, ALL)) {
            assertThat(region.length()).isEqualTo(100);
            assertThat(region.segment().mismatch(region.segment().asReadOnly())).isEqualTo(-1);
            assertThat(Instance.findMemoryFile(device.context.hub().instance().gid(), "mr-1"))
                    .hasSize(100);
        }
    }

    @Test
    void makesNoFileForRegisteredMemory() throws Exception {
        try (Arena arena = Arena.ofShared();
                MemoryRegion region = device.domain.register(arena.allocate(8), ALL)) {
            assertThat(files()).isZero();
            assertThat(region.length()).isEqualTo(8);
        }
    }

    @Test
    void refusesMemoryThatTheDeviceCouldNotReach() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device.domain.register(MemorySegment.ofArray(new byte[8]), ALL))
                .withMessageContaining("heap");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device.domain.register(MemorySegment.NULL, ALL))
                .withMessageContaining("empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device.domain.allocate(0, ALL))
                .withMessageContaining("1 byte or more");
        try (Arena arena = Arena.ofConfined()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> device.domain.register(arena.allocate(8), ALL))
                    .withMessageContaining("Arena.ofShared()");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device.domain.allocate(8, EnumSet.of(AccessFlag.REMOTE_WRITE)))
                .withMessageContaining("LOCAL_WRITE");
    }

    @Test
    void runsActionsOnlyWhileItIsOpen() throws Exception {
        LoopbackMemoryRegion region = device.region(8);

        AtomicInteger runs = new AtomicInteger();

        assertThat(region.whileOpen(runs::incrementAndGet)).isTrue();
        region.close();

        assertThat(region.isOpen()).isFalse();
        assertThat(region.whileOpen(runs::incrementAndGet)).isFalse();
        assertThat(runs).hasValue(1);
    }

    @Test
    void keepsTheDomainOpen() throws Exception {
        device.region(8);

        assertThatIllegalStateException()
                .isThrownBy(device.domain::close)
                .withMessageContaining("close them first");
    }
}
