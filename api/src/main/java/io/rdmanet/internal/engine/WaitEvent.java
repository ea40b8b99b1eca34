package io.rdmanet.internal.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// A wait of a connection's thread, for JDK Flight Recorder. Made only while probes are on.
@Name("io.rdmanet.Wait")
@Label("Connection Wait")
@Category("rdmanet")
@Description("A thread waited for a credit, a completion or a message")
@StackTrace(false)
final class WaitEvent extends Event {
    @Label("Queue Pair")
    int queuePair;

    @Label("Waited For")
    String reason = "";
}
