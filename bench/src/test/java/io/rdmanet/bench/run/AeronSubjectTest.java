package io.rdmanet.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class AeronSubjectTest {
    /// The second slice was received in a burst, the third sent into an empty log.
    @Test
    void takesNoBurstOfOneEndForARate() throws Exception {
        assertThat(AeronSubject.fastest(List.of(10.0, 11.0, 50.0), List.of(9.0, 70.0, 8.0)))
                .isEqualTo(11);
    }

    @Test
    void refusesSlicesThatAreNotThoseOfBothEnds() {
        assertThatThrownBy(() -> AeronSubject.fastest(List.of(10.0, 11.0), List.of(9.0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2 slices sent, 1 received");
        assertThatThrownBy(() -> AeronSubject.fastest(List.of(), List.of()))
                .isInstanceOf(IOException.class);
    }
}
