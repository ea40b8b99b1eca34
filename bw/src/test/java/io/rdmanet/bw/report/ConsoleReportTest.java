package io.rdmanet.bw.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.ProbeReport;
import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.Rate;
import io.rdmanet.bw.run.Results;
import io.rdmanet.bw.run.RunOutcome;
import io.rdmanet.bw.run.Setting;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsoleReportTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private ConsoleReport report(boolean showsProbe, boolean verifies) {
        return new ConsoleReport(out, failure -> {}, showsProbe, verifies);
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void show(ConsoleReport report, CellResult result) {
        report.begins(result.setting());
        int repeat = 1;
        for (RunOutcome outcome : result.repeats()) {
            report.runDone(result.setting(), outcome, repeat++);
        }
        report.cellDone(result);
        report.finish();
    }

    @Test
    void printsALineInTheUnitsOfAllModes() {
        show(report(false, false), Results.cell("loopback", Mode.BATCH, 65536, 100_000_000));

        assertThat(text())
                .isEqualTo(
                        "SendBatch(32): sent 1000 x 65536 bytes in 0.1000 s: 5.243 Gb/s, 625.0 MiB/s,"
                                + " 0.01000 Mpps\n");
    }

    @Test
    void printsMedianMinAndMaxOfRepeats() {
        show(
                report(false, false),
                Results.cell("loopback", Mode.MSG, 1000, 80_000_000, 160_000_000, 40_000_000));

        assertThat(text())
                .contains("SendMsg: sent")
                .contains("median of 3, 1000 bytes: 0.1000 Gb/s")
                .contains("min 0.05000, max 0.2000 Gb/s");
    }

    @Test
    void saysThatARunWasTooShortToMeanMuch() {
        show(report(false, false), Results.cell("loopback", Mode.MSG, 64, 1_300_000));

        assertThat(text()).contains("lasted only 1.300 ms");
    }

    @Test
    void printsTheTableOfIbSendBwWithMeasuredValues() {
        show(report(false, false), Results.cell("loopback", Mode.RAW, 65536, 100_000_000));

        assertThat(text())
                .contains(
                        """
                         #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]
                         65536      1000             125000.00            625.00 \t\t     0.010000
                        """)
                .contains(" Device          : loopback0, port 1\n")
                .contains(" TX depth        : 128\n")
                .contains(" Mtu             : 4096[B]\n")
                .contains(" Link type       : Shared memory\n")
                .contains(" GID index       : 3\n")
                .contains(" Max inline data : 64[B]\n")
                .contains(" rdma_cm QPs     : ON\n")
                .contains(" Buffers         : 128 x 65536[B]\n")
                .contains(" local address: QPN 0x0011 PSN 0x8eb143\n")
                .contains(" remote address: QPN 0x0012 PSN not known\n")
                .contains(" GID: 0000:0000:0000:0000:0000:ffff:0a09:0001\n")
                .endsWith("-".repeat(87) + "\n");
    }

    @Test
    void saysReceivedAtTheServer() {
        Setting sender = Results.setting("loopback", Mode.BATCH, 10);
        Setting receiver =
                new Setting(
                        sender.connection(),
                        sender.mode(),
                        10,
                        128,
                        32,
                        32,
                        sender.pollMode(),
                        true);
        RunOutcome outcome = new RunOutcome(new Rate(5, 50, 1000), 0, 0, 0, ProbeReport.NONE, 0);

        assertThat(ConsoleReport.line(receiver, outcome))
                .startsWith("RecvBatch(32): received 5 x 10 bytes in");
    }

    @Test
    void showsWhereTimeWent() {
        ConsoleReport report = report(true, false);
        Setting setting = Results.setting("loopback", Mode.BATCH, 10);
        report.runDone(
                setting,
                new RunOutcome(
                        new Rate(1000, 10_000, 1_000_000),
                        0,
                        2000,
                        7,
                        new ProbeReport(1000, 100_000, 50_000, 250_000, 500_000, 0),
                        0),
                1);

        assertThat(text())
                .contains("2.000 bytes allocated per message, 7 ms of garbage collection")
                .containsPattern("post +100.0 ns +10.0 %")
                .containsPattern("wait for credits +250.0 ns +25.0 %");
    }

    @Test
    void saysWhatVerificationFound() {
        show(report(false, true), Results.cell("loopback", Mode.MSG, 64, 100_000_000));
        assertThat(text()).contains("verify: every byte was right");
    }

    @Test
    void countsWrongMessages() {
        report(false, true)
                .runDone(
                        Results.setting("loopback", Mode.MSG, 10),
                        new RunOutcome(new Rate(9, 90, 1000), 0, 0, 0, ProbeReport.NONE, 3),
                        1);
        assertThat(text()).contains("verify: 3 of 9 messages arrived wrong");
    }

    @Test
    void saysWhereItListens() {
        report(false, false)
                .listening(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 18515),
                        "loopback",
                        "the best");
        assertThat(text()).isEqualTo("provider loopback: the best\nlistening on 127.0.0.1:18515\n");
    }
}
