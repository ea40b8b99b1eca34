package io.rdmanet.bw.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "64, 64",
        "1k, 1024",
        "64K, 65536",
        "8m, 8388608",
        "1024M, 1073741824",
        "1073741824, 1073741824",
        "007, 7"
    })
    void readsBytesWithOrWithoutSuffix(String text, int bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "k",
                "-1",
                "+1",
                "1.5k",
                "64kb",
                "0x10",
                " 64",
                "1 k",
                "1e3",
                "٣",
                "9999999999999"
            })
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("is not a size");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0k", "1073741825", "1025m", "2097152k", "999999999999m"})
    void refusesSizesOutOfRangeWithoutOverflow(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("out of range");
    }
}
