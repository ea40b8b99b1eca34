package io.rdmanet.bw.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0.0",
        "0.0000004, 0.000000",
        "0.0016414, 0.001641",
        "0.12345, 0.1235",
        "1.23456, 1.235",
        "12.3456, 12.35",
        "123.456, 123.5",
        "1234.56, 1235",
        "123456.7, 123457"
    })
    void keepsFourSignificantDigits(double value, String text) {
        assertThat(Figures.figure(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1000, 1000", "1024, 1k", "65536, 64k", "1048576, 1m", "1049600, 1025k"})
    void writesSizesAsOptionsTakeThem(long bytes, String text) {
        assertThat(Figures.size(bytes)).isEqualTo(text);
    }

    @Test
    void alignsColumns() {
        TextTable table = new TextTable(TextTable.Align.LEFT, TextTable.Align.RIGHT);
        table.row("name", "n");
        table.row("a", "1000");

        assertThat(table.lines()).isEqualTo(List.of("name     n", "a     1000"));
    }
}
