package io.rdmanet.bw.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.RawVerb;
import io.rdmanet.bw.perftest.PerftestEnd.Run;
import io.rdmanet.bw.perftest.wire.Recording;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The order and length of all messages of a run between two of our ends are those that two C tools
/// exchanged for the same options. Two ends that are wrong in the same way agree with each other;
/// they do not agree with a recording.
class PerftestOrderTest {
    private static final Run SEND = Run.of(RawVerb.SEND);
    private static final Run WRITE = Run.of(RawVerb.WRITE);
    private static final Run READ = Run.of(RawVerb.READ);

    /// `-a`: the powers of two from 2 B to 8 MiB.
    private static final Integer[] ALL_SIZES =
            IntStream.rangeClosed(1, 23).mapToObj(power -> 1 << power).toArray(Integer[]::new);

    record Recorded(String name, Run run) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Recorded> recordings() {
        return Stream.of(
                new Recorded("sbw", SEND),
                new Recorded("sbwq", SEND.queuePairs(2)),
                new Recorded("sbwD", SEND.seconds(1)),
                new Recorded("sbwb", SEND.bothWays()),
                new Recorded("sbwall", SEND.sizes(ALL_SIZES).iterations(5)),
                new Recorded("wbw", WRITE),
                new Recorded("wa", WRITE.sizes(ALL_SIZES).iterations(5)),
                new Recorded("wbwb", WRITE.bothWays()),
                new Recorded("wbwba", WRITE.bothWays().sizes(ALL_SIZES).iterations(5)),
                new Recorded("rbw", READ),
                new Recorded("rbwb", READ.bothWays()),
                new Recorded("slat", SEND.latency()));
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void keepsTheOrderOfTheTools(Recorded recorded) throws Exception {
        PerftestEnd server = PerftestEnd.server(recorded.run);
        List<String> heard;
        try (WireTap tap = WireTap.before(server.address())) {
            PerftestEnd client = PerftestEnd.client(recorded.run, tap.address());
            assertThat(client.failure()).isNull();
            assertThat(server.failure()).isNull();
            heard = tap.heard();
        }
        assertThat(heard).isEqualTo(shape(Recording.of(recorded.name)));
    }

    private static List<String> shape(Recording recording) {
        return recording.messages().stream()
                .filter(message -> !Recording.isFarewell(message.bytes()))
                .map(message -> WireTap.shape(message.isFromClient(), message.bytes().length))
                .toList();
    }
}
