package io.rdmanet.ffm.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HardwareCountersTest {
    @TempDir Path root;

    private void write(String file, String text) throws Exception {
        Path path = root.resolve("sys/class/infiniband/rxe0").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void addsUpThePortsByTheDriversNames() throws Exception {
        write("hw_counters/resets", "1\n");
        write("ports/1/hw_counters/rcvd_rnr_err", "5\n");
        write("ports/2/hw_counters/rcvd_rnr_err", "7\n");
        write("ports/1/counters/port_rcv_data", "9\n");

        assertThat(HardwareCounters.read(root, "rxe0"))
                .isEqualTo(Map.of("resets", 1L, "rcvd_rnr_err", 12L, "port_rcv_data", 9L));
    }

    @Test
    void leavesOutWhatIsNoCount() throws Exception {
        write("ports/1/hw_counters/lifespan", "10\n");
        write("ports/1/counters/unsupported", "N/A (no PMA)\n");
        write("ports/1/counters/huge", "18446744073709551615\n");
        write("ports/1/counters/fine", "0\n");

        assertThat(HardwareCounters.read(root, "rxe0")).isEqualTo(Map.of("fine", 0L));
    }

    @Test
    void isEmptyForADeviceThatCountsNothing() throws Exception {
        assertThat(HardwareCounters.read(root, "rxe0")).isEmpty();
    }
}
