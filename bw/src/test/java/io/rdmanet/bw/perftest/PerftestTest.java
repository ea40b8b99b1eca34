package io.rdmanet.bw.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.RawVerb;
import io.rdmanet.bw.perftest.PerftestEnd.Run;
import io.rdmanet.bw.perftest.wire.BandwidthReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Both ends ours, on the loopback device: the flow, the figures, and what happens to two ends that
/// were told different things. How C tools take it is for the guest to show.
class PerftestTest {
    private record Pair(PerftestEnd server, PerftestEnd client) {
        static Pair run(Run server, Run client) throws Exception {
            PerftestEnd serving = PerftestEnd.server(server);
            return new Pair(serving, PerftestEnd.client(client, serving.address()));
        }

        void succeed() throws Exception {
            assertThat(client.failure()).isNull();
            assertThat(server.failure()).isNull();
        }

        /// What the failed ends say.
        List<String> complaints() throws Exception {
            return Stream.of(client.failure(), server.failure())
                    .filter(Objects::nonNull)
                    .map(Throwable::getMessage)
                    .toList();
        }
    }

    @ParameterizedTest
    @EnumSource(RawVerb.class)
    void runsOneSizeOneWay(RawVerb verb) throws Exception {
        Run run = Run.of(verb);
        Pair pair = Pair.run(run, run);
        pair.succeed();
        assertThat(pair.client.bandwidths).singleElement().satisfies(PerftestTest::isOfOneSize);
        assertThat(pair.server.bandwidths).singleElement().satisfies(PerftestTest::isOfOneSize);
    }

    private static void isOfOneSize(BandwidthReport report) {
        assertThat(report.size()).isEqualTo(4096);
        assertThat(report.iterations()).isEqualTo(100);
        assertThat(report.averageMibps()).isPositive();
        assertThat(report.mpps()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(RawVerb.class)
    void runsSeveralQueuePairsAndCountsThemTogether(RawVerb verb) throws Exception {
        Run run = Run.of(verb).queuePairs(3).iterations(1000);
        Pair pair = Pair.run(run, run);
        pair.succeed();
        assertThat(pair.client.bandwidths)
                .singleElement()
                .extracting("iterations")
                .isEqualTo(3000L);
        assertThat(pair.server.bandwidths)
                .singleElement()
                .extracting("iterations")
                .isEqualTo(3000L);
    }

    @Test
    void sendsAllSizesAndBothEndsPrintEach() throws Exception {
        Run run = Run.of(RawVerb.SEND).sizes(2, 64, 2048, 4096, 65536).iterations(600);
        Pair pair = Pair.run(run, run);
        pair.succeed();
        for (PerftestEnd end : List.of(pair.client, pair.server)) {
            assertThat(end.bandwidths)
                    .extracting("size")
                    .containsExactly(2L, 64L, 2048L, 4096L, 65536L);
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {"WRITE", "READ"},
            value = RawVerb.class)
    void writesAndReadsAllSizesOfWhichTheTargetPrintsTheLast(RawVerb verb) throws Exception {
        Run run = Run.of(verb).sizes(2, 2048, 65536).iterations(50);
        Pair pair = Pair.run(run, run);
        pair.succeed();
        assertThat(pair.client.bandwidths).extracting("size").containsExactly(2L, 2048L, 65536L);
        assertThat(pair.server.bandwidths).isEqualTo(List.of(pair.client.bandwidths.getLast()));
    }

    @ParameterizedTest
    @EnumSource(RawVerb.class)
    void runsBothWaysAndBothEndsPrintTheSum(RawVerb verb) throws Exception {
        Run run = Run.of(verb).bothWays().iterations(1000).queuePairs(2);
        Pair pair = Pair.run(run, run);
        pair.succeed();
        assertThat(pair.client.bandwidths).hasSize(1);
        assertThat(pair.client.bandwidths.getFirst().averageMibps())
                .isEqualTo(pair.server.bandwidths.getFirst().averageMibps());
    }

    @ParameterizedTest
    @EnumSource(RawVerb.class)
    void runsAllSizesBothWays(RawVerb verb) throws Exception {
        Run run = Run.of(verb).bothWays().sizes(2, 2048, 65536).iterations(50);
        Pair pair = Pair.run(run, run);
        pair.succeed();
        assertThat(pair.client.bandwidths).hasSize(3);
        assertThat(pair.server.bandwidths).hasSize(3);
    }

    static Stream<Run> byTime() {
        return Stream.of(RawVerb.values())
                .flatMap(verb ->
                        Stream.of(Run.of(verb).seconds(4), Run.of(verb).seconds(4).bothWays()));
    }

    @ParameterizedTest
    @MethodSource
    void byTime(Run run) throws Exception {
        Pair pair = Pair.run(run, run);
        pair.succeed();
        assertThat(pair.client.bandwidths.getFirst().iterations()).isPositive();
        assertThat(pair.server.bandwidths.getFirst().iterations()).isPositive();
    }

    /// Both ways, the directions of writes are independent: one may take far longer than the
    /// patience for a message.
    @Test
    void waitsForThePeersReportAsLongAsARunMayTake() throws Exception {
        Run run = Run.of(RawVerb.WRITE).bothWays().iterations(1000).timeout(Duration.ofSeconds(3));
        PerftestEnd server = PerftestEnd.server(run);
        try (WireTap tap = WireTap.delaying(8, 4000, server.address())) {
            PerftestEnd client = PerftestEnd.client(run, tap.address());
            assertThat(client.failure()).isNull();
            assertThat(server.failure()).isNull();
        }
    }

    @Test
    void measuresLatencyOfAllSizes() throws Exception {
        Run run = Run.of(RawVerb.SEND).latency().sizes(2, 4096).iterations(200);
        Pair pair = Pair.run(run, run);
        pair.succeed();
        for (PerftestEnd end : List.of(pair.client, pair.server)) {
            assertThat(end.latencies).extracting("size").containsExactly(2, 4096);
            assertThat(end.latencies)
                    .allSatisfy(report -> {
                        assertThat(report.min()).isPositive();
                        assertThat(report.typical()).isBetween(report.min(), report.max());
                    });
        }
    }

    /// Options that one end lacks: each must end in bounded time, and one end say what to do.
    static Stream<Mismatch> mismatches() {
        Run send = Run.of(RawVerb.SEND);
        Run write = Run.of(RawVerb.WRITE);
        return Stream.of(
                new Mismatch(send, send.iterations(200), "-n"),
                new Mismatch(send.iterations(200), send, "-n"),
                new Mismatch(send, send.sizes(8192), "-s"),
                new Mismatch(send, send.sizes(1024), "-s"),
                new Mismatch(send, send.queuePairs(2), "-q"),
                new Mismatch(send.queuePairs(2), send, "-q"),
                new Mismatch(send, send.sizes(2, 8192), "-a"),
                new Mismatch(send.sizes(2, 8192), send, "-a"),
                new Mismatch(write, write.iterations(200), "-n"),
                new Mismatch(write, write.sizes(64 << 10), "-s"),
                new Mismatch(write, write.sizes(2, 1024), "-s"),
                new Mismatch(write.queuePairs(2), write, "-q"),
                new Mismatch(send, write, "tool"),
                new Mismatch(send.latency().iterations(50), send.latency(), "-n"),
                new Mismatch(send.seconds(1), send.iterations(5), "-D"),
                new Mismatch(send.seconds(3), send.iterations(5), "-D"),
                new Mismatch(send.seconds(10), send.iterations(5), "-D"),
                new Mismatch(send.iterations(5), send.seconds(1), "-D"),
                new Mismatch(send.iterations(5), send.seconds(3), "-D"),
                new Mismatch(send.iterations(5), send.seconds(10), "-D"));
    }

    record Mismatch(Run server, Run client, String option) {
        @Override
        public String toString() {
            return option + ": server " + server + ", client " + client;
        }
    }

    @ParameterizedTest
    @MethodSource("mismatches")
    void endsInBoundedTimeWhenTheEndsWereToldDifferentThings(Mismatch mismatch) throws Exception {
        Duration timeout = Duration.ofSeconds(4);
        Pair pair = Pair.run(mismatch.server.timeout(timeout), mismatch.client.timeout(timeout));

        List<String> complaints = pair.complaints();

        assertThat(complaints).anyMatch(complaint -> complaint.contains(mismatch.option));
    }

    @Test
    void saysThatNobodyListens() throws Exception {
        PerftestEnd server = PerftestEnd.server(Run.of(RawVerb.SEND));
        PerftestEnd client = PerftestEnd.client(Run.of(RawVerb.SEND), server.address());
        assertThat(client.failure()).isNull();
        assertThat(server.failure()).isNull();
        IOException failure = PerftestEnd.client(Run.of(RawVerb.SEND), server.address()).failure();
        assertThat(failure).hasMessageContaining("nobody listens on").hasMessageContaining("-p");
    }
}
