package io.rdmanet.loopback.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class InstanceTest {
    private TemporaryRendezvous temporary;
    private MemoryDirectories memory;
    private Path memoryRoot;

    @BeforeEach
    void create() throws IOException {
        temporary = TemporaryRendezvous.create();
        Path sharedMemory = Files.createDirectory(temporary.parent().resolve("shm"));
        memory = new MemoryDirectories(sharedMemory, "ann");
        memoryRoot = sharedMemory.resolve("rdmanet-ann");
    }

    @AfterEach
    void remove() {
        temporary.close();
    }

    @Test
    void isFoundByItsGid() throws IOException {
        try (Instance instance = open()) {
            GlobalIdentifier gid = instance.gid();
            assertThat(gid.toString()).startsWith("fd72:646d:616e:6574:");
            assertThat(Instance.isInstance(gid)).isTrue();
            assertThat(Instance.idOf(gid)).isEqualTo(instance.id());
            assertThat(Instance.directoryOf(gid)).isEqualTo(instance.directory()).exists();
        }
    }

    @Test
    void refusesTheGidOfAnotherKindOfDevice() {
        GlobalIdentifier other = new GlobalIdentifier(0, 0xffff_7f00_0001L);
        assertThat(Instance.isInstance(other)).isFalse();
        assertThatThrownBy(() -> Instance.directoryOf(other))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("not the GID of a loopback device");
    }

    @Test
    void leavesOnlyTheCommonLockWhenClosed() throws IOException {
        Instance instance = open();
        Files.writeString(instance.memoryDirectory(1).resolve("file"), "x");
        instance.close();
        instance.close();
        assertThat(Leftovers.entries(temporary.path()))
                .containsExactly(temporary.path().resolve("lock"));
        assertThat(Leftovers.entries(memoryRoot)).isEmpty();
    }

    @Test
    void survivesOthersOfItsOwnProcess() throws IOException {
        try (Instance first = open()) {
            try (Instance second = open()) {
                assertThat(first.directory()).exists();
                assertThat(second.directory()).exists();
            }
            // Had cleaning opened and closed the first one's lock file, a child would now find it
            // unlocked and remove it.
            try (ChildJvm child = ChildJvm.start(HubChild.class)) {
                child.readLine();
                assertThat(first.directory().resolve(Instance.LOCK_NAME)).exists();
            }
        }
    }

    @Test
    void isRemovedByTheNextStartAfterItsProcessWasKilled() throws Exception {
        try (ChildJvm child = ChildJvm.start(HubChild.class)) {
            HubChild.Announcement announced = HubChild.Announcement.of(child.readLine());
            int port = announced.port();
            Path directory = Instance.directoryOf(announced.gid());
            Path memoryFile = Instance.findMemoryFile(announced.gid(), "file");
            Path owner = temporary.path().resolve("cm-" + port + ".owner");
            try (Instance whileItLives = Instance.open()) {
                assertThat(directory).exists();
                assertThat(memoryFile).exists();
                assertThat(owner).exists();
                assertThat(PortClaim.take(whileItLives, port)).isNull();
            }
            child.kill();
            assertThat(directory).exists();
            try (Instance next = Instance.open()) {
                assertThat(directory).doesNotExist();
                assertThat(memoryFile.getParent()).doesNotExist();
                assertThat(owner).doesNotExist();
                assertThat(next.directory()).exists();
            }
        }
    }

    @Test
    void takesItsFilesAlongWhenItsProcessIsTerminated() throws Exception {
        try (ChildJvm child = ChildJvm.start(HubChild.class)) {
            GlobalIdentifier gid = HubChild.Announcement.of(child.readLine()).gid();
            Path directory = Instance.directoryOf(gid);
            Path memoryFile = Instance.findMemoryFile(gid, "file");
            child.terminate();
            assertThat(directory).doesNotExist();
            assertThat(memoryFile.getParent()).doesNotExist();
            assertThat(Leftovers.entries(temporary.path()))
                    .containsExactly(temporary.path().resolve("lock"));
        }
    }

    @Test
    void removesWhatWasKilledWhileItWasCreated() throws IOException {
        RendezvousDirectory.open();
        Path withoutLock = temporary.path().resolve("0123456789abcdef");
        Path withFreeLock = temporary.path().resolve("fedcba9876543210");
        Path strange = temporary.path().resolve("not-an-instance");
        Files.createDirectory(withoutLock);
        Files.createDirectory(withFreeLock);
        Files.writeString(withFreeLock.resolve(Instance.LOCK_NAME), "");
        Files.createDirectory(strange);
        Path socketWithoutOwner = temporary.path().resolve("cm-7.sock");
        Path ownerWithoutName = temporary.path().resolve("cm-8.owner");
        Files.writeString(socketWithoutOwner, "");
        Files.writeString(ownerWithoutName, "");
        open().close();
        assertThat(withoutLock).doesNotExist();
        assertThat(withFreeLock).doesNotExist();
        assertThat(socketWithoutOwner).doesNotExist();
        assertThat(ownerWithoutName).doesNotExist();
        assertThat(strange).exists();
    }

    @Test
    void removesTheMemoryOfInstancesThatHaveVanished() throws IOException {
        PrivateDirectory.create(memoryRoot);
        Path orphan = memoryRoot.resolve("0123456789abcdef");
        Path nameless = memoryRoot.resolve("1123456789abcdef");
        Path fresh = memoryRoot.resolve("2123456789abcdef");
        Path ofOtherDirectory = memoryRoot.resolve("3123456789abcdef");
        for (Path path : List.of(orphan, nameless, fresh, ofOtherDirectory)) {
            Files.createDirectory(path);
        }
        Files.writeString(orphan.resolve("instance"), temporary.parent() + "/gone");
        Files.writeString(ofOtherDirectory.resolve("instance"), temporary.parent().toString());
        Files.setLastModifiedTime(nameless, FileTime.from(Instant.now().minusSeconds(3_600)));
        open().close();
        assertThat(orphan).doesNotExist();
        assertThat(nameless).doesNotExist();
        assertThat(fresh).exists();
        assertThat(ofOtherDirectory).exists();
    }

    @Test
    void putsMemoryIntoMemoryIfThereIsRoom() throws IOException {
        try (Instance instance = open()) {
            Path directory = instance.memoryDirectory(1);
            assertThat(directory.getParent()).isEqualTo(memoryRoot);
            Files.writeString(directory.resolve("file"), "x");
            assertThat(Instance.findMemoryFile(instance.gid(), "file"))
                    .isEqualTo(directory.resolve("file"));
            assertThatThrownBy(() -> Instance.findMemoryFile(instance.gid(), "other"))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("no memory file other");
        }
    }

    @Test
    void putsMemoryBesideTheSocketsElse() throws IOException {
        MemoryDirectories none = new MemoryDirectories(temporary.parent().resolve("none"), "ann");
        try (Instance instance = Instance.open(RendezvousDirectory.open(), none)) {
            Path directory = instance.memoryDirectory(1);
            assertThat(directory.getParent()).isEqualTo(instance.directory());
            Files.writeString(directory.resolve("file"), "x");
            assertThat(Instance.findMemoryFile(instance.gid(), "file")).exists();
        }
    }

    @Test
    void saysHowMuchRoomThereIsWhereIfThereIsTooLittle() throws IOException {
        try (Instance instance = open()) {
            assertThatThrownBy(() -> instance.memoryDirectory(Long.MAX_VALUE))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("ENOSPC")
                    .hasMessageContaining(temporary.path().toString())
                    .hasMessageContaining("bytes free")
                    .hasMessageContaining(RendezvousDirectory.PROPERTY);
        }
    }

    @Test
    void saysThatTheOwnerOfMemoryHasGone() throws IOException {
        Instance instance = open();
        instance.close();
        assertThatThrownBy(() -> Instance.findMemoryFile(instance.gid(), "file"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EHOSTUNREACH");
    }

    @Test
    void startersNeverRemoveOneAnother() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4);
                ChildJvm one = ChildJvm.start(HubChild.class, "churn");
                ChildJvm two = ChildJvm.start(HubChild.class, "churn")) {
            one.readLine();
            two.readLine();
            List<Future<?>> starters = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                starters.add(threads.submit(InstanceTest::openAndCloseManyTimes));
            }
            for (Future<?> starter : starters) {
                starter.get();
            }
            assertThat(one.isAlive()).isTrue();
            assertThat(two.isAlive()).isTrue();
        }
    }

    private static void openAndCloseManyTimes() {
        try {
            for (int i = 0; i < 50; i++) {
                try (Instance instance = Instance.open()) {
                    assertThat(instance.directory().resolve(Instance.LOCK_NAME)).exists();
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Instance open() throws VerbsException {
        return Instance.open(RendezvousDirectory.open(), memory);
    }
}
