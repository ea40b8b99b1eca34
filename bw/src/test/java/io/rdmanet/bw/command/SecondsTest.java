package io.rdmanet.bw.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class SecondsTest {
    private final Seconds seconds = new Seconds();

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "5, 5000000000",
        "0.5, 500000000",
        ".25, 250000000",
        "0.000000001, 1",
        "1000000, 1000000000000000"
    })
    void readsSecondsWithDecimals(String text, long nanos) {
        assertThat(seconds.convert(text).toNanos()).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "5s", "1e9", "NaN", ".", "1.", "0.0000000001", "1000001"})
    void refusesWhatIsNoTime(String text) {
        assertThatThrownBy(() -> seconds.convert(text)).isInstanceOf(TypeConversionException.class);
    }
}
