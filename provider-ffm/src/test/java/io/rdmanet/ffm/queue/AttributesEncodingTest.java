package io.rdmanet.ffm.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.ffm.c.QueuePairAttributesDescriptor;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairType;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttributesEncodingTest {
    private static final AddressVector WAY =
            new AddressVector(
                    2, new GlobalIdentifier(0xfe80_0000_0000_0000L, 0x1234), 255, 65_535, 64, 3, 7);

    private final Arena arena = Arena.ofShared(); // JUnit closes it on another thread
    private final long descriptor =
            arena.allocate(QueuePairAttributesDescriptor.SIZE, Long.BYTES).address();

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void readsWhatItWroteForAReliableConnection() {
        QueuePairAttributes all =
                QueuePairAttributes.toInit(1, EnumSet.allOf(AccessFlag.class))
                        .mergedWith(
                                QueuePairAttributes.toReadyToReceive(
                                        WAY, PathMtu.MTU_2048, 0xffffff, 0xfffffe))
                        .mergedWith(QueuePairAttributes.toReadyToSend(0xabcdef))
                        .with(Attribute.PARTITION_KEY_INDEX, 65_535)
                        .with(Attribute.TIMEOUT, 31);

        int mask = AttributesEncoding.write(all, descriptor);

        assertThat(mask).isEqualTo(AttributesEncoding.queryMask(QueuePairType.RELIABLE_CONNECTION));
        assertThat(AttributesEncoding.read(descriptor, QueuePairType.RELIABLE_CONNECTION))
                .isEqualTo(all);
    }

    @Test
    void readsWhatItWroteForDatagrams() {
        QueuePairAttributes all =
                QueuePairAttributes.to(QueuePairState.READY_TO_SEND)
                        .with(Attribute.PARTITION_KEY_INDEX, 1)
                        .with(Attribute.PORT_NUMBER, 1)
                        .with(Attribute.QUEUE_KEY, 0x11111111)
                        .with(Attribute.SEND_PACKET_SEQUENCE_NUMBER, 7);

        int mask = AttributesEncoding.write(all, descriptor);

        assertThat(mask).isEqualTo(AttributesEncoding.queryMask(QueuePairType.UNRELIABLE_DATAGRAM));
        assertThat(AttributesEncoding.read(descriptor, QueuePairType.UNRELIABLE_DATAGRAM))
                .isEqualTo(all);
    }

    @Test
    void writesNothingThatIsNotSet() {
        assertThat(AttributesEncoding.write(QueuePairAttributes.none(), descriptor)).isZero();
    }

    @Test
    void leavesOutAPathThatIsNotSetYet() {
        QueuePairAttributes read =
                AttributesEncoding.read(descriptor, QueuePairType.RELIABLE_CONNECTION);

        assertThat(read.state()).isEqualTo(QueuePairState.RESET);
        assertThat(read.has(Attribute.PATH_MTU)).isFalse();
        assertThat(read.has(Attribute.ADDRESS_VECTOR)).isFalse();
    }
}
