package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.bw.run.ControlRecord.Done;
import io.rdmanet.bw.run.ControlRecord.Run;
import io.rdmanet.bw.run.ControlRecord.Settled;
import io.rdmanet.bw.run.ControlRecord.Setup;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControlDescriptorTest {
    static List<ControlRecord> records() {
        return List.of(
                new Setup(64, 1, 1 << 30),
                new Settled(0, 65536, 128),
                new Settled(65535, 1 << 30, 16384),
                new Run(Mode.MSG, 1, 1, 0, Long.MIN_VALUE, 0, false, false),
                new Run(Mode.BATCH, 8 << 20, 32, Long.MAX_VALUE, -1, 7, true, false),
                new Run(Mode.ZERO_COPY, 1024, 16384, 5, 42, -1, false, true),
                new Done(0, 0, 0, 0),
                new Done(Long.MAX_VALUE, Long.MAX_VALUE, 3, 1));
    }

    @ParameterizedTest
    @MethodSource("records")
    void readsWhatItWrote(ControlRecord record) throws Exception {
        byte[] message = ControlDescriptor.encode(record);

        assertThat(message).hasSize(ControlDescriptor.LENGTH);
        assertThat(ControlDescriptor.decode(message)).isEqualTo(record);
    }

    @Test
    void beginsWithMagicAndVersionInNetworkOrder() {
        assertThat(ControlDescriptor.encode(new Settled(1, 2, 3)))
                .startsWith('R', 'B', 'W', 'C', 0, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 65, 4096})
    void refusesMessagesOfAnotherLength(int length) {
        assertThatThrownBy(() -> ControlDescriptor.decode(new byte[length]))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining(length + " bytes")
                .hasMessageContaining("not rdmanet-bw");
    }

    @Test
    void refusesAnotherMagic() {
        assertThatThrownBy(() -> ControlDescriptor.decode(new byte[64]))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("not rdmanet-bw");
    }

    @Test
    void namesBothVersions() {
        byte[] message = ControlDescriptor.encode(new Done(1, 1, 1, 1));
        message[5] = 9;
        assertThatThrownBy(() -> ControlDescriptor.decode(message))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("version 9")
                .hasMessageContaining("this one 1");
    }

    @Test
    void refusesValuesThatCannotBe() {
        refuses(new Run(Mode.MSG, 1, 1, 0, 0, 0, false, false), 8, 0, "size 0");
        refuses(new Run(Mode.MSG, 1, 1, 0, 0, 0, false, false), 12, -1, "batch -1");
        refuses(
                new Run(Mode.MSG, 1, 1, 0, 0, 0, false, false),
                8,
                Buffers.MAX_MESSAGE_BYTES + 1,
                "size 1073741825");
        refuses(new Setup(64, 1, 1), 8, -64, "slotBytes -64");
        refuses(new Settled(1, 1, 1), 16, 65536, "port 65536");
    }

    private static void refuses(ControlRecord record, int offset, int value, String detail) {
        byte[] message = ControlDescriptor.encode(record);
        ByteBuffer.wrap(message).putInt(offset, value);
        assertThatThrownBy(() -> ControlDescriptor.decode(message))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining(detail);
    }

    @Test
    void refusesTheRawModeSinceThatNeedsNoRecords() {
        byte[] message = ControlDescriptor.encode(new Run(Mode.MSG, 1, 1, 0, 0, 0, false, false));
        message[7] = 4;
        assertThatThrownBy(() -> ControlDescriptor.decode(message))
                .isInstanceOf(ProtocolViolationException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void throwsNothingElseOnGarbage(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            byte[] message = ControlDescriptor.encode(new Settled(1, 2, 3));
            for (int changes = random.nextInt(8); changes >= 0; changes--) {
                message[6 + random.nextInt(58)] = (byte) random.nextInt();
            }
            try {
                assertThat(ControlDescriptor.decode(message)).isNotNull();
            } catch (ProtocolViolationException e) {
                assertThat(e).hasMessageContaining("control record");
            }
        }
    }
}
