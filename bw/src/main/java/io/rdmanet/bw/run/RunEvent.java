package io.rdmanet.bw.run;

import io.rdmanet.ProbeReport;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A run that counts, for JDK Flight Recorder; made when it is over, on each end. The times per
/// work request are 0 without `--probe`.
@Name("io.rdmanet.bw.Run")
@Label("Run")
@Category("rdmanet")
@Description("A run of rdmanet-bw, with the nanoseconds that each work request took")
@StackTrace(false)
final class RunEvent extends Event {
    @Label("Provider")
    String provider = "";

    @Label("Device")
    String device = "";

    @Label("Mode")
    String mode = "";

    @Label("End")
    String end = "";

    @Label("Message Size")
    @DataAmount
    int size;

    @Label("Messages")
    long messages;

    @Label("Time of the Run")
    @Timespan(Timespan.NANOSECONDS)
    long time;

    @Label("Allocated by the Thread")
    @DataAmount
    long allocatedBytes;

    @Label("Garbage Collection")
    @Timespan(Timespan.MILLISECONDS)
    long garbageCollection;

    @Label("Work Requests")
    long workRequests;

    @Label("Post, ns")
    double postNanos;

    @Label("Poll, ns")
    double pollNanos;

    @Label("Wait for Credits, ns")
    double creditWaitNanos;

    @Label("Wait for Completions, ns")
    double completionWaitNanos;

    @Label("Wait for Messages, ns")
    double receiveWaitNanos;

    /// Makes one, if somebody records it.
    static void commit(Setting setting, RunOutcome outcome) {
        RunEvent event = new RunEvent();
        if (event.shouldCommit()) {
            event.describe(setting, outcome);
            event.commit();
        }
    }

    private void describe(Setting setting, RunOutcome outcome) {
        provider = setting.connection().provider();
        device = setting.connection().device();
        mode = setting.label();
        end = setting.isReceiver() ? "receiver" : "sender";
        size = setting.size();
        messages = outcome.rate().messages();
        time = outcome.rate().nanos();
        allocatedBytes = outcome.allocatedBytes();
        garbageCollection = outcome.collectionMillis();
        ProbeReport probe = outcome.probe();
        workRequests = probe.workRequests();
        postNanos = probe.perWorkRequest(probe.postNanos());
        pollNanos = probe.perWorkRequest(probe.pollNanos());
        creditWaitNanos = probe.perWorkRequest(probe.creditWaitNanos());
        completionWaitNanos = probe.perWorkRequest(probe.completionWaitNanos());
        receiveWaitNanos = probe.perWorkRequest(probe.receiveWaitNanos());
    }
}
