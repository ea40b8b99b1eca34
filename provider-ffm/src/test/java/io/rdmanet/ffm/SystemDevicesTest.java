package io.rdmanet.ffm;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.DeviceDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemDevicesTest {
    @TempDir Path root;

    private void write(String file, String text) throws Exception {
        Path path = root.resolve("sys/class/infiniband").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void putsDevicesThatCarryTrafficFirst() throws Exception {
        write("mlx5_0/ports/1/state", "1: DOWN\n");
        write("mlx5_1/ports/1/state", "1: DOWN\n");
        write("mlx5_1/ports/2/state", "4: ACTIVE\n");
        write("rxe0/ports/1/state", "4: ACTIVE\n");

        assertThat(new SystemDevices(root).describe(List.of("mlx5_0", "mlx5_1", "rxe0")))
                .extracting(DeviceDescription::name)
                .containsExactly("mlx5_1", "rxe0", "mlx5_0");
    }

    @Test
    void describesThemByTypeAndTheAdministratorsWords() throws Exception {
        write("mlx5_0/hca_type", "MT4119\n");
        write("mlx5_0/node_desc", "host7 mlx5_0\n");
        write("rxe0/node_desc", "rxe\n");

        assertThat(new SystemDevices(root).describe(List.of("mlx5_0", "rxe0", "siw0")))
                .extracting(DeviceDescription::description)
                .containsExactly("MT4119, host7 mlx5_0", "rxe", "");
    }
}
