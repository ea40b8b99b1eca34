package io.rdmanet.internal.setup;

import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.VerbsException;
import java.util.Map;
import java.util.WeakHashMap;

/// Whether a device has failed or was removed, as its asynchronous events tell. Each event comes
/// once, so all connections of a context share its watch. Safe for use by any thread.
///
/// That somebody asks has another use: a provider that takes its device's events learns from them
/// which completion queues were overrun, and says so at the next poll. Other events are nobody's: a
/// queue pair's fault shows in its completions, a port's in what is not answered.
final class DeviceWatch {
    /// Guarded by the class's monitor. A watch does not know its context, which could not be
    /// collected otherwise.
    private static final Map<Context, DeviceWatch> OF_CONTEXTS = new WeakHashMap<>();

    private final boolean tellsItsEvents;
    private boolean isLost;

    private DeviceWatch(Context context) {
        tellsItsEvents = context.provider().capabilities().contains(Capability.ASYNC_EVENTS);
    }

    /// The watch of a context.
    static synchronized DeviceWatch of(Context context) {
        return OF_CONTEXTS.computeIfAbsent(context, DeviceWatch::new);
    }

    /// Whether the device is lost. Never blocks.
    ///
    /// @param context the one that it is the watch of, open
    synchronized boolean isLost(Context context) {
        if (!isLost && tellsItsEvents) {
            try {
                AsyncEvent event;
                while ((event = context.pollAsyncEvent()) != null) {
                    isLost |= event.type() == AsyncEvent.Type.DEVICE_FATAL;
                }
            } catch (VerbsException noMoreEvents) {
                isLost = true;
            }
        }
        return isLost;
    }
}
