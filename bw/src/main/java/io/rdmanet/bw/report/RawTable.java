package io.rdmanet.bw.report;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.RawVerb;
import io.rdmanet.bw.run.RunOutcome;
import io.rdmanet.bw.run.Setting;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The raw tier's output, laid out like ib_send_bw's so that both can be read side by side.
///
/// Every value is a fact about the connection; what a provider cannot tell says so. Lines of
/// ib_send_bw that would be constants here are left out.
final class RawTable {
    static final String RULE = "-".repeat(87);

    /// As ib_send_bw has it.
    static final String COLUMNS =
            " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]";

    private static final double BYTES_PER_MEBIBYTE = 1 << 20;
    private static final String UNKNOWN = "not known";

    private RawTable() {}

    /// What comes before the rows.
    static List<String> header(Setting setting) {
        ConnectionDescription connection = setting.connection();
        List<String> lines = new ArrayList<>();
        lines.add(RULE);
        lines.add(
                "                    "
                        + title(setting.verb())
                        + " BW Test"
                        + (setting.isReceiver() ? " (receiver)" : ""));
        line(lines, "Provider", connection.provider());
        line(lines, "Device", connection.device() + ", port " + connection.portNumber());
        line(lines, "Number of qps", "1");
        line(lines, "Connection type", "RC");
        line(lines, setting.isReceiver() ? "RX depth" : "TX depth", "" + setting.depth());
        if (!setting.isReceiver()) {
            line(
                    lines,
                    "CQ Moderation",
                    setting.batch() == 1
                            ? "1"
                            : "last of each chain (up to " + setting.batch() + ")");
        }
        line(
                lines,
                "Mtu",
                connection.pathMtu() == null ? UNKNOWN : connection.pathMtu().bytes() + "[B]");
        line(lines, "Link type", linkType(connection.linkLayer()));
        line(lines, "GID index", connection.gidIndex() < 0 ? UNKNOWN : "" + connection.gidIndex());
        line(lines, "Max inline data", connection.maxInlineData() + "[B]");
        boolean isRdmaCm = connection.setup() == ConnectionSetup.RDMA_CM;
        line(lines, "rdma_cm QPs", isRdmaCm ? "ON" : "OFF");
        line(lines, "Data ex. method", isRdmaCm ? "rdma_cm" : "TCP");
        line(lines, "Buffers", setting.buffers() + " x " + setting.size() + "[B]");
        lines.add(RULE);
        address(
                lines,
                " local",
                connection.localQueuePair(),
                connection.localPacketSequence(),
                connection.localGid());
        address(
                lines,
                " remote",
                connection.remoteQueuePair(),
                connection.remotePacketSequence(),
                connection.remoteGid());
        lines.add(RULE);
        lines.add(COLUMNS);
        return lines;
    }

    /// What ib_send_bw and its kin call the verb.
    static String title(RawVerb verb) {
        return switch (verb) {
            case SEND -> "Send";
            case WRITE -> "RDMA_Write";
            case READ -> "RDMA_Read";
        };
    }

    /// A line of the header.
    static void line(List<String> lines, String name, String value) {
        lines.add(String.format(Locale.ROOT, " %-16s: %s", name, value));
    }

    /// A link layer as ib_send_bw names it.
    static String linkType(LinkLayer layer) {
        return switch (layer) {
            case ETHERNET -> "Ethernet";
            case INFINIBAND -> "IB";
            case SHARED_MEMORY -> "Shared memory";
            case UNSPECIFIED -> UNKNOWN;
        };
    }

    private static void address(
            List<String> lines,
            String whose,
            int queuePair,
            int packetSequence,
            @Nullable GlobalIdentifier gid) {
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%s address: QPN %s PSN %s",
                        whose,
                        hexadecimal(queuePair, "0x%04x"),
                        hexadecimal(packetSequence, "0x%06x")));
        lines.add(" GID: " + (gid == null ? UNKNOWN : gid.toString()));
    }

    private static String hexadecimal(int value, String format) {
        return value < 0 ? UNKNOWN : String.format(Locale.ROOT, format, value);
    }

    /// One run.
    static String row(Setting setting, RunOutcome outcome) {
        return String.format(
                Locale.ROOT,
                " %-7d    %-10d       %-7.2f            %-7.2f\t\t     %-7.6f",
                setting.size(),
                outcome.rate().messages(),
                outcome.peakMessagesPerSecond() * setting.size() / BYTES_PER_MEBIBYTE,
                outcome.rate().mibps(),
                outcome.rate().mpps());
    }
}
