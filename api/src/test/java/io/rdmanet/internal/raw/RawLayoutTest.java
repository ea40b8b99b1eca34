package io.rdmanet.internal.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.RawOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RawLayoutTest {
    private static RawLayout layout(int depth, int bytes, int buffers) {
        return new RawLayout(
                RawOptions.defaults()
                        .withTransmitDepth(depth)
                        .withMaxMessageBytes(bytes)
                        .withBufferCount(buffers));
    }

    @ParameterizedTest
    @CsvSource({"1, 64", "63, 64", "64, 64", "65, 128", "65536, 65536", "1073741824, 1073741824"})
    void beginsEachBufferOnACacheLine(int bytes, long stride) {
        assertThat(layout(1, bytes, 1).stride()).isEqualTo(stride);
        assertThat(layout(128, bytes, 128).offset(127)).isEqualTo(127 * stride);
    }

    @Test
    void givesEveryReceiveItsOwnBufferIfEveryMessageInFlightHasOne() {
        RawLayout own = layout(128, 64, 128);
        assertThat(own.receiveCount(514)).isEqualTo(130);
        assertThat(own.receiveBufferCount()).isEqualTo(130);
        assertThat(own.regionBytes(false)).isEqualTo(130 * 64);
        assertThat(own.regionBytes(true)).isEqualTo(128 * 64);
    }

    @Test
    void sharesBuffersAmongFourTimesTheDepthIfMessagesAreNotKept() {
        RawLayout shared = new RawLayout(layout(128, 64, 128).options().withKeepsMessages(false));
        assertThat(shared.receiveCount(1000)).isEqualTo(514);
        assertThat(shared.receiveBufferCount()).isEqualTo(128);
        assertThat(shared.regionBytes(false)).isEqualTo(128 * 64);
        assertThat(shared.regionBytes(true)).isEqualTo(128 * 64);
    }

    @ParameterizedTest
    @CsvSource({"128, 1", "128, 127", "2, 1"})
    void keepsNoMessagesInFewerBuffersThanAreInFlight(int depth, int buffers) {
        RawLayout few = layout(depth, 64, buffers);
        assertThat(few.options().keepsMessages()).isTrue();
        assertThat(few.receiveCount(1000)).isEqualTo(4 * depth + 2);
        assertThat(few.receiveBufferCount()).isEqualTo(buffers);
        assertThat(few.regionBytes(false)).isEqualTo(64L * buffers);
    }

    @Test
    void keepsMessagesInOneBufferIfOneIsInFlight() {
        assertThat(layout(1, 64, 1).receiveCount(1000)).isEqualTo(3);
        assertThat(layout(1, 64, 1).receiveBufferCount()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"130, 130", "200, 200", "514, 514", "515, 514"})
    void makesDoWithTheRoomThatTheQueuesHave(int room, int receives) {
        assertThat(layout(128, 64, 1).receiveCount(room)).isEqualTo(receives);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "128, 128, 128", "128, 1, 128", "128, 3, 129", "5, 4, 8"})
    void preparesWholeRoundsOfBuffers(int depth, int buffers, int ringLength) {
        assertThat(layout(depth, 64, buffers).sendRingLength()).isEqualTo(ringLength);
    }

    @Test
    void refusesRegionsBeyondTheLimitSayingWhatToLower() {
        assertThat(layout(4, 1 << 30, 3).fault()).isEmpty();
        assertThat(layout(16384, 64 << 10, 16384).fault()).isEmpty();
        assertThat(layout(16384, 1 << 30, 16384).fault())
                .contains("16384 buffers of 1073741824 bytes")
                .contains("lower the transmit depth");
    }
}
