package io.rdmanet.ffm;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrerequisitesTest {
    @TempDir Path root;

    private final FakeMachine machine = new FakeMachine();

    /// Has everything, until a test takes something away.
    private final class FakeMachine implements Prerequisites.Machine {
        private String operatingSystem = "Linux";
        private String architecture = "amd64";
        private boolean mayUse = true;
        private Set<String> absent = Set.of();
        private Set<String> unknown = Set.of();
        private boolean mayCallNative = true;
        private List<String> devices = List.of("rxe0");
        private @Nullable VerbsException failure;

        @Override
        public String operatingSystem() {
            return operatingSystem;
        }

        @Override
        public String architecture() {
            return architecture;
        }

        @Override
        public Path root() {
            return root;
        }

        @Override
        public boolean mayUse(Path file) {
            return mayUse;
        }

        @Override
        public Optional<Predicate<String>> load(String library) {
            if (!mayCallNative) {
                throw new IllegalCallerException("Illegal native access");
            }
            return absent.contains(library)
                    ? Optional.empty()
                    : Optional.of(function -> !unknown.contains(function));
        }

        @Override
        public List<String> devices() throws VerbsException {
            if (failure != null) {
                throw failure;
            }
            return devices;
        }

        @Override
        public String module() {
            return "io.rdmanet.ffm";
        }
    }

    private void install(String... files) throws Exception {
        for (String file : files) {
            Files.createDirectories(root.resolve(file));
        }
    }

    private String missing() {
        String reason = new Prerequisites(machine).missing().orElse("");
        assertThat(reason).doesNotContain("\n").doesNotContain("Exception");
        return reason;
    }

    @Test
    void missesNothingOnAMachineThatHasItAll() throws Exception {
        install("sys/class/infiniband/rxe0", "dev/infiniband/uverbs0", "dev/infiniband/rdma_cm");

        assertThat(missing()).isEmpty();
    }

    @Test
    void needsLinux() {
        machine.operatingSystem = "Mac OS X";

        assertThat(missing()).contains("needs Linux").contains("Mac OS X").contains("loopback");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s390x", "x86", "arm"})
    void needsALittleEndianMachineOf64Bits(String architecture) {
        machine.architecture = architecture;

        assertThat(missing()).contains("64-bit little-endian").contains(architecture);
    }

    @Test
    void saysWhichPackagesBringTheLibrary() {
        machine.absent = Set.of("libibverbs.so.1");

        assertThat(missing())
                .startsWith("libibverbs.so.1 is not installed")
                .contains("rdma-core", "libibverbs1", "librdmacm1", "ibverbs-providers", "Fedora");
    }

    @Test
    void saysWhichFunctionAnOldLibraryLacks() {
        machine.unknown = Set.of("_ibv_query_gid_table");

        assertThat(missing())
                .startsWith("libibverbs.so.1 is too old")
                .contains("_ibv_query_gid_table")
                .contains("rdma-core 32");
    }

    @Test
    void looksForEveryFunctionThatItCalls() {
        for (String function : Libibverbs.FUNCTIONS) {
            machine.unknown = Set.of(function);

            assertThat(missing()).contains(function);
        }
    }

    @Test
    void saysWhichFlagAllowsNativeCode() {
        machine.mayCallNative = false;

        assertThat(missing()).contains("--enable-native-access=io.rdmanet.ffm");
    }

    @Test
    void saysHowToGetADeviceWhereThereIsNone() throws Exception {
        assertThat(missing())
                .contains("no RDMA device")
                .contains("rdma link add rxe0 type rxe netdev eth0")
                .contains("bin/softroce");

        install("sys/class/infiniband");
        assertThat(missing()).contains("no RDMA device");
    }

    @Test
    void saysWhichModuleMakesTheDevicesFiles() throws Exception {
        install("sys/class/infiniband/mlx5_0", "dev/infiniband/rdma_cm");

        assertThat(missing()).contains("mlx5_0").contains("modprobe ib_uverbs");
    }

    @Test
    void saysWhichFileNeedsPermission() throws Exception {
        install("sys/class/infiniband/rxe0", "dev/infiniband/uverbs0");
        machine.mayUse = false;

        assertThat(missing()).contains("may not read and write /dev/infiniband/uverbs0");
    }

    @Test
    void saysWhichPackageBringsTheDriver() throws Exception {
        install("sys/class/infiniband/rxe0", "dev/infiniband/uverbs0");
        machine.devices = List.of();

        assertThat(missing()).contains("no driver for rxe0").contains("ibverbs-providers");
    }

    @Test
    void saysWhyTheDevicesCannotBeListed() throws Exception {
        install("sys/class/infiniband/rxe0", "dev/infiniband/uverbs0");
        machine.failure = new VerbsException("get_device_list", ErrorNumber.EMFILE, "reading");

        assertThat(missing()).contains("cannot be listed").contains("EMFILE");
    }

    @Test
    void isAnsweredOnThisMachineInOneLine() {
        FfmProvider provider = new FfmProvider();

        Optional<String> reason = provider.unusableReason();

        assertThat(provider.unusableReason()).isEqualTo(reason);
        reason.ifPresent(said -> assertThat(said).isNotBlank().doesNotContain("\n"));
    }
}
