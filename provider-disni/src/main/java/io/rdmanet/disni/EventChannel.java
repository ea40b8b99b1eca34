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
import org.jspecify.annotations.Nullable;

/// Where rdma_cm reports events: one channel for each listener, which the connections it accepts
/// stay with, and one for each connection that dials.
///
/// A thread of its own takes the events and gives them to the identifiers they are of. It is a
/// thread because nothing ends DiSNI's wait but its timeout: so everybody else waits for a
/// condition of Java's, which deadlines, interrupts and closing do end. It is the only one that
/// asks the channel, whose table of identifiers DiSNI does not guard.
///
/// The thread ends, and destroys the channel, soon after the last identifier is gone.
final class EventChannel {
    /// The service of reliable connections.
    private static final short PORT_SPACE_TCP = RdmaCm.RDMA_PS_TCP;

    /// How late the thread may notice that it is to end.
    private static final int SLICE_MILLIS = 100;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// How long the peer's answer to a goodbye is waited for, at most.
    private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Disni disni;
    private final RdmaEventChannel channel;
    private final Map<RdmaCmId, CommunicationIdentifier> identifiers = new ConcurrentHashMap<>();

    /// Identifiers whose connection is over but for the peer's answer, and until when they stay.
    private final Map<CommunicationIdentifier, Long> farewells = new ConcurrentHashMap<>();

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
        try {
            while (!identifiers.isEmpty()) {
                long start = System.nanoTime();
                RdmaCmEvent event = connectionManager().getCmEvent(channel, SLICE_MILLIS);
                if (event != null) {
                    take(event);
                } else if (System.nanoTime() - start < PAUSE_NANOS) {
                    LockSupport.parkNanos(PAUSE_NANOS); // it did not wait: DiSNI hides errors
                }
                endFarewells();
            }
            connectionManager().destroyEventChannel(channel);
        } catch (IOException | RuntimeException e) {
            // Nobody will hear anything any more: all who wait have deadlines.
            VerbsException failure =
                    new VerbsException("rdma_get_cm_event", "the event channel failed", e);
            identifiers.values().forEach(identifier -> identifier.fail(failure));
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
                each.getKey().destroy();
            }
        }
    }
}
