package io.rdmanet.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Where rdma_cm reports events: one channel for each listener, which the connections it accepts
/// stay with, and one for each connection that dials.
///
/// A thread of its own takes the events and gives them to the identifiers they are of. It is a
/// thread because nothing ends DiSNI's wait but its timeout: so everybody else waits for a
/// condition of Java's, which deadlines, interrupts and closing do end. It is the only one that
/// asks the channel, whose table of identifiers DiSNI does not guard.
///
/// The thread ends, and destroys the channel, soon after the last identifier is gone. Nothing that
/// comes up with one event, or one identifier, keeps it from the others.
final class EventChannel {
    /// A call that destroys something.
    @FunctionalInterface
    interface Destruction {
        int run() throws IOException;
    }

    /// The service of reliable connections.
    private static final short PORT_SPACE_TCP = RdmaCm.RDMA_PS_TCP;

    /// How late the thread may notice that it is to end.
    private static final int SLICE_MILLIS = 100;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// How long the peer's answer to a goodbye is waited for, at most: the kernel repeats what says
    /// goodbye (DREQ) every 4 to 5 seconds, but only as long as the identifier is there.
    private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(12);

    /// Failures in a row after which the channel is taken for broken. One of an event whose
    /// identifier is being closed is usual; that many are not, not even with a full backlog.
    private static final int MOST_FAILURES = 1000;

    private final Disni disni;
    private final RdmaEventChannel channel;
    private final Map<RdmaCmId, CommunicationIdentifier> identifiers = new ConcurrentHashMap<>();

    /// Identifiers whose connection is over but for the peer's answer, and until when they stay.
    private final Map<CommunicationIdentifier, Long> farewells = new ConcurrentHashMap<>();

    /// Held while an event is read, and while queue pairs are destroyed that this might change.
    /// Fair: the thread that reads takes it again at once.
    private final ReentrantLock reading = new ReentrantLock(true);

    private EventChannel(Disni disni, RdmaEventChannel channel) {
        this.disni = disni;
        this.channel = channel;
    }

    /// Opens a channel with its first identifier.
    ///
    /// @param name of the identifier, for messages
    static CommunicationIdentifier open(Disni disni, String name) throws VerbsException {
        RdmaCm cm = disni.connectionManager();
        try {
            RdmaEventChannel made = cm.createEventChannel();
            if (made == null) {
                throw new VerbsException("rdma_create_event_channel", "DiSNI gave none");
            }
            EventChannel channel = new EventChannel(disni, made);
            RdmaCmId id = null;
            try {
                id = cm.createId(made, PORT_SPACE_TCP);
            } finally {
                if (id == null) {
                    cm.destroyEventChannel(made);
                }
            }
            if (id == null) {
                throw new VerbsException("rdma_create_id", "DiSNI gave none for " + name);
            }
            CommunicationIdentifier first = channel.add(id, name);
            Thread.ofPlatform().daemon().name("rdmanet-disni-events").start(channel::run);
            return first;
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw DisniFailure.of("rdma_create_id", e, "for " + name);
        }
    }

    RdmaCm connectionManager() {
        return disni.connectionManager();
    }

    private CommunicationIdentifier add(RdmaCmId id, String name) {
        CommunicationIdentifier identifier = new CommunicationIdentifier(this, id, name);
        identifiers.put(id, identifier);
        return identifier;
    }

    /// An identifier was destroyed.
    void remove(RdmaCmId id) {
        identifiers.remove(id);
    }

    /// Keeps an identifier until the peer has answered the goodbye, and then destroys it: destroyed
    /// at once, the goodbye might not be sent.
    void bidFarewell(CommunicationIdentifier identifier) {
        farewells.put(identifier, System.nanoTime() + FAREWELL_NANOS);
    }

    // ---- the thread

    private void run() {
        int failures = 0;
        while (!identifiers.isEmpty()) {
            try {
                if (failures < MOST_FAILURES) {
                    takeNext();
                    failures = 0;
                } else {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SLICE_MILLIS));
                }
            } catch (IOException | RuntimeException e) {
                // Usually of one event, whose identifier was closed just then.
                failures++;
                if (failures == MOST_FAILURES) {
                    failAll(e);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            endFarewells();
        }
        try {
            connectionManager().destroyEventChannel(channel);
        } catch (IOException e) {
            // Closed already, which is as good.
        }
    }

    private void takeNext() throws IOException {
        long start = System.nanoTime();
        RdmaCmEvent event;
        reading.lock();
        try {
            event = connectionManager().getCmEvent(channel, SLICE_MILLIS);
        } finally {
            reading.unlock();
        }
        if (event != null) {
            take(event);
        } else if (System.nanoTime() - start < PAUSE_NANOS) {
            LockSupport.parkNanos(PAUSE_NANOS); // it did not wait: DiSNI hides errors
        }
    }

    /// Nobody will hear anything any more: all who wait learn of it, and no peer answers.
    private void failAll(Exception cause) {
        VerbsException failure =
                new VerbsException("rdma_get_cm_event", "the event channel failed", cause);
        identifiers.values().forEach(identifier -> identifier.fail(failure));
    }

    /// Does something while no event is read. To some events librdmacm modifies the queue pair,
    /// without looking whether somebody is destroying it. Takes up to 100 ms.
    ///
    /// @return what it returns
    int whileNothingIsRead(Destruction destruction) throws IOException {
        reading.lock();
        try {
            return destruction.run();
        } finally {
            reading.unlock();
        }
    }

    private void take(RdmaCmEvent event) throws IOException {
        int code = event.getEvent();
        RdmaCmId id = event.getConnIdPriv();
        RdmaCmId listener = event.getListenIdPriv();
        connectionManager().ackCmEvent(event);
        CommunicationEvent own = CommunicationEvent.of(code);
        if (own.type() == CommunicationEvent.Type.CONNECT_REQUEST) {
            takeRequest(listener, id);
        } else if (id != null) {
            CommunicationIdentifier identifier = identifiers.get(id);
            if (identifier != null) {
                identifier.deliver(own);
            }
        }
    }

    private void takeRequest(@Nullable RdmaCmId listenerId, RdmaCmId id) throws IOException {
        CommunicationIdentifier listener = listenerId == null ? null : identifiers.get(listenerId);
        CommunicationIdentifier request = add(id, "the connection request");
        if (listener == null || !listener.offer(request)) {
            request.destroy(); // which rejects it
        }
    }

    private void endFarewells() {
        long now = System.nanoTime();
        Iterator<Map.Entry<CommunicationIdentifier, Long>> all = farewells.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<CommunicationIdentifier, Long> each = all.next();
            if (each.getKey().isAnswered() || now - each.getValue() >= 0) {
                all.remove();
                destroy(each.getKey());
            }
        }
    }

    private static void destroy(CommunicationIdentifier identifier) {
        try {
            identifier.destroy();
        } catch (IllegalStateException refused) {
            // It stays as it is. Nobody is there to be told: the program has closed it.
        }
    }
}
