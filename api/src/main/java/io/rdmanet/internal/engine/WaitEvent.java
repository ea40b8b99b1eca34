package io.rdmanet.internal.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/// A long wait of a connection's thread, for JDK Flight Recorder. Made only while probes are on;
/// what is shorter than the threshold is in the sums of a [io.rdmanet.ProbeReport] only, since
/// there is a wait for nearly every message.
@Name("io.rdmanet.Wait")
@Label("Connection Wait")
@Category("rdmanet")
@Description("A thread waited for a credit, a completion or a message")
@StackTrace(false)
@Threshold("20 ms")
final class WaitEvent extends Event {
    private static final EventType TYPE = EventType.getEventType(WaitEvent.class);

    @Label("Queue Pair")
    int queuePair;

    @Label("Waited For")
    String reason = "";

    /// A wait begins.
    ///
    /// @return null if nobody records it: an event for each wait would show as allocated memory
    static @Nullable WaitEvent beginIfRecorded() {
        if (!TYPE.isEnabled()) {
            return null;
        }
        WaitEvent event = new WaitEvent();
        event.begin();
        return event;
    }
}
