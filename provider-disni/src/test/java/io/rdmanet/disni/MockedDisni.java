package io.rdmanet.disni;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyShort;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// DiSNI's abstract classes as mocks, that do what is asked of them. Events come when a test says.
final class MockedDisni {
    static final InetSocketAddress LOCAL = address(1, 4711);
    static final InetSocketAddress REMOTE = address(2, 18515);
    static final int QUEUE_PAIR = 0x1a;
    static final long TIMEOUT = TimeUnit.SECONDS.toNanos(20);

    final RdmaCm cm = mock(RdmaCm.class);
    final RdmaVerbs verbs = mock(RdmaVerbs.class);
    final RdmaEventChannel channel = mock(RdmaEventChannel.class);
    final RdmaCmId id = mock(RdmaCmId.class);
    final IbvContext device = mock(IbvContext.class);
    final IbvQP queuePair = mock(IbvQP.class);
    final BlockingQueue<RdmaCmEvent> events = new LinkedBlockingQueue<>();
    private final RdmaCmEvent unreadable = mock(RdmaCmEvent.class);

    /// Whether an event is being read just now.
    volatile boolean isReading;

    /// Whether none can be read any more.
    volatile boolean isBroken;

    final DisniConnectionManager manager;

    MockedDisni() throws Exception {
        this(Path.of("/nowhere"));
    }

    MockedDisni(Path root) throws Exception {
        when(cm.createEventChannel()).thenReturn(channel);
        when(cm.createId(any(), anyShort())).thenReturn(id);
        when(cm.getCmEvent(any(), anyInt())).thenAnswer(call -> read(call.getArgument(1)));
        when(cm.getSrcAddr(any())).thenReturn(LOCAL);
        when(cm.getDstAddr(any())).thenReturn(REMOTE);
        when(cm.createQP(any(), any(), any())).thenReturn(queuePair);
        when(id.getVerbs()).thenReturn(device);
        when(queuePair.getQp_num()).thenReturn(QUEUE_PAIR);
        when(verbs.allocPd(any())).thenAnswer(_ -> mock(IbvPd.class));
        when(verbs.createCompChannel(any())).thenAnswer(_ -> mock(IbvCompChannel.class));
        when(verbs.createCQ(any(), any(), anyInt(), anyInt())).thenAnswer(_ -> mock(IbvCQ.class));
        when(verbs.reqNotifyCQ(any(), anyBoolean())).thenAnswer(_ -> mock(SVCReqNotify.class));
        when(verbs.regMr(any(), anyLong(), anyInt(), anyInt())).thenAnswer(_ -> registration());
        when(verbs.deregMr(any())).thenAnswer(_ -> mock(SVCDeregMr.class));
        when(verbs.postSend(any(), any(), any()))
                .thenAnswer(_ -> mock(SVCPostSend.class, RETURNS_DEEP_STUBS));
        when(verbs.postRecv(any(), any(), any()))
                .thenAnswer(_ -> mock(SVCPostRecv.class, RETURNS_DEEP_STUBS));
        manager =
                new DisniConnectionManager(
                        new DisniProvider(), new Disni(cm, verbs), new DeviceFacts(root));
    }

    private @Nullable RdmaCmEvent read(int millis) throws Exception {
        isReading = true;
        try {
            RdmaCmEvent event = isBroken ? unreadable : events.poll(millis, TimeUnit.MILLISECONDS);
            if (Objects.equals(event, unreadable)) {
                throw new IOException("Trying to get context on closed ID");
            }
            return event;
        } finally {
            isReading = false;
        }
    }

    /// An event is there that DiSNI stumbles over.
    void happensUnreadably() {
        events.add(unreadable);
    }

    private static SVCRegMr registration() {
        IbvMr region = mock(IbvMr.class);
        when(region.getLkey()).thenReturn(0x11);
        when(region.getRkey()).thenReturn(0x22);
        SVCRegMr call = mock(SVCRegMr.class);
        when(call.getMr()).thenReturn(region);
        return call;
    }

    static InetSocketAddress address(int host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("10.77.0." + host), port);
    }

    /// An event of an identifier is there.
    void happens(CommunicationEvent.Type type, RdmaCmId of) {
        happens(code(type), null, of);
    }

    void happens(CommunicationEvent.Type type) {
        happens(type, id);
    }

    /// The number that rdma_cm has for an event.
    static int code(CommunicationEvent.Type type) {
        int code = 0;
        while (CommunicationEvent.of(code).type() != type) {
            code++;
        }
        return code;
    }

    void happens(int code, @Nullable RdmaCmId listener, RdmaCmId of) {
        RdmaCmEvent event = mock(RdmaCmEvent.class);
        when(event.getEvent()).thenReturn(code);
        when(event.getConnIdPriv()).thenReturn(of);
        when(event.getListenIdPriv()).thenReturn(listener);
        events.add(event);
    }

    /// An identifier whose route is resolved.
    DisniConnectionIdentifier resolved() throws Exception {
        happens(CommunicationEvent.Type.ADDR_RESOLVED);
        happens(CommunicationEvent.Type.ROUTE_RESOLVED);
        return (DisniConnectionIdentifier) manager.resolve(REMOTE, null, TIMEOUT);
    }

    /// A connection with its queue pair.
    Connection connected(QueuePairCapacity capacity) throws Exception {
        Connection connection = unconnected(capacity);
        happens(CommunicationEvent.Type.ESTABLISHED);
        connection.identifier.connect(ConnectionParameters.defaults(), TIMEOUT);
        return connection;
    }

    Connection unconnected(QueuePairCapacity capacity) throws Exception {
        DisniConnectionIdentifier identifier = resolved();
        ProtectionDomain domain = identifier.context().allocateProtectionDomain();
        CompletionQueue queue = identifier.context().createCompletionQueue(256, null);
        DisniQueuePair made =
                (DisniQueuePair)
                        identifier.createQueuePair(
                                domain,
                                QueuePairInitialAttributes.reliable(queue, queue, capacity));
        return new Connection(identifier, (DisniProtectionDomain) domain, queue, made);
    }

    /// What a connection is made of.
    record Connection(
            DisniConnectionIdentifier identifier,
            DisniProtectionDomain domain,
            CompletionQueue queue,
            DisniQueuePair queuePair) {}
}
