package io.rdmanet.bw.run;

import io.rdmanet.ProbeReport;

/// Arithmetic on probe reports, which count since a connection was opened.
final class Probes {
    private Probes() {}

    /// What came after an earlier report.
    static ProbeReport difference(ProbeReport later, ProbeReport earlier) {
        return new ProbeReport(
                later.workRequests() - earlier.workRequests(),
                later.postNanos() - earlier.postNanos(),
                later.pollNanos() - earlier.pollNanos(),
                later.creditWaitNanos() - earlier.creditWaitNanos(),
                later.completionWaitNanos() - earlier.completionWaitNanos(),
                later.receiveWaitNanos() - earlier.receiveWaitNanos());
    }
}
