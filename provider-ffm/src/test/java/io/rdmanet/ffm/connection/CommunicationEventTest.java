package io.rdmanet.ffm.connection;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.ffm.c.CommunicationEventDescriptor;
import io.rdmanet.ffm.c.ConnectionParametersDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommunicationEventTest {
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment struct = arena.allocate(80, 8);

    @ParameterizedTest
    @CsvSource({
        "0, ADDR_RESOLVED",
        "2, ROUTE_RESOLVED",
        "4, CONNECT_REQUEST",
        "5, CONNECT_RESPONSE",
        "8, REJECTED",
        "9, ESTABLISHED",
        "10, DISCONNECTED",
        "11, DEVICE_REMOVAL",
        "14, ADDR_CHANGE",
        "15, TIMEWAIT_EXIT",
        "16, UNKNOWN"
    })
    void readsItsType(int code, CommunicationEvent.Type type) {
        struct.set(JAVA_INT, CommunicationEventDescriptor.TYPE, code);

        CommunicationEvent event = CommunicationEvent.copyOf(struct.address());

        assertThat(event.type()).isEqualTo(type);
        assertThat(event.typeCode()).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 148, 255})
    void copiesPrivateData(int length) {
        MemorySegment data = arena.allocate(256);
        data.fill((byte) 7);
        MemorySegment parameters =
                struct.asSlice(
                        CommunicationEventDescriptor.PARAMETERS,
                        ConnectionParametersDescriptor.SIZE);
        parameters.set(JAVA_LONG, ConnectionParametersDescriptor.PRIVATE_DATA, data.address());
        parameters.set(
                JAVA_BYTE, ConnectionParametersDescriptor.PRIVATE_DATA_LENGTH, (byte) length);
        struct.set(JAVA_LONG, CommunicationEventDescriptor.IDENTIFIER, 0x1234L);
        struct.set(JAVA_INT, CommunicationEventDescriptor.STATUS, -5);

        CommunicationEvent event = CommunicationEvent.copyOf(struct.address());
        data.fill((byte) 0);

        byte[] expected = new byte[length];
        Arrays.fill(expected, (byte) 7);
        assertThat(event.privateData()).isEqualTo(expected);
        assertThat(event.identifier()).isEqualTo(0x1234L);
        assertThat(event.status()).isEqualTo(-5);
    }

    @Test
    void hasNoPrivateDataWithoutAnAddress() {
        assertThat(CommunicationEvent.copyOf(struct.address()).privateData()).isEmpty();
    }
}
