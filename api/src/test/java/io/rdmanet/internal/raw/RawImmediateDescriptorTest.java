package io.rdmanet.internal.raw;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RawImmediateDescriptorTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, RawImmediateDescriptor.MAX_TAG - 1, RawImmediateDescriptor.MAX_TAG})
    void bringsKindAndTagAcross(int tag) {
        for (int kind = 0; kind < 4; kind++) {
            int immediate = RawImmediateDescriptor.encode(kind, tag);
            assertThat(RawImmediateDescriptor.kind(immediate)).isEqualTo(kind);
            assertThat(RawImmediateDescriptor.tag(immediate)).isEqualTo(tag);
        }
    }
}
