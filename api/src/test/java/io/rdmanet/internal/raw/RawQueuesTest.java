package io.rdmanet.internal.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.DeviceAttributes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RawQueuesTest {
    private static int room(int depth, int maxWorkRequests, int maxCompletionQueueEntries) {
        return RawQueues.receiveRoom(
                depth,
                new DeviceAttributes(
                        0, "", 9, maxWorkRequests, 1, 9, maxCompletionQueueEntries, 9, 9, 0, 1, 1));
    }

    @ParameterizedTest
    @CsvSource({"1, 6", "16, 66", "128, 514", "4096, 16386"})
    void hasRoomForFourTimesTheDepth(int depth, int receives) {
        assertThat(room(depth, Integer.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(receives);
    }

    @ParameterizedTest
    @CsvSource({"513, 9999, 513", "9999, 513, 513", "131, 131, 131", "130, 9999, 130"})
    void takesWhatTheDeviceHas(int requests, int entries, int receives) {
        assertThat(room(128, requests, entries)).isEqualTo(receives);
    }

    @ParameterizedTest
    @CsvSource({"4097, 16386", "16383, 16386", "16384, 16386"})
    void neverHasRoomForMoreThanTheLargestDepthNeeds(int depth, int receives) {
        assertThat(room(depth, Integer.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(receives);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 3", "0, 100"})
    void neverHasRoomForLessThanTheDepthNeeds(int requests, int entries) {
        assertThat(room(1, requests, entries)).isEqualTo(3);
    }
}
