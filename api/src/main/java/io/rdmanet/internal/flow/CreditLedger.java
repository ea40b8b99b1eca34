package io.rdmanet.internal.flow;

import io.rdmanet.internal.frame.FrameDescriptor;
import io.rdmanet.internal.frame.HelloDescriptor.MessageHello;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// One end's account of credits: what it may send, what it owes the peer, and when to say so.
///
/// ## The rules
///
/// Each end announces a *window* of data frames and a *control window*, and has posted as many
/// receives as both together (plus one for the hello) before the peer can know of it.
///
/// 1. A data frame uses one credit. The peer's window is given at the start; credits come back in
///    the header of any frame, one for each receive that was posted again.
/// 2. A control frame (CREDIT, FIN) uses one place of the control window. Its receiver consumes it
///    at once, whatever the application does, posts the receive again at once, and only then takes
///    over the credits it brings. Every frame that goes back acknowledges all control frames
///    consumed so far.
/// 3. The last place of the control window is kept for FIN, the one before for rule 5.
/// 4. A CREDIT frame goes out when it returns at least half a window, or at least one credit if a
///    thread of this end is about to block. Never to acknowledge only, but for rule 5. While the
///    peer, by this end's count, has half a window left ([#isPeerSupplied]), a thread that blocks
///    may put that off for a bounded time: or else a receiver that is faster than its sender would
///    return each credit by itself.
/// 5. If a thread is about to block and the peer, by this end's count, has no place left for CREDIT
///    frames, a CREDIT frame acknowledges them, even if it returns no credit.
///
/// ## Why no frame meets an empty receive queue
///
/// Receives are alike: which one takes a frame does not matter, only how many there are. Data
/// frames sent and not credited never exceed the window, control frames sent and not acknowledged
/// never exceed the control window, and the hello has a receive of its own. A receive is counted as
/// free again only after it was posted again. So frames on their way or unconsumed never outnumber
/// the receives posted.
///
/// ## Why nothing deadlocks
///
/// Say B has no credits left, and a thread of B waits for one; A owes B some, and a thread of A is
/// in a call that blocks (while no thread of A is in a call, B waits for A's application, as it
/// should). By rule 4, A sends a CREDIT frame unless its CREDIT places are used up: all of them
/// hold frames that B has not acknowledged. B is about to block, so it has consumed what has
/// arrived; what is still on its way, it will consume. Then by its count, A has no place left, and
/// rule 5 makes it acknowledge. Is B's own place for that free? It is in use only if B sent such a
/// frame before, and A sent nothing since it consumed that frame, or has not yet consumed it. When
/// A consumes it, all A's control frames are acknowledged but those that were on their way to B
/// just then: one at most, a frame of rule 5 of A's own, since A's CREDIT places were used up.
/// There are two CREDIT places or more, so one is open, and as A has sent nothing since, it is open
/// still. So A's places reopen, and B gets its credit.
///
/// Rule 5 is needed for slots that are claimed and not committed: without claims, B's data frames
/// that used up the credits of A's last CREDIT frame acknowledged that frame. It cannot go on for
/// ever by itself, since one such frame answers at least as many frames as there are CREDIT places.
///
/// ## Threads
///
/// *sending*: whoever holds the send lock. *reposting*: whoever holds the receive lock. *progress*:
/// whoever leads the completion loop.
///
/// | counter | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | GRANTED | progress | getAcquire | setRelease | sending, which takes credits |
/// | USED | sending | getAcquire | setRelease | progress, which checks grants |
/// | REPOSTED | reposting | getAcquire | setRelease | sending, which announces |
/// | ANNOUNCED | sending | getAcquire | setRelease | progress, which checks arrivals |
/// | RECEIVED | progress | getAcquire | setRelease | blocking threads, which ask for the peer's supply |
/// | CONTROL_SENT | sending | getAcquire | setRelease | progress, which checks acknowledgements |
/// | CONTROL_ACKED | progress | getAcquire | setRelease | sending, which sends control frames |
/// | CONTROL_RECEIVED | progress | getAcquire | setRelease | sending, which acknowledges |
/// | CONTROL_ANNOUNCED | sending | getAcquire | setRelease | progress, which checks arrivals |
///
/// Counters only grow (but for credits given back unused) and never wrap in a lifetime.
public final class CreditLedger {
    /// Places of the control window that CREDIT frames do not use: for rule 5 and for FIN.
    public static final int RESERVED_CONTROL = 2;

    // Counters sit 128 bytes apart, since different threads write them.
    private static final int SPACING = 128 / Long.BYTES;
    private static final int GRANTED = SPACING;
    private static final int USED = 2 * SPACING;
    private static final int REPOSTED = 3 * SPACING;
    private static final int ANNOUNCED = 4 * SPACING;
    private static final int RECEIVED = 5 * SPACING;
    private static final int CONTROL_SENT = 6 * SPACING;
    private static final int CONTROL_ACKED = 7 * SPACING;
    private static final int CONTROL_RECEIVED = 8 * SPACING;
    private static final int CONTROL_ANNOUNCED = 9 * SPACING;
    private static final int COUNTERS_LENGTH = 10 * SPACING;

    private static final VarHandle COUNTER = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] counters = new long[COUNTERS_LENGTH];
    private final int ownWindow;
    private final int ownControlWindow;
    private final int returnThreshold;
    // Written once, by the hello, before GRANTED lets anybody send.
    private int peerWindow;
    private int peerControlWindow;

    /// @param ownWindow data frames that this end has receives for, 1 to 65535
    /// @param ownControlWindow control frames that this end has receives for, 4 to 255
    public CreditLedger(int ownWindow, int ownControlWindow) {
        this.ownWindow = ownWindow;
        this.ownControlWindow = ownControlWindow;
        this.returnThreshold = Math.max(1, ownWindow / 2);
        publish(REPOSTED, ownWindow);
        publish(ANNOUNCED, ownWindow);
    }

    /// Takes over what the peer announced. Before, there is no credit. Progress only, once.
    public void onHello(MessageHello hello) {
        peerWindow = hello.depth();
        peerControlWindow = hello.controlWindow();
        publish(GRANTED, peerWindow);
    }

    // ---- sending

    /// Data frames that may be sent now. Any thread; only the sending one can rely on it.
    public int credits() {
        return (int) (observe(GRANTED) - observe(USED));
    }

    /// Uses up credits. Sending only, at most [#credits()].
    public void useCredits(int count) {
        publish(USED, own(USED) + count);
    }

    /// Gives back credits that were not used after all. Sending only.
    public void returnUnused(int count) {
        publish(USED, own(USED) - count);
    }

    /// The header of a frame that is about to be posted; what it returns and acknowledges counts as
    /// told. Sending only.
    public int stamp(int flags) {
        int credits = Math.min(owed(), FrameDescriptor.MAX_CREDITS);
        int acks = Math.min(unacknowledged(), FrameDescriptor.MAX_CONTROL_ACKS);
        if (credits != 0) {
            publish(ANNOUNCED, own(ANNOUNCED) + credits);
        }
        if (acks != 0) {
            publish(CONTROL_ANNOUNCED, own(CONTROL_ANNOUNCED) + acks);
        }
        return FrameDescriptor.encode(flags, acks, credits);
    }

    /// The frame was not posted after all. Sending only, right after [#stamp].
    public void unstamp(int header) {
        publish(ANNOUNCED, own(ANNOUNCED) - FrameDescriptor.credits(header));
        publish(CONTROL_ANNOUNCED, own(CONTROL_ANNOUNCED) - FrameDescriptor.controlAcks(header));
    }

    /// Whether a CREDIT frame is due now and has a place (rules 4 and 5). Any thread; only the
    /// sending one can rely on it.
    ///
    /// @param blocking whether a thread of this end blocks or is about to
    public boolean isCreditFrameDue(boolean blocking) {
        int outstanding = controlOutstanding();
        if (owed() >= (blocking ? 1 : returnThreshold)
                && outstanding < peerControlWindow - RESERVED_CONTROL) {
            return true;
        }
        return blocking
                && unacknowledged() >= ownControlWindow - RESERVED_CONTROL
                && outstanding < peerControlWindow - 1;
    }

    /// Whether the peer has used less than half of the window that it was told of, as far as has
    /// arrived. It may still wait for a credit: if it has claimed the rest and commits nothing. Any
    /// thread.
    public boolean isPeerSupplied() {
        return observe(ANNOUNCED) - observe(RECEIVED) >= returnThreshold;
    }

    /// A control frame takes its place. Sending only, before it is posted.
    public void onControlSend() {
        publish(CONTROL_SENT, own(CONTROL_SENT) + 1);
    }

    /// The control frame was not posted after all. Sending only.
    public void onControlNotSent() {
        publish(CONTROL_SENT, own(CONTROL_SENT) - 1);
    }

    /// Whether FIN has a place; it always has, the first time, with a peer that follows the rules.
    public boolean mayEnd() {
        return controlOutstanding() < peerControlWindow;
    }

    // ---- progress

    /// Books what a frame that arrived returns and acknowledges. Progress only, after the frame's
    /// own receive was posted again if it is a control frame.
    ///
    /// @return what is wrong with it, or an empty string; nothing was booked then
    public String onHeader(int credits, int controlAcks) {
        if (credits != 0) {
            long granted = own(GRANTED) + credits;
            if (granted - observe(USED) > peerWindow) {
                return "the peer returned "
                        + credits
                        + " credits while "
                        + (own(GRANTED) - observe(USED))
                        + " of its window of "
                        + peerWindow
                        + " were unused";
            }
            publish(GRANTED, granted);
        }
        if (controlAcks != 0) {
            long acked = own(CONTROL_ACKED) + controlAcks;
            if (acked > observe(CONTROL_SENT)) {
                return "the peer acknowledged "
                        + controlAcks
                        + " control frames, but only "
                        + controlOutstanding()
                        + " were outstanding";
            }
            publish(CONTROL_ACKED, acked);
        }
        return "";
    }

    /// A data frame has arrived. Progress only.
    ///
    /// @return what is wrong with that, or an empty string
    public String onData() {
        long received = own(RECEIVED) + 1;
        if (received > observe(ANNOUNCED)) {
            return "the peer sent more data frames than it had credits for (window "
                    + ownWindow
                    + ")";
        }
        publish(RECEIVED, received);
        return "";
    }

    /// A control frame was consumed and its receive posted again. Progress only.
    ///
    /// @return what is wrong with that, or an empty string
    public String onControl() {
        if (unacknowledged() >= ownControlWindow) {
            return "the peer sent more control frames than its control window of "
                    + ownControlWindow;
        }
        publish(CONTROL_RECEIVED, own(CONTROL_RECEIVED) + 1);
        return "";
    }

    // ---- reposting

    /// Receives that data frames had used were posted again. Reposting only.
    public void onReposted(int count) {
        publish(REPOSTED, own(REPOSTED) + count);
    }

    // ---- what is owed

    /// Credits that this end owes the peer.
    public int owed() {
        return (int) (observe(REPOSTED) - observe(ANNOUNCED));
    }

    /// Control frames of the peer that were consumed but not acknowledged.
    public int unacknowledged() {
        return (int) (observe(CONTROL_RECEIVED) - observe(CONTROL_ANNOUNCED));
    }

    /// Control frames of this end that the peer has not acknowledged.
    public int controlOutstanding() {
        return (int) (observe(CONTROL_SENT) - observe(CONTROL_ACKED));
    }

    private long own(int counter) {
        return (long) COUNTER.get(counters, counter);
    }

    private long observe(int counter) {
        return (long) COUNTER.getAcquire(counters, counter);
    }

    private void publish(int counter, long value) {
        COUNTER.setRelease(counters, counter, value);
    }
}
