package io.rdmanet.loopback.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.loopback.connection.ConnectionRecord.Refusal;
import io.rdmanet.loopback.connection.ConnectionRecord.Step;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionRecordDescriptorTest {
    private static final InetSocketAddress SOURCE = address("127.0.0.1", 65_535);
    private static final InetSocketAddress DESTINATION = address("fe80::12", 1);

    @ParameterizedTest
    @EnumSource(Step.class)
    void carriesEveryFieldOfEveryStep(Step step) throws RecordException {
        byte[] data = new byte[step.maxPrivateData];
        new Random(1).nextBytes(data);
        Refusal refusal = step == Step.REJECTION ? Refusal.OTHER_ADDRESS : Refusal.NONE;
        ConnectionRecord record =
                new ConnectionRecord(
                        step,
                        refusal,
                        Long.MIN_VALUE + 1,
                        0xff_ffff,
                        0xff_fffe,
                        255,
                        254,
                        7,
                        6,
                        SOURCE,
                        DESTINATION,
                        data);
        ByteBuffer encoded = ConnectionRecordDescriptor.encode(record);
        assertThat(encoded.remaining()).isEqualTo(ConnectionRecordDescriptor.LENGTH);
        assertThat(ConnectionRecordDescriptor.decode(encoded))
                .usingRecursiveComparison()
                .isEqualTo(record);
    }

    @Test
    void refusesMorePrivateDataThanTheStepCarries() {
        for (Step step : Step.values()) {
            byte[] data = new byte[step.maxPrivateData + 1];
            assertThatThrownBy(() ->
                            new ConnectionRecord(
                                    step, Refusal.NONE, 0, 0, 0, 0, 0, 0, 0, SOURCE, SOURCE, data))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void tellsAnotherVersionFromGarbage() {
        ByteBuffer newer = request();
        newer.putShort(ConnectionRecordDescriptor.VERSION_OFFSET, (short) 2);
        assertThatThrownBy(() -> ConnectionRecordDescriptor.decode(newer))
                .isInstanceOfSatisfying(
                        RecordException.class, e -> assertThat(e.isOfOtherVersion()).isTrue())
                .hasMessageContaining("version 2")
                .hasMessageContaining("this one 1");
        ByteBuffer garbage = request();
        garbage.putInt(ConnectionRecordDescriptor.MAGIC_OFFSET, 0);
        assertThatThrownBy(() -> ConnectionRecordDescriptor.decode(garbage))
                .isInstanceOfSatisfying(
                        RecordException.class, e -> assertThat(e.isOfOtherVersion()).isFalse());
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                ConnectionRecordDescriptor.STEP_OFFSET,
                ConnectionRecordDescriptor.REFUSAL_OFFSET,
                ConnectionRecordDescriptor.QUEUE_PAIR_OFFSET,
                ConnectionRecordDescriptor.PACKET_SEQUENCE_OFFSET,
                ConnectionRecordDescriptor.RETRY_COUNT_OFFSET,
                ConnectionRecordDescriptor.RNR_RETRY_COUNT_OFFSET,
                ConnectionRecordDescriptor.PRIVATE_DATA_LENGTH_OFFSET,
                ConnectionRecordDescriptor.SOURCE_OFFSET,
                ConnectionRecordDescriptor.DESTINATION_OFFSET
            })
    void refusesAFieldThatCannotBe(int offset) {
        ByteBuffer record = request();
        record.put(offset, (byte) 0xff);
        assertThatThrownBy(() -> ConnectionRecordDescriptor.decode(record))
                .isInstanceOf(RecordException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void neverFailsOtherwiseWhateverTheBytesAre(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            ByteBuffer record = request();
            for (int j = random.nextInt(8); j >= 0; j--) {
                record.put(6 + random.nextInt(70), (byte) random.nextInt());
            }
            try {
                ConnectionRecordDescriptor.decode(record);
            } catch (RecordException expected) {
                // that is the only way out
            }
        }
    }

    private static ByteBuffer request() {
        return ConnectionRecordDescriptor.encode(
                ConnectionRecord.of(Step.REQUEST, 1, SOURCE, DESTINATION));
    }

    private static InetSocketAddress address(String host, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
