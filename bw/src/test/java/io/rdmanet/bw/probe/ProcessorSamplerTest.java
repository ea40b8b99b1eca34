package io.rdmanet.bw.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.bw.probe.ThreadPlacement.Share;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Folders as `/proc/self/task` has them.
class ProcessorSamplerTest {
    @TempDir private Path tasks = Path.of("");

    private void write(int thread, String name, char state, long ticks, int processor)
            throws IOException {
        Path folder = Files.createDirectories(tasks.resolve("" + thread));
        Files.writeString(folder.resolve("stat"), line(thread, name, state, ticks, processor));
    }

    private static String line(int thread, String name, char state, long ticks, int processor) {
        return thread
                + " ("
                + name
                + ") "
                + state
                + " 1 2 3 4 5 6 7 8 9 10 "
                + ticks
                + " 0"
                + " 0".repeat(23)
                + " "
                + processor
                + " 0 0\n";
    }

    @Test
    void countsTheProcessorsThatAThreadRanOn() throws IOException {
        ProcessorSampler sampler = new ProcessorSampler(tasks);
        write(7, "main", 'S', 100, 0);
        sampler.sample();
        write(7, "main", 'S', 101, 1);
        sampler.sample();
        write(7, "main", 'S', 105, 3);
        sampler.sample();
        write(7, "main", 'R', 105, 1);
        sampler.sample();

        assertThat(sampler.placements())
                .containsExactly(
                        new ThreadPlacement("main", 50, List.of(new Share(1, 2), new Share(3, 1))));
        assertThat(sampler.placements().getFirst().processors()).isEqualTo("1 (67 %), 3 (33 %)");
    }

    @Test
    void leavesOutThreadsThatOnlySleptAndTheOneThatLooks() throws IOException {
        ProcessorSampler sampler = new ProcessorSampler(tasks);
        write(1, "Finalizer", 'S', 100, 0);
        write(2, ProcessorSampler.OWN_THREAD, 'R', 1, 0);
        sampler.sample();
        sampler.sample();

        assertThat(sampler.placements()).isEmpty();
    }

    @Test
    void keepsThreadsThatEndedAndCountsThoseThatBeganFromTheirFirstTick() throws IOException {
        ProcessorSampler sampler = new ProcessorSampler(tasks);
        sampler.sample();
        write(3, "short", 'R', 4, 2);
        sampler.sample();
        Files.delete(tasks.resolve("3/stat"));
        sampler.sample();

        assertThat(sampler.placements())
                .containsExactly(new ThreadPlacement("short", 40, List.of(new Share(2, 1))));
    }

    @Test
    void readsNamesWithSpacesAndParentheses() {
        assertThat(TaskStatus.parse(line(9, "C1 (hot) R 2", 'S', 12, 5)))
                .isEqualTo(new TaskStatus("C1 (hot) R 2", false, 12, 5));
    }

    @Test
    void takesNothingFromWhatIsNoStatus() {
        assertThat(TaskStatus.parse("")).isNull();
        assertThat(TaskStatus.parse("12 (a) R")).isNull();
        assertThat(TaskStatus.parse("12 (a)")).isNull();
        assertThat(
                        TaskStatus.parse(
                                line(1, "a", 'R', 1, 1).replace(" 0 0\n", "").replace("1", "x")))
                .isNull();
    }

    @Test
    void knowsNothingWhereThereIsNoSuchFolder() {
        ProcessorSampler sampler = new ProcessorSampler(tasks.resolve("absent"));

        assertThat(sampler.isKnown()).isFalse();
        sampler.sample();
        assertThat(sampler.placements()).isEmpty();
    }
}
