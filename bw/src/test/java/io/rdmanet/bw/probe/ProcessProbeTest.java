package io.rdmanet.bw.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A probe of the process that runs the test.
class ProcessProbeTest {
    private static ProcessReport reportOfACollection() {
        try (ProcessProbe probe = ProcessProbe.start()) {
            System.gc();
            return probe.stop();
        }
    }

    @Test
    void countsPausesOfGarbageCollection() {
        PauseReport pauses = reportOfACollection().pauses();

        assertThat(pauses.collectionPauses()).isPositive();
        assertThat(pauses.safepoints()).isPositive();
        assertThat(pauses.longestCollectionNanos())
                .isPositive()
                .isLessThanOrEqualTo(pauses.collectionNanos());
        assertThat(pauses.longestTimeToSafepointNanos())
                .isPositive()
                .isLessThanOrEqualTo(pauses.timeToSafepointNanos());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void namesAProcessorForEachThreadThatRan() {
        assertThat(reportOfACollection().threads())
                .isNotEmpty()
                .allSatisfy(thread -> {
                    assertThat(thread.name()).isNotEmpty();
                    assertThat(thread.shares()).isNotEmpty();
                });
    }
}
