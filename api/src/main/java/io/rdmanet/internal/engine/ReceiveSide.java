package io.rdmanet.internal.engine;

import io.rdmanet.ConnOptions;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.flow.CreditLedger;
import io.rdmanet.internal.flow.FrameRing;
import io.rdmanet.internal.frame.FrameDescriptor;
import io.rdmanet.internal.frame.FrameFlags;
import io.rdmanet.internal.frame.HelloDescriptor;
import io.rdmanet.internal.frame.HelloDescriptor.MessageHello;
import io.rdmanet.internal.setup.Role;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The receiving half: checks what arrived, hands data frames to the receiving thread by a ring,
/// and consumes control frames at once.
///
/// Methods `onX` and [#takeEvents] belong to whoever leads the completion loop. Nothing the peer
/// sends is believed: a frame that breaks a rule fails the connection.
final class ReceiveSide {
    /// A credit or an acknowledgement has come.
    static final int EVENT_CREDIT = 1;

    /// A data frame has come.
    static final int EVENT_MESSAGE = 2;

    /// An acknowledgement has come, which may open the control window.
    static final int EVENT_ACKNOWLEDGEMENT = 4;

    private final CreditLedger ledger;
    private final ReceiveQueue queue;
    private final ConnectionState state;
    private final FrameRing ring;
    private final int maxMessageBytes;
    private @Nullable CompletionLoop attachedLoop;
    private @Nullable SendSide attachedSendSide;

    // Written by whoever leads; the hello is read by the thread that opens.
    private volatile @Nullable MessageHello hello;
    private int events;
    private long messageBytes;
    private boolean isInMessage;
    private long ended;

    ReceiveSide(
            ConnOptions options, CreditLedger ledger, ReceiveQueue queue, ConnectionState state) {
        this.ledger = ledger;
        this.queue = queue;
        this.state = state;
        this.maxMessageBytes = MessageConnection.maxMessageBytes(options);
        int receives = options.depth() + Resources.CONTROL_WINDOW + 1;
        this.ring = new FrameRing(receives);
    }

    void attach(CompletionLoop loop, SendSide sendSide) {
        attachedLoop = loop;
        attachedSendSide = sendSide;
    }

    FrameRing ring() {
        return ring;
    }

    /// What the peer announced, or null if it has not come yet.
    @Nullable MessageHello hello() {
        return hello;
    }

    /// Posts consumed receives again. Any thread.
    void repostFreed() throws VerbsException {
        queue.repostFreed();
    }

    // ---- progress

    /// What has come since the last call, as bits.
    int takeEvents() {
        int taken = events;
        events = 0;
        return taken;
    }

    /// A receive has failed.
    void onFailed() {
        ended++;
    }

    /// Whether every receive that was posted has ended. Once nobody posts any more.
    boolean isDrained() {
        return ended >= queue.posted();
    }

    /// A frame has arrived.
    ///
    /// @param hasHeader whether immediate data came with it
    /// @param header the immediate data; of no meaning if there is none
    void onArrived(int slot, int byteLength, boolean hasHeader, int header) throws VerbsException {
        ended++;
        String fault =
                hello == null
                        ? onHello(slot, byteLength, hasHeader, header)
                        : onFrame(slot, byteLength, hasHeader, header);
        if (!fault.isEmpty()) {
            CompletionLoop loop = attachedLoop;
            if (loop != null && state.isOpen()) {
                loop.fail(new ProtocolViolationException(fault));
            }
        }
    }

    private String onHello(int slot, int byteLength, boolean hasHeader, int header)
            throws VerbsException {
        MemorySegment record = queue.memory().payload(slot);
        String fault =
                HelloDescriptor.fault(hasHeader, header, record, 0, byteLength, Role.MESSAGE);
        if (!fault.isEmpty()) {
            return fault;
        }
        MessageHello announced = HelloDescriptor.readMessage(record, 0);
        queue.repostControl(slot);
        SendSide sendSide = attachedSendSide;
        if (sendSide != null) {
            sendSide.onHello(announced);
        }
        ledger.onHello(announced);
        hello = announced;
        return "";
    }

    private String onFrame(int slot, int byteLength, boolean hasHeader, int header)
            throws VerbsException {
        String fault =
                FrameDescriptor.fault(hasHeader, header, byteLength, queue.memory().slotBytes());
        if (!fault.isEmpty()) {
            return fault;
        }
        int flags = FrameDescriptor.flags(header);
        if (flags == FrameFlags.HELLO) {
            return "a second hello arrived";
        }
        if (state.isFinished()) {
            return "a frame (" + FrameFlags.describe(flags) + ") arrived after the end";
        }
        return FrameFlags.isData(flags)
                ? onData(slot, byteLength, header, flags)
                : onControl(slot, header, flags);
    }

    private String onData(int slot, int length, int header, int flags) {
        boolean goesOn = flags == FrameFlags.MORE;
        messageBytes += length;
        if (messageBytes > maxMessageBytes) {
            return "a message of "
                    + messageBytes
                    + (goesOn ? " and more" : "")
                    + " bytes arrived; this end takes "
                    + maxMessageBytes;
        }
        String fault = ledger.onData();
        if (fault.isEmpty()) {
            fault = onHeader(header);
        }
        if (!fault.isEmpty()) {
            return fault;
        }
        isInMessage = goesOn;
        if (!goesOn) {
            messageBytes = 0;
        }
        ring.add(FrameRing.frame(slot, length, goesOn));
        events |= EVENT_MESSAGE;
        return "";
    }

    private String onControl(int slot, int header, int flags) throws VerbsException {
        // First the receive, then what the frame brings: a credit may be used at once, and what is
        // sent with it acknowledges this frame.
        queue.repostControl(slot);
        String fault = ledger.onControl();
        if (fault.isEmpty()) {
            fault = onHeader(header);
        }
        if (fault.isEmpty() && flags == FrameFlags.FIN) {
            if (isInMessage) {
                return "the peer closed in the middle of a message, after "
                        + messageBytes
                        + " bytes";
            }
            state.finish();
        }
        return fault;
    }

    private String onHeader(int header) {
        int credits = FrameDescriptor.credits(header);
        int acks = FrameDescriptor.controlAcks(header);
        if ((credits | acks) == 0) {
            return "";
        }
        events |= acks == 0 ? EVENT_CREDIT : EVENT_CREDIT | EVENT_ACKNOWLEDGEMENT;
        return ledger.onHeader(credits, acks);
    }
}
