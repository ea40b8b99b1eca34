package io.rdmanet.bw.perftest.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.PathMtu;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The layouts, on bytes that C tools sent.
class DescriptorTest {
    private static final String KEY_TEXT =
            "0000:0001:000011:8eb143:0000026e:000055d0e678e000:"
                    + "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:09:00:01:00000000:\0";
    private static final KeyMessage KEY =
            new KeyMessage(
                    0,
                    1,
                    0x11,
                    0x8eb143,
                    0x26e,
                    0x55d0e678e000L,
                    new GlobalIdentifier(0, 0xffff0a090001L),
                    0);
    private static final String KEY_WITHOUT_GID =
            "0000:0001:000012:339925:00000372:0000559e91294000:00000000\0";

    private static byte[] bytes(String hexadecimal) {
        return HexFormat.of().parseHex(hexadecimal);
    }

    @Test
    void writesAKeyMessageAsTheToolDoes() {
        assertThat(new String(KeyMessageDescriptor.encode(KEY), US_ASCII)).isEqualTo(KEY_TEXT);
        assertThat(KeyMessageDescriptor.encode(KEY)).hasSize(KeyMessageDescriptor.LENGTH);
    }

    @Test
    void readsAKeyMessageOfTheTool() throws Exception {
        assertThat(KeyMessageDescriptor.decode(KEY_TEXT.getBytes(US_ASCII))).isEqualTo(KEY);
    }

    @Test
    void keepsTheHighestValuesOfAllFields() throws Exception {
        KeyMessage highest =
                new KeyMessage(
                        0xffff,
                        0xffff,
                        0xffffff,
                        0xffffff,
                        -1,
                        -1,
                        new GlobalIdentifier(-1, -1),
                        -1);
        assertThat(KeyMessageDescriptor.decode(KeyMessageDescriptor.encode(highest)))
                .isEqualTo(highest);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 49, 106, 107})
    void refusesAKeyMessageWithOneWrongByte(int index) {
        byte[] message = KEY_TEXT.getBytes(US_ASCII);
        message[index] = 'x';
        assertThatThrownBy(() -> KeyMessageDescriptor.decode(message))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("expected a key message");
    }

    /// All reports of the tools that are not the junk of a one-way server; `-b` and `-a` are in.
    @ParameterizedTest
    @CsvSource({
        "wbw, true",
        "wa, true",
        "rbw, true",
        "sbwb, true",
        "sbwb, false",
        "wbwb, false",
        "rbwb, false",
        "wbwba, true",
        "wbwba, false"
    })
    void knowsTheUnitOfRecordedReportsByTheirRates(String name, boolean client) {
        List<byte[]> messages =
                Recording.of(name).sentBy(client).stream()
                        .filter(message -> message.length == ReportDescriptor.LENGTH)
                        .toList();
        assertThat(messages).isNotEmpty();
        for (int i = 0; i < messages.size(); i += ReportDescriptor.MESSAGES) {
            BandwidthReport report =
                    ReportDescriptor.decode(
                            messages.subList(i, i + ReportDescriptor.MESSAGES)
                                    .toArray(byte[][]::new));
            assertThat(report.isPossible()).isTrue();
            assertThat(report.isInMebibytes()).isTrue();
            double gigabits = report.averageMibps() * (1 << 20) * 8 / 1e9;
            assertThat(
                            new BandwidthReport(
                                            report.size(),
                                            report.iterations(),
                                            report.peakMibps(),
                                            gigabits,
                                            report.mpps())
                                    .isInMebibytes())
                    .isFalse();
        }
    }

    /// A tool whose clock is not calibrated, run with -F, prints zeros.
    @Test
    void takesAReportOfZerosForWhatItIs() {
        BandwidthReport zeros = new BandwidthReport(4096, 100, 0, 0, 0);
        assertThat(zeros.isPossible()).isTrue();
        assertThat(zeros.isInMebibytes()).isTrue();
    }

    @Test
    void knowsTheFormWithoutGidByItsFirstBytes() throws Exception {
        assertThat(KeyMessageDescriptor.isWithoutGid(KEY_WITHOUT_GID.getBytes(US_ASCII))).isTrue();
        assertThat(KeyMessageDescriptor.isWithoutGid(KEY_TEXT.substring(0, 59).getBytes(US_ASCII)))
                .isFalse();
        Recording recorded = Recording.of("ib59");
        assertThat(recorded.sentBy(true))
                .anySatisfy(message -> {
                    assertThat(message).hasSize(KeyMessageDescriptor.LENGTH_WITHOUT_GID);
                    assertThat(KeyMessageDescriptor.isWithoutGid(message)).isTrue();
                });
    }

    @Test
    void writesTheVersionAsTheToolDoes() throws Exception {
        byte[] version = bytes("362e3036000000000000000000000000");
        assertThat(PreambleDescriptor.encodeVersion(PerftestVersion.OWN)).isEqualTo(version);
        assertThat(PreambleDescriptor.decodeVersion(version)).isEqualTo(PerftestVersion.OWN);
    }

    @ParameterizedTest
    @CsvSource({
        "5.69, true",
        "5.60, true",
        "5.70, false",
        "5.7, false",
        "6.06, false",
        "6.29, false"
    })
    void refusesVersionsBefore570(String text, boolean refused) {
        assertThat(PerftestVersion.parse(text).isRefused()).isEqualTo(refused);
    }

    @ParameterizedTest
    @CsvSource({"6.06, false", "6.27, false", "6.28, true", "6.29, false"})
    void knowsTheVersionThatNegotiatesUnasked(String text, boolean negotiates) {
        assertThat(PerftestVersion.parse(text).negotiatesUnasked()).isEqualTo(negotiates);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HTTP/1.1\r\n", "6", "-6.06", "6.06.1", "6,06"})
    void takesNothingForAVersionThatIsNone(String text) throws Exception {
        byte[] message = java.util.Arrays.copyOf(text.getBytes(US_ASCII), 16);
        if (text.equals("6")) {
            assertThat(PreambleDescriptor.decodeVersion(message).toString()).isEqualTo("6");
            return;
        }
        assertThatThrownBy(() -> PreambleDescriptor.decodeVersion(message))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("does not speak perftest");
    }

    @Test
    void writesSizesInNetworkOrder() throws Exception {
        assertThat(PreambleDescriptor.encodeSize(4096)).isEqualTo(bytes("00001000"));
        assertThat(PreambleDescriptor.decodeSize(bytes("00000040"))).isEqualTo(64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000", "80000000", "7fffffff"})
    void refusesSizesThatNoMachineHas(String hexadecimal) {
        assertThatThrownBy(() -> PreambleDescriptor.decodeSize(bytes(hexadecimal)))
                .isInstanceOf(ProtocolViolationException.class);
    }

    @ParameterizedTest
    @EnumSource(PathMtu.class)
    void writesEveryMtuAsADigit(PathMtu mtu) throws Exception {
        byte[] message = PreambleDescriptor.encodeMtu(mtu);
        assertThat(message).containsExactly('0' + mtu.code(), 0);
        assertThat(PreambleDescriptor.decodeMtu(message)).isEqualTo(mtu);
    }

    @Test
    void refusesAnMtuThatDoesNotExist() {
        assertThatThrownBy(() -> PreambleDescriptor.decodeMtu(new byte[] {'6', 0}))
                .isInstanceOf(ProtocolViolationException.class);
    }

    @Test
    void readsAndWritesAReportOfTheTool() {
        byte[][] messages = {
            bytes("0000000000010000"),
            bytes("0000000000000064"),
            bytes("402b881d3af5350a"),
            bytes("40113a3dd9ebdf57"),
            bytes("3f1210793779c791")
        };
        BandwidthReport report = ReportDescriptor.decode(messages);
        assertThat(report.size()).isEqualTo(65536);
        assertThat(report.iterations()).isEqualTo(100);
        assertThat(report.peakMibps()).isBetween(13.765, 13.775);
        assertThat(report.averageMibps()).isBetween(4.305, 4.315);
        assertThat(report.mpps()).isBetween(0.0000685, 0.0000695);
        for (int i = 0; i < ReportDescriptor.MESSAGES; i++) {
            assertThat(ReportDescriptor.encode(report, i)).isEqualTo(messages[i]);
        }
    }

    @Test
    void sumsBothDirectionsButKeepsItsOwnIterations() {
        BandwidthReport sum =
                new BandwidthReport(64, 100, 1, 2, 3).plus(new BandwidthReport(64, 90, 10, 20, 30));
        assertThat(sum).isEqualTo(new BandwidthReport(64, 100, 11, 22, 33));
    }

    @Test
    void putsOptionsWhereVersion628LooksForThem() {
        byte[] message =
                NegotiationDescriptor.encode(
                        new Negotiation(true, 2, false, 0, 8 << 20, 5000, 3, 128));
        ByteBuffer fields = ByteBuffer.wrap(message);
        assertThat(message).hasSize(NegotiationDescriptor.LONG_LENGTH);
        assertThat(fields.getInt(0)).as("all sizes").isEqualTo(1);
        assertThat(fields.getInt(8)).as("verb").isEqualTo(2);
        assertThat(fields.getInt(12)).as("bandwidth").isEqualTo(1);
        assertThat(fields.getInt(20)).as("by iterations").isZero();
        assertThat(fields.getLong(32)).as("size").isEqualTo(8 << 20);
        assertThat(fields.getLong(40)).as("iterations").isEqualTo(5000);
        assertThat(fields.getInt(52)).as("queue pairs").isEqualTo(3);
        assertThat(fields.getInt(56)).as("duration").isEqualTo(5);
        assertThat(fields.order(ByteOrder.nativeOrder()).getInt(224)).as("reads").isEqualTo(128);
    }
}
