package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeoutsTest {
    @Test
    void tellsPartsOfASecondToo() {
        assertThat(Timeouts.seconds(Duration.ofSeconds(30))).isEqualTo("30");
        assertThat(Timeouts.seconds(Duration.ofMillis(250))).isEqualTo("0.25");
        assertThat(Timeouts.seconds(Duration.ofMillis(1500))).isEqualTo("1.5");
    }
}
