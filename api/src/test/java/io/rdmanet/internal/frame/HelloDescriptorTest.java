package io.rdmanet.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.internal.frame.HelloDescriptor.MessageHello;
import io.rdmanet.internal.frame.HelloDescriptor.RawHello;
import io.rdmanet.internal.setup.Role;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelloDescriptorTest {
    private static final MessageHello MESSAGE = new MessageHello(5, 65536, 128, 64 << 20, 5);
    private static final RawHello RAW =
            new RawHello(1, 0x1234_5678_9abc_def0L, 77, 1L << 33, 256, 1 << 20, 3, true, 7);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /// With room for the frame of another version.
    private final MemorySegment frame = MemorySegment.ofArray(new byte[128]);

    @Test
    void returnsWhatAMessageEndWrote() {
        write(MESSAGE);

        assertThat(fault(Role.MESSAGE)).isEmpty();
        assertThat(HelloDescriptor.readMessage(frame, 0)).isEqualTo(MESSAGE);
    }

    @Test
    void returnsWhatARawEndWrote() {
        write(RAW);

        assertThat(fault(Role.RAW)).isEmpty();
        assertThat(HelloDescriptor.readRaw(frame, 0)).isEqualTo(RAW);
    }

    @Test
    void returnsWhetherARawEndKeepsMessages() {
        RawHello forgetful = new RawHello(1, 2, 3, 4, 256, 1 << 20, 256, false, 7);
        write(RAW);
        write(forgetful);

        assertThat(fault(Role.RAW)).isEmpty();
        assertThat(HelloDescriptor.readRaw(frame, 0)).isEqualTo(forgetful);
    }

    @Test
    void beginsWithAMagicThatCanBeRead() {
        write(MESSAGE);

        assertThat(
                        new String(
                                frame.toArray(ValueLayout.JAVA_BYTE),
                                0,
                                7,
                                java.nio.charset.StandardCharsets.US_ASCII))
                .isEqualTo("RDMANET");
    }

    @Test
    void namesBothVersionsOfEndsThatDiffer() {
        write(MESSAGE);
        frame.set(SHORT, 8, (short) 9);

        assertThat(fault(Role.MESSAGE)).contains("version 9").contains("version 3");
    }

    @Test
    void namesBothRolesOfEndsThatDiffer() {
        write(RAW);
        assertThat(fault(Role.MESSAGE))
                .contains("a raw connection")
                .contains("a message connection");

        write(MESSAGE);
        assertThat(fault(Role.RAW)).contains("a raw connection").contains("a message connection");
    }

    @Test
    void recognisesStrangers() {
        write(MESSAGE);
        frame.set(ValueLayout.JAVA_BYTE, 0, (byte) 'X');

        assertThat(fault(Role.MESSAGE)).contains("no rdmanet");
        assertThat(fault(HelloDescriptor.HEADER, 12, Role.MESSAGE)).contains("12 bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void knowsFormerVersionsByTheirRecordBehindAHeader(int version) {
        HelloDescriptor.write(frame, 8, MESSAGE);
        frame.set(SHORT, 8 + 8, (short) version);

        assertThat(HelloDescriptor.fault(false, 0, frame, 0, 72, Role.MESSAGE))
                .contains("the peer speaks version " + version + ", this end version 3");
        assertThat(HelloDescriptor.fault(true, HelloDescriptor.HEADER, frame, 0, 72, Role.MESSAGE))
                .contains("72 bytes");
        frame.set(ValueLayout.JAVA_BYTE, 8, (byte) 'X');
        assertThat(HelloDescriptor.fault(false, 0, frame, 0, 72, Role.MESSAGE))
                .contains("no rdmanet");
    }

    @Test
    void refusesARecordWhoseHeaderIsAnyOther() {
        write(MESSAGE);
        assertThat(HelloDescriptor.fault(false, HelloDescriptor.HEADER, frame, 0, 64, Role.MESSAGE))
                .contains("no header");
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            int header = HelloDescriptor.HEADER ^ 1 << bit;

            assertThat(fault(header, HelloDescriptor.LENGTH, Role.MESSAGE))
                    .contains("header 0x" + Integer.toHexString(header));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "16,0,slot bytes",
        "16,-1,slot bytes",
        "16,63,slot bytes",
        "20,0,depth",
        "20,16385,depth",
        "24,0,max message",
        "24,-5,max message",
        "28,0,control window"
    })
    void refusesValuesOutsideTheirRange(int offset, int value, String name) {
        write(MESSAGE);
        frame.set(INT, offset, value);

        assertThat(fault(Role.MESSAGE)).contains(name);
    }

    @ParameterizedTest
    @CsvSource({
        "28,0,transmit depth",
        "40,0,max message",
        "44,0,buffer count",
        "44,257,buffer count",
        "32,-1,region",
        "52,2,keeping",
        "52,-1,keeping"
    })
    void refusesRawValuesOutsideTheirRange(int offset, int value, String name) {
        write(RAW);
        frame.set(INT, offset, value);

        assertThat(fault(Role.RAW)).contains(name);
    }

    @Test
    void ignoresFeaturesItDoesNotKnow() {
        write(MESSAGE);
        frame.set(INT, 12, -1);

        assertThat(fault(Role.MESSAGE)).isEmpty();
    }

    @Test
    void neverThrowsWhateverArrives() {
        long seed = 20261129;
        System.out.println("HelloDescriptorTest seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            write(MESSAGE);
            int changes = 1 + random.nextInt(8);
            for (int change = 0; change < changes; change++) {
                frame.set(
                        ValueLayout.JAVA_BYTE,
                        random.nextInt(HelloDescriptor.LENGTH),
                        (byte) random.nextInt());
            }
            if (fault(Role.MESSAGE).isEmpty()) {
                MessageHello hello = HelloDescriptor.readMessage(frame, 0);
                assertThat(hello.depth()).isBetween(1, 16384);
                assertThat(hello.controlWindow()).isBetween(4, 255);
            }
        }
    }

    private void write(MessageHello hello) {
        HelloDescriptor.write(frame, 0, hello);
    }

    private void write(RawHello hello) {
        HelloDescriptor.write(frame, 0, hello);
    }

    private String fault(Role own) {
        return fault(HelloDescriptor.HEADER, HelloDescriptor.LENGTH, own);
    }

    private String fault(int header, int byteLength, Role own) {
        return HelloDescriptor.fault(true, header, frame, 0, byteLength, own);
    }
}
