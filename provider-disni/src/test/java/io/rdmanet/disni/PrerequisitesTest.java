package io.rdmanet.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrerequisitesTest {
    @TempDir Path root;

    private final FakeMachine machine = new FakeMachine();

    /// Has everything, until a test takes something away.
    private final class FakeMachine implements Prerequisites.Machine {
        private String operatingSystem = "Linux";
        private boolean hasLibrary = true;
        private boolean mayReachBuffers = true;
        private Throwable failure = new AssertionError("none");
        private boolean fails;
        private List<String> devices = List.of("rxe0");

        @Override
        public String operatingSystem() {
            return operatingSystem;
        }

        @Override
        public String libraryPath() {
            return "/opt/lib:/usr/lib";
        }

        @Override
        public boolean hasLibrary(String name) {
            return hasLibrary && name.equals("libdisni.so");
        }

        @Override
        public boolean mayReachBuffers() {
            return mayReachBuffers;
        }

        @Override
        public void load() throws VerbsException {
            if (fails) {
                switch (failure) {
                    case VerbsException e -> throw e;
                    case RuntimeException e -> throw e;
                    case Error e -> throw e;
                    default -> throw new AssertionError(failure);
                }
            }
        }

        @Override
        public List<String> devices() {
            return devices;
        }

        @Override
        public Path connectionManagerFile() {
            return root.resolve("rdma_cm");
        }

        @Override
        public String module() {
            return "disni";
        }
    }

    @BeforeEach
    void makeFile() throws Exception {
        Files.createFile(root.resolve("rdma_cm"));
    }

    private String missing() {
        return new Prerequisites(machine).missing().orElse("");
    }

    private void loadingFailsWith(Throwable failure) {
        machine.failure = failure;
        machine.fails = true;
    }

    @Test
    void isSatisfiedWhenAllIsThere() {
        assertThat(missing()).isEmpty();
    }

    @Test
    void namesTheLibraryWhereItComesFromAndHowItIsFound() {
        machine.hasLibrary = false;

        assertThat(missing())
                .contains("libdisni.so")
                .contains("github.com/zrlio/disni")
                .contains("LD_LIBRARY_PATH")
                .contains("java.library.path (/opt/lib:/usr/lib)")
                .contains("ffm");
    }

    @Test
    void namesOtherSystems() {
        machine.operatingSystem = "Mac OS X";

        assertThat(missing()).contains("Mac OS X").contains("loopback");
    }

    @Test
    void namesTheOptionThatShowsDisniTheBuffers() {
        machine.mayReachBuffers = false;

        assertThat(missing()).contains("--add-exports java.base/sun.nio.ch=disni");
    }

    @Test
    void namesTheOptionThatAllowsNativeCode() {
        loadingFailsWith(
                new ExceptionInInitializerError(new IllegalCallerException("Illegal access")));

        assertThat(missing()).contains("--enable-native-access=disni");
    }

    @Test
    void saysWhyTheLibraryCannotBeLoaded() {
        loadingFailsWith(new UnsatisfiedLinkError("librdmacm.so.1: cannot open shared object"));

        assertThat(missing()).contains("librdmacm.so.1").contains("librdmacm1");
    }

    @Test
    void saysThatTheLibraryIsOfAnotherVersion() {
        loadingFailsWith(new VerbsException("loading libdisni", "jverbs outdated"));

        assertThat(missing()).contains("jverbs outdated").contains("DiSNI 2.1");
    }

    @Test
    void looksForADeviceLast() throws Exception {
        machine.devices = List.of();
        assertThat(missing()).contains("no RDMA device").contains("bin/softroce");

        machine.devices = List.of("rxe0");
        Files.delete(root.resolve("rdma_cm"));
        assertThat(missing()).contains("rdma_ucm");
    }
}
