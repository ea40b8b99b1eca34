package io.rdmanet.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDescriptorTest {
    private static final int SLOT_BYTES = 1024;

    @ParameterizedTest
    @CsvSource({"0,0,0", "1,1,1", "2,255,65535", "8,4,16384", "4,128,32768", "15,255,65535"})
    void returnsWhatWasEncoded(int flags, int acks, int credits) {
        int header = FrameDescriptor.encode(flags, acks, credits);

        assertThat(FrameDescriptor.flags(header)).isEqualTo(flags);
        assertThat(FrameDescriptor.controlAcks(header)).isEqualTo(acks);
        assertThat(FrameDescriptor.credits(header)).isEqualTo(credits);
    }

    @Test
    void laysTheHeaderOutAsTheFigureSays() {
        assertThat(FrameDescriptor.encode(FrameFlags.CREDIT, 3, 0x0405)).isEqualTo(0x02_03_0405);
        assertThat(FrameDescriptor.encode(15, 0xff, 0xffff)).isEqualTo(0x0fff_ffff);
        assertThat(HelloDescriptor.HEADER).isEqualTo(0x0800_0000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, SLOT_BYTES})
    void refusesFramesWithoutImmediateDataWhateverStandsInItsPlace(int byteLength) {
        assertThat(FrameDescriptor.fault(false, 0, byteLength, SLOT_BYTES))
                .contains("a frame of " + byteLength + " bytes")
                .contains("without its header");
        assertThat(FrameDescriptor.fault(false, HelloDescriptor.HEADER, byteLength, SLOT_BYTES))
                .contains("without its header");
    }

    @ParameterizedTest
    @ValueSource(ints = {28, 29, 30, 31})
    void refusesEachReservedBitWithEachKind(int bit) {
        for (int flags = 0; flags < 16; flags++) {
            int header = FrameDescriptor.encode(flags, 0, 0) | 1 << bit;

            assertThat(FrameDescriptor.fault(true, header, 0, SLOT_BYTES))
                    .contains("reserved bits")
                    .contains("0x" + Integer.toHexString(header));
        }
    }

    @Test
    void refusesEveryCombinationOfFlags() {
        for (int flags = 0; flags < 16; flags++) {
            boolean isLegal = Integer.bitCount(flags) <= 1;

            assertThat(FrameFlags.areLegal(flags)).isEqualTo(isLegal);
            if (!isLegal) {
                assertThat(fault(flags, 0)).contains("does not exist");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1025,1025", "2147483647,2147483647", "-1,4294967295", "-2147483648,2147483648"})
    void refusesMoreThanASlotTakes(int byteLength, String words) {
        assertThat(fault(FrameFlags.LAST, byteLength)).contains(words).contains("takes 1024");
        assertThat(fault(FrameFlags.MORE, byteLength)).contains(words).contains("takes 1024");
        assertThat(fault(FrameFlags.CREDIT, byteLength)).contains(words);
    }

    @Test
    void refusesControlFramesWithPayloadAndEmptyFramesThatGoOn() {
        assertThat(fault(FrameFlags.CREDIT, 1)).contains("control");
        assertThat(fault(FrameFlags.FIN, 1)).contains("control");
        assertThat(fault(FrameFlags.MORE, 0)).contains("empty");
        assertThat(fault(FrameFlags.HELLO, 63)).contains("hello");
        assertThat(fault(FrameFlags.HELLO, 65)).contains("hello");
    }

    @Test
    void takesWhatIsLegal() {
        assertThat(fault(FrameFlags.LAST, 0)).isEmpty();
        assertThat(fault(FrameFlags.LAST, SLOT_BYTES)).isEmpty();
        assertThat(fault(FrameFlags.MORE, 1)).isEmpty();
        assertThat(fault(FrameFlags.MORE, SLOT_BYTES)).isEmpty();
        assertThat(fault(FrameFlags.CREDIT, 0)).isEmpty();
        assertThat(fault(FrameFlags.FIN, 0)).isEmpty();
        assertThat(fault(FrameFlags.HELLO, HelloDescriptor.LENGTH)).isEmpty();
    }

    @Test
    void neverThrowsWhateverArrives() {
        long seed = 20261129;
        System.out.println("FrameDescriptorTest seed " + seed);
        Random random = new Random(seed);
        int legal = 0;
        for (int i = 0; i < 200_000; i++) {
            int header = random.nextInt() & ~(random.nextInt() & 0xff00_0000);
            int byteLength = random.nextInt(SLOT_BYTES + 9);

            String fault = FrameDescriptor.fault(true, header, byteLength, SLOT_BYTES);

            if (fault.isEmpty()) {
                legal++;
                assertThat(header).isBetween(0, 0x08ff_ffff);
                assertThat(byteLength).isLessThanOrEqualTo(SLOT_BYTES);
            }
        }
        assertThat(legal).isPositive();
    }

    private static String fault(int flags, int byteLength) {
        return FrameDescriptor.fault(
                true, FrameDescriptor.encode(flags, 7, 300), byteLength, SLOT_BYTES);
    }
}
