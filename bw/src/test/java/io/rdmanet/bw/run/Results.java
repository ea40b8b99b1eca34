package io.rdmanet.bw.run;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.PollMode;
import io.rdmanet.ProbeReport;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import java.util.ArrayList;
import java.util.List;

/// Made-up results for tests of reports.
public final class Results {
    private Results() {}

    public static ConnectionDescription connection(String provider) {
        GlobalIdentifier gid = new GlobalIdentifier(0, 0xffff0a090001L);
        return new ConnectionDescription(
                provider,
                "asked for by name",
                provider + "0",
                1,
                LinkLayer.SHARED_MEMORY,
                ConnectionSetup.RDMA_CM,
                PathMtu.MTU_4096,
                3,
                gid,
                gid,
                0x11,
                0x12,
                0x8eb143,
                -1,
                64);
    }

    public static Setting setting(String provider, Mode mode, int size) {
        int batch = mode == Mode.MSG ? 1 : 32;
        return new Setting(
                connection(provider), mode, size, 128, batch, 128, PollMode.ADAPTIVE, false);
    }

    /// A result whose repeats each moved 1000 messages.
    ///
    /// @param nanos of each repeat
    public static CellResult cell(String provider, Mode mode, int size, long... nanos) {
        List<RunOutcome> outcomes = new ArrayList<>();
        for (long each : nanos) {
            outcomes.add(
                    new RunOutcome(
                            new Rate(1000, 1000L * size, each), 2e6, 500, 3, ProbeReport.NONE, 0));
        }
        return new CellResult(setting(provider, mode, size), outcomes);
    }
}
