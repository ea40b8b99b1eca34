package io.rdmanet.bw.probe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// Where a thread ran, for JDK Flight Recorder; made when the measurement is over.
@Name("io.rdmanet.bw.Thread")
@Label("Thread Placement")
@Category("rdmanet")
@Description("The processors that a thread ran on, and the processor time it used")
@StackTrace(false)
final class ThreadEvent extends Event {
    @Label("Name")
    String name = "";

    @Label("Processor Time")
    @Timespan(Timespan.MILLISECONDS)
    long processorTime;

    @Label("Processors")
    String processors = "";

    /// Makes one, if somebody records it.
    static void commit(ThreadPlacement thread) {
        ThreadEvent event = new ThreadEvent();
        if (event.shouldCommit()) {
            event.name = thread.name();
            event.processorTime = thread.processorMillis();
            event.processors = thread.processors();
            event.commit();
        }
    }
}
