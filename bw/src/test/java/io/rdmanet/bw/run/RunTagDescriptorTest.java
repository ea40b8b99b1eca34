package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunTagDescriptorTest {
    @ParameterizedTest
    @CsvSource({
        "1, 0, false, false",
        "2, 16777215, true, true",
        "3, 1, true, false",
        "2, 77, false, true"
    })
    void keepsKindIndexAndFlagsApart(int kind, int index, boolean warmUp, boolean verify) {
        int tag = RunTagDescriptor.tag(kind, index, warmUp, verify);

        assertThat(tag).isBetween(0, (1 << 30) - 1);
        assertThat(RunTagDescriptor.kind(tag)).isEqualTo(kind);
        assertThat(RunTagDescriptor.index(tag)).isEqualTo(index);
        assertThat(RunTagDescriptor.isWarmUp(tag)).isEqualTo(warmUp);
        assertThat(RunTagDescriptor.isVerified(tag)).isEqualTo(verify);
    }

    @ParameterizedTest
    @CsvSource({"16777216, 0", "16777217, 1"})
    void wrapsTheIndexAround(int index, int expected) {
        int tag = RunTagDescriptor.tag(RunTagDescriptor.END, index, false, false);
        assertThat(RunTagDescriptor.index(tag)).isEqualTo(expected);
        assertThat(RunTagDescriptor.isVerified(tag)).isFalse();
    }
}
