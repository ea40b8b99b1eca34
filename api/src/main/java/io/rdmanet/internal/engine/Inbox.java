package io.rdmanet.internal.engine;

import static io.rdmanet.internal.flow.FrameRing.EMPTY;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.ReceiveBufferTooSmallException;
import io.rdmanet.ReceivedMessage;
import io.rdmanet.internal.flow.FrameRing;
import io.rdmanet.internal.flow.Reassembly;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The receiving thread's view: messages out of frames.
///
/// A message of one frame is copied or lent straight from its slot. One of several is put together
/// in the caller's buffer as long as it fits; if it does not, or the call ends before the message
/// does, in a [Reassembly], where it stays for the next call.
///
/// All methods belong to the receiving thread; what it is done with goes to [Consumption].
final class Inbox {
    private final ConnectionState state;
    private final ReceiveQueue queue;
    private final FrameRing ring;
    private final CompletionLoop loop;
    private final int maxMessageBytes;
    private final Gate gate = new Gate("receiving");
    private final Consumption consumption;
    private final Lease[] leases;
    private final Awaited frameAwaited = this::hasFrameOrEnded;
    private Reassembly assembly;
    // Bytes of the message at hand that lie in the caller's buffer.
    private int direct;

    Inbox(
            ConnOptions options,
            ReceiveSide side,
            ReceiveQueue queue,
            ConnectionState state,
            CompletionLoop loop) {
        this.state = state;
        this.queue = queue;
        this.ring = side.ring();
        this.loop = loop;
        this.maxMessageBytes = MessageConnection.maxMessageBytes(options);
        this.assembly = new Reassembly(maxMessageBytes);
        this.consumption = new Consumption(queue, loop, maxMessageBytes);
        this.leases = new Lease[options.depth() + Resources.CONTROL_WINDOW + 1];
        for (int slot = 0; slot < leases.length; slot++) {
            leases[slot] = new Lease(consumption, slot, queue.memory().payload(slot));
        }
    }

    // ---- one message

    byte @Nullable [] receive() throws IOException {
        enter();
        try {
            return receiveArray();
        } finally {
            leave();
        }
    }

    int receive(MemorySegment buffer) throws IOException {
        enter();
        try {
            return receiveInto(buffer);
        } finally {
            leave();
        }
    }

    @Nullable Lease lease() throws IOException {
        enter();
        try {
            return nextLease();
        } finally {
            leave();
        }
    }

    // ---- several

    List<byte[]> receiveBatch(int max) throws IOException {
        requirePositive(max);
        enter();
        try {
            List<byte[]> messages = new ArrayList<>();
            byte[] first = receiveArray();
            if (first == null) {
                return messages;
            }
            messages.add(first);
            while (messages.size() < max && hasWholeMessage()) {
                byte[] next = receiveArray();
                if (next == null) {
                    break;
                }
                messages.add(next);
            }
            return messages;
        } finally {
            leave();
        }
    }

    int receiveBatch(MemorySegment[] buffers, int[] lengths, int max) throws IOException {
        requirePositive(max);
        if (buffers.length < max || lengths.length < max) {
            throw new IllegalArgumentException(
                    "max is "
                            + max
                            + ", but there are "
                            + buffers.length
                            + " buffers and "
                            + lengths.length
                            + " lengths");
        }
        enter();
        try {
            int length = receiveInto(buffers[0]);
            if (length == Conn.END_OF_STREAM) {
                return Conn.END_OF_STREAM;
            }
            lengths[0] = length;
            int count = 1;
            while (count < max && hasWholeMessage()) {
                if (!tryNext(buffers[count], lengths, count)) {
                    break;
                }
                count++;
            }
            return count;
        } finally {
            leave();
        }
    }

    private boolean tryNext(MemorySegment buffer, int[] lengths, int index) throws IOException {
        try {
            lengths[index] = receiveInto(buffer);
            return lengths[index] != Conn.END_OF_STREAM;
        } catch (ReceiveBufferTooSmallException e) {
            return false;
        }
    }

    int leases(ReceivedMessage[] into, int max) throws IOException {
        requirePositive(max);
        if (into.length < max) {
            throw new IllegalArgumentException(
                    "max is " + max + ", but there is room for " + into.length + " messages");
        }
        enter();
        try {
            Lease first = nextLease();
            if (first == null) {
                return Conn.END_OF_STREAM;
            }
            into[0] = first;
            int count = 1;
            while (count < max && hasWholeMessage()) {
                Lease next = nextLease();
                if (next == null) {
                    break;
                }
                into[count++] = next;
            }
            return count;
        } finally {
            leave();
        }
    }

    // ---- closing

    /// Lets nobody in any more.
    ///
    /// @return false if a thread stayed inside for so long
    boolean shut(long timeoutNanos) {
        return gate.shut(timeoutNanos);
    }

    /// What this thread is done with goes there, and leases that end.
    Consumption consumption() {
        return consumption;
    }

    // ---- helpers

    private void enter() throws IOException {
        state.checkOpen();
        gate.enter();
        loop.receiver().begin(state.timeoutNanos());
        direct = 0;
    }

    private void leave() {
        try {
            consumption.giveBack();
        } finally {
            gate.leave();
        }
    }

    private @Nullable Lease nextLease() throws IOException {
        if (!assembly.isStarted()) {
            long frame = nextFrame();
            if (frame == EMPTY) {
                return null;
            }
            if (!FrameRing.goesOn(frame)) {
                ring.removeMessage();
                Lease lease = leases[FrameRing.slot(frame)];
                lease.lend(FrameRing.length(frame));
                return lease;
            }
        }
        if (!assemble()) {
            return null;
        }
        Lease lease = new Lease(consumption, assembly);
        assembly = consumption.takeMemory();
        return lease;
    }

    private byte @Nullable [] receiveArray() throws IOException {
        if (!assembly.isStarted()) {
            long frame = nextFrame();
            if (frame == EMPTY) {
                return null;
            }
            if (!FrameRing.goesOn(frame)) {
                byte[] message = new byte[FrameRing.length(frame)];
                MemorySegment.copy(
                        payload(frame), ValueLayout.JAVA_BYTE, 0, message, 0, message.length);
                consume(frame);
                return message;
            }
        }
        if (!assemble()) {
            return null;
        }
        byte[] message = assembly.toArray();
        assembly.clear();
        return message;
    }

    private int receiveInto(MemorySegment buffer) throws IOException {
        if (!assembly.isStarted()) {
            long frame = nextFrame();
            if (frame == EMPTY) {
                return Conn.END_OF_STREAM;
            }
            if (!FrameRing.goesOn(frame)) {
                int length = FrameRing.length(frame);
                requireRoom(length, buffer);
                MemorySegment.copy(payload(frame), 0, buffer, 0, length);
                consume(frame);
                return length;
            }
            if (assembleInto(buffer)) {
                return direct;
            }
        }
        if (!assemble()) {
            return Conn.END_OF_STREAM;
        }
        int length = assembly.length();
        requireRoom(length, buffer);
        MemorySegment.copy(assembly.segment(), 0, buffer, 0, length);
        assembly.clear();
        return length;
    }

    /// Puts a message together in the caller's buffer as long as it fits; what then lies there is
    /// moved to the assembly.
    ///
    /// @return whether the whole message is in the buffer
    private boolean assembleInto(MemorySegment buffer) throws IOException {
        direct = 0;
        try {
            while (true) {
                long frame = nextFrame();
                if (frame == EMPTY) {
                    throw endedInMessage(direct);
                }
                int length = FrameRing.length(frame);
                if (direct + (long) length > buffer.byteSize()) {
                    spill(buffer);
                    return false;
                }
                MemorySegment.copy(payload(frame), 0, buffer, direct, length);
                direct += length;
                boolean isLast = !FrameRing.goesOn(frame);
                consume(frame);
                if (isLast) {
                    return true;
                }
            }
        } catch (InterruptedIOException e) {
            spill(buffer);
            throw e;
        } catch (RuntimeException e) {
            if (direct > 0) {
                loop.fail(new IOException("a message could not be copied to its end", e));
            }
            throw e;
        }
    }

    private void spill(MemorySegment buffer) throws IOException {
        if (direct > 0) {
            append(buffer, direct, false);
            direct = 0;
        }
    }

    /// Puts a message together in the assembly.
    ///
    /// @return false at the end of the stream
    private boolean assemble() throws IOException {
        while (!assembly.isComplete()) {
            long frame = nextFrame();
            if (frame == EMPTY) {
                if (assembly.isStarted()) {
                    throw endedInMessage(assembly.length());
                }
                return false;
            }
            append(payload(frame), FrameRing.length(frame), !FrameRing.goesOn(frame));
            consume(frame);
        }
        return true;
    }

    private void append(MemorySegment source, int length, boolean isLast) throws IOException {
        if (!assembly.append(source, 0, length, isLast)) {
            throw new ProtocolViolationException(
                    "a message of more than " + maxMessageBytes + " bytes arrived");
        }
    }

    /// Waits for a frame.
    ///
    /// @return the frame, still in the ring; or [FrameRing#EMPTY] at the end of the stream
    private long nextFrame() throws IOException {
        long frame = ring.peek();
        while (frame == EMPTY) {
            if (state.endsReceiving()) {
                // Frames come before the end: whoever sees the end sees them.
                frame = ring.peek();
                if (frame == EMPTY || state.isClosing()) {
                    state.checkReceiving();
                    return EMPTY;
                }
                return frame;
            }
            consumption.giveBack();
            loop.await(loop.receiver(), Waiter.Reason.MESSAGE, frameAwaited);
            frame = ring.peek();
        }
        return frame;
    }

    private boolean hasFrameOrEnded() {
        return ring.peek() != EMPTY || state.endsReceiving();
    }

    /// Whether a further message can be taken without waiting.
    private boolean hasWholeMessage() {
        if (ring.messages() == 0) {
            loop.tryProgress();
        }
        return ring.messages() > 0 && !assembly.isStarted();
    }

    private MemorySegment payload(long frame) {
        return queue.memory().payload(FrameRing.slot(frame));
    }

    private void consume(long frame) {
        if (FrameRing.goesOn(frame)) {
            ring.remove();
        } else {
            ring.removeMessage();
        }
        consumption.consume(FrameRing.slot(frame));
    }

    private static void requireRoom(int length, MemorySegment buffer)
            throws ReceiveBufferTooSmallException {
        if (length > buffer.byteSize()) {
            throw new ReceiveBufferTooSmallException(length, buffer.byteSize());
        }
    }

    private static void requirePositive(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("max must be at least 1, is " + max);
        }
    }

    private static IOException endedInMessage(int length) {
        return new ProtocolViolationException(
                "the peer closed in the middle of a message, after " + length + " bytes");
    }
}
