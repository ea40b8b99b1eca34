package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerProtocolTest {
    @Test
    void readsTheResultItWrote() throws Exception {
        CellResult result = Results.cell("loopback", Mode.BATCH, 1024, 1_000_000);

        CellResult read =
                WorkerProtocol.parseDone(
                        WorkerProtocol.fields(WorkerProtocol.done(result)),
                        "loopback",
                        Mode.BATCH,
                        1024);

        RunOutcome outcome = result.repeats().getFirst();
        RunOutcome copy = read.repeats().getFirst();
        assertThat(copy.rate()).isEqualTo(outcome.rate());
        assertThat(copy.allocatedBytes()).isEqualTo(outcome.allocatedBytes());
        assertThat(copy.collectionMillis()).isEqualTo(outcome.collectionMillis());
        assertThat(read.setting().depth()).isEqualTo(result.setting().depth());
        assertThat(read.setting().batch()).isEqualTo(result.setting().batch());
        assertThat(read.setting().pollMode()).isEqualTo(result.setting().pollMode());
        assertThat(read.setting().connection().device())
                .isEqualTo(result.setting().connection().device());
        assertThat(read.setting().connection().setup())
                .isEqualTo(result.setting().connection().setup());
    }

    @Test
    void keepsALineOneLine() {
        assertThat(WorkerProtocol.line("FAILED", "two\nlines\tand a tab"))
                .isEqualTo("FAILED\ttwo lines and a tab");
    }

    @Test
    void refusesWhatIsNoResult() {
        assertThatThrownBy(() -> WorkerProtocol.parseDone(List.of("DONE", "1"), "p", Mode.MSG, 1))
                .isInstanceOf(RunFailedException.class);
        String done = WorkerProtocol.done(Results.cell("loopback", Mode.MSG, 1, 1));
        List<String> odd = new ArrayList<>(WorkerProtocol.fields(done));
        odd.set(3, "many");
        assertThatThrownBy(() -> WorkerProtocol.parseDone(odd, "p", Mode.MSG, 1))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("many");
    }
}
