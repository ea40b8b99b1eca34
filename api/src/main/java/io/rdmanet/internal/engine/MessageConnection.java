package io.rdmanet.internal.engine;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ConnectionDescription;
import io.rdmanet.ProbeReport;
import io.rdmanet.ReceivedMessage;
import io.rdmanet.SendSlot;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.internal.setup.Rendezvous;
import io.rdmanet.internal.stream.MessageByteChannel;
import io.rdmanet.internal.stream.MessageInputStream;
import io.rdmanet.internal.stream.MessageOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A [Conn] over one reliable queue pair and one completion queue.
///
/// The front: each call goes to one of the two halves, [SendSide] and [Inbox], each of which lets
/// one thread in at a time. Closed by whoever opened it. Progress is made by the threads that wait
/// ([CompletionLoop]); there is no thread of its own. A provider without completion channels has no
/// [io.rdmanet.PollMode#EVENT], and [io.rdmanet.PollMode#ADAPTIVE] naps there for up to a
/// millisecond.
public final class MessageConnection implements Conn {
    /// The longest array there is; a message must fit one.
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final ConnOptions options;
    private final ConnectionState state;
    private final SendSide sendSide;
    private final Inbox inbox;
    private final Link link;
    private final Probe probe;
    private final Teardown teardown;
    private final MessageInputStream inputStream;
    private final MessageOutputStream outputStream;
    private final ByteChannel byteChannel;

    MessageConnection(
            ConnOptions options,
            ConnectionState state,
            SendSide sendSide,
            Inbox inbox,
            Link link,
            Probe probe,
            Teardown teardown) {
        this.options = options;
        this.state = state;
        this.sendSide = sendSide;
        this.inbox = inbox;
        this.link = link;
        this.probe = probe;
        this.teardown = teardown;
        this.inputStream = new MessageInputStream(this);
        this.outputStream = new MessageOutputStream(this);
        this.byteChannel = new MessageByteChannel(this, inputStream, outputStream);
    }

    /// Makes a connection out of a rendezvous: allocates what it needs, posts receives, connects,
    /// and exchanges hellos. If it throws, everything that was made is released again; the caller
    /// closes the rendezvous.
    ///
    /// @param rendezvous the connection on its way, which belongs to the result
    /// @param deadline how long connecting and the hello may take together
    /// @throws io.rdmanet.ProtocolViolationException if the peer is no message connection of this
    ///   version
    public static Conn open(Rendezvous rendezvous, ConnOptions options, Deadline deadline)
            throws IOException {
        return new Opening(rendezvous, options, deadline).open();
    }

    /// The longest message that these options allow.
    static int maxMessageBytes(ConnOptions options) {
        return Math.min(options.maxMessageBytes(), LONGEST_ARRAY);
    }

    @Override
    public InetSocketAddress localAddress() {
        return link.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return link.remoteAddress();
    }

    @Override
    public ConnectionDescription description() {
        return link.description();
    }

    @Override
    public ConnOptions options() {
        return options;
    }

    @Override
    public Duration timeout() {
        return Duration.ofNanos(state.timeoutNanos());
    }

    @Override
    public void timeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be positive, is " + timeout);
        }
        state.timeoutNanos(nanos(timeout));
    }

    @Override
    public int sendSlotBytes() {
        return sendSide.slotBytes();
    }

    @Override
    public int maxSendBytes() {
        return sendSide.maxMessageBytes();
    }

    @Override
    public boolean isOpen() {
        return state.isOpen();
    }

    // ---- sending

    @Override
    public void sendMsg(byte[] message) throws IOException {
        sendSide.send(MemorySegment.ofArray(message));
    }

    @Override
    public void sendMsg(MemorySegment message) throws IOException {
        sendSide.send(message);
    }

    @Override
    public void sendBatch(List<byte[]> messages) throws IOException {
        int count = messages.size();
        MemorySegment[] segments = new MemorySegment[count];
        for (int i = 0; i < count; i++) {
            segments[i] = MemorySegment.ofArray(messages.get(i));
        }
        sendSide.send(segments, count);
    }

    @Override
    public void sendBatch(MemorySegment[] messages, int count) throws IOException {
        Objects.checkFromIndexSize(0, count, messages.length);
        sendSide.send(messages, count);
    }

    @Override
    public SendSlot claim(int length) throws IOException {
        return sendSide.claim(length);
    }

    @Override
    public int claim(SendSlot[] slots, int count, int length) throws IOException {
        Objects.checkFromIndexSize(0, count, slots.length);
        if (count == 0) {
            throw new IllegalArgumentException("count must be at least 1, is 0");
        }
        return sendSide.claim(slots, count, length);
    }

    @Override
    public void commit(SendSlot[] slots, int count) throws IOException {
        Objects.checkFromIndexSize(0, count, slots.length);
        sendSide.commit(slots, count);
    }

    @Override
    public void flush() throws IOException {
        sendSide.flush();
    }

    // ---- receiving

    @Override
    public byte @Nullable [] recvMsg() throws IOException {
        return inbox.receive();
    }

    @Override
    public int recvMsg(MemorySegment buffer) throws IOException {
        return inbox.receive(buffer);
    }

    @Override
    public List<byte[]> recvBatch(int max) throws IOException {
        return inbox.receiveBatch(max);
    }

    @Override
    public int recvBatch(MemorySegment[] buffers, int[] lengths, int max) throws IOException {
        return inbox.receiveBatch(buffers, lengths, max);
    }

    @Override
    public @Nullable ReceivedMessage receiveLease() throws IOException {
        return inbox.lease();
    }

    @Override
    public int receiveLeases(ReceivedMessage[] messages, int max) throws IOException {
        return inbox.leases(messages, max);
    }

    @Override
    public void closeLeases(ReceivedMessage[] messages, int count) {
        inbox.consumption().release(messages, count);
    }

    // ---- as a stream

    @Override
    public InputStream inputStream() {
        return inputStream;
    }

    @Override
    public OutputStream outputStream() {
        return outputStream;
    }

    @Override
    public ByteChannel byteChannel() {
        return byteChannel;
    }

    // ----

    @Override
    public ProbeReport probe() {
        return probe.report();
    }

    @Override
    public void close() {
        teardown.close();
    }

    @Override
    public String toString() {
        return "Conn[" + localAddress() + " to " + remoteAddress() + "]";
    }

    /// A duration in nanoseconds, or the longest there is.
    static long nanos(Duration duration) {
        try {
            return Math.min(duration.toNanos(), Long.MAX_VALUE / 2);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 2;
        }
    }
}
