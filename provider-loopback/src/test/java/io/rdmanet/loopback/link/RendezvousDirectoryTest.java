package io.rdmanet.loopback.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RendezvousDirectoryTest {
    private TemporaryRendezvous temporary;

    @BeforeEach
    void create() throws IOException {
        temporary = TemporaryRendezvous.create();
    }

    @AfterEach
    void remove() {
        temporary.close();
    }

    @Test
    void liesInTheTemporaryDirectoryUnlessToldOtherwise() {
        assertThat(RendezvousDirectory.location(null, null, "/tmp", "ann"))
                .isEqualTo(Path.of("/tmp/rdmanet-ann").toAbsolutePath());
        assertThat(RendezvousDirectory.location("", "/e", "/tmp", "ann"))
                .isEqualTo(Path.of("/e").toAbsolutePath());
        assertThat(RendezvousDirectory.location("/p", "/e", "/tmp", "ann"))
                .isEqualTo(Path.of("/p").toAbsolutePath());
    }

    @Test
    void makesAFileNameOfAnyUserName() {
        assertThat(RendezvousDirectory.directoryName("a/../b c?")).isEqualTo("rdmanet-a_.._b_c_");
    }

    @Test
    void isCreatedForItsOwnerAlone() throws IOException {
        assumePosix();
        RendezvousDirectory directory = RendezvousDirectory.open();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path())))
                .isEqualTo("rwx------");
        assertThat(RendezvousDirectory.open().path()).isEqualTo(directory.path());
        assertThat(Leftovers.entries(directory.path())).isEmpty();
    }

    @Test
    void refusesADirectoryThatIsOpenToOthers() throws IOException {
        assumePosix();
        for (String permissions : new String[] {"rwxr-x---", "rwx-----x", "rwx---r--"}) {
            Files.createDirectory(temporary.path());
            Files.setPosixFilePermissions(
                    temporary.path(), PosixFilePermissions.fromString(permissions));
            assertThatThrownBy(RendezvousDirectory::open)
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(permissions)
                    .hasMessageContaining("chmod 700");
            Files.delete(temporary.path());
        }
    }

    @Test
    void refusesASymbolicLinkEvenToAGoodDirectory() throws IOException {
        assumePosix();
        Path target = temporary.parent().resolve("target");
        PrivateDirectory.create(target);
        Files.createSymbolicLink(temporary.path(), target);
        assertThatThrownBy(RendezvousDirectory::open)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("symbolic link")
                .hasMessageContaining(RendezvousDirectory.PROPERTY);
    }

    @Test
    void refusesWhatIsNoDirectory() throws IOException {
        Files.writeString(temporary.path(), "");
        assertThatThrownBy(RendezvousDirectory::open)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("not a directory");
    }

    @Test
    void refusesADirectoryOfSomebodyElse() throws IOException {
        assumePosix();
        PrivateDirectory.create(temporary.path());
        try {
            Files.setOwner(
                    temporary.path(),
                    temporary
                            .path()
                            .getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByName("nobody"));
        } catch (IOException e) {
            Assumptions.abort("only root can give a directory away: " + e);
        }
        assertThatThrownBy(RendezvousDirectory::open)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("nobody");
    }

    @Test
    void refusesAPathTooLongForSocketsAndSaysByHowMuch() throws IOException {
        int roomForPath =
                RendezvousDirectory.MAX_SOCKET_PATH_LENGTH
                        - ("/0123456789abcdef/" + Instance.SOCKET_NAME).length();
        String prefix = temporary.parent() + "/";
        String longest = prefix + "x".repeat(roomForPath - prefix.length());
        System.setProperty(RendezvousDirectory.PROPERTY, longest);
        Hub.open(new RecordingListener()).close();
        System.setProperty(RendezvousDirectory.PROPERTY, longest + "yy");
        assertThatThrownBy(RendezvousDirectory::open)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(RendezvousDirectory.ENVIRONMENT_VARIABLE)
                .hasMessageContaining("at least 2 bytes shorter");
    }

    @Test
    void deletesLinksWithoutFollowingThem() throws IOException {
        assumePosix();
        Path precious = temporary.parent().resolve("precious");
        Files.createDirectory(precious);
        Files.writeString(precious.resolve("file"), "x");
        Path doomed = temporary.parent().resolve("doomed");
        Path inner = Files.createDirectories(doomed.resolve("inner"));
        Files.createSymbolicLink(inner.resolve("link"), precious);
        assertThat(PrivateDirectory.deleteRecursively(doomed)).isTrue();
        assertThat(precious.resolve("file")).exists();
    }

    private static void assumePosix() {
        Assumptions.assumeTrue(
                Path.of("").getFileSystem().supportedFileAttributeViews().contains("posix"),
                "this file system has no POSIX permissions");
    }
}
