package io.rdmanet.internal.raw;

import io.rdmanet.DeadlineException;
import io.rdmanet.PeerGoneException;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.RawOptions;
import io.rdmanet.internal.frame.HelloDescriptor;
import io.rdmanet.internal.frame.HelloDescriptor.RawHello;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.internal.setup.Role;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.WorkCompletionException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/// The HELLO each way, in band, so that it works the same over every set-up.
///
/// ```
///   dialling end                                listening end
///   one receive posted                          one receive posted
///   allocates its region
///   HELLO (depth, sizes, region)  ----------->  checks, allocates its region,
///                                               posts all its receives,
///                                               and only then answers
///                                 <-----------  HELLO (the same depth and sizes, its region)
/// ```
///
/// The answer is the ready barrier: the first message never meets an empty receive queue. An answer
/// with an empty region is a no. A HELLO of another role or version is answered by this end's own,
/// in which the peer finds the same fault.
final class RawGreeting {
    private static final int SPINS = 1_000;
    private static final long PAUSE_NANOS = 20_000L;

    private static final int SEND_VERB = 1;
    private static final int ALL_VERBS = 7;

    private final RawQueues queues;
    private final Link link;
    private final Deadline deadline;
    private final String peer;

    RawGreeting(RawQueues queues, Link link, Deadline deadline) {
        this.queues = queues;
        this.link = link;
        this.deadline = deadline;
        this.peer = AddressText.describe(link.remoteAddress());
    }

    /// What the greeting brought.
    ///
    /// @param options the options that count
    /// @param region this end's region
    /// @param peer what the peer said
    record Outcome(RawOptions options, MemoryRegion region, RawHello peer) {}

    /// The dialling end's half.
    Outcome dial(RawOptions options) throws IOException {
        RawLayout layout = new RawLayout(options);
        MemoryRegion region = queues.allocate(layout.regionBytes(true));
        send(hello(options, region));
        RawHello answer = receive();
        if (answer.regionLength() == 0) {
            throw new VerbsException(
                    "raw set-up",
                    peer
                            + " refused "
                            + options.bufferCount()
                            + " buffers of "
                            + options.maxMessageBytes()
                            + " bytes at a depth of "
                            + options.transmitDepth()
                            + ": it has no room; lower depth or message length, or look at its"
                            + " messages");
        }
        if (answer.transmitDepth() != options.transmitDepth()
                || answer.maxMessageBytes() != options.maxMessageBytes()
                || answer.bufferCount() != options.bufferCount()
                || answer.keepsMessages() != options.keepsMessages()
                || answer.regionLength() < layout.regionBytes(true)) {
            throw new ProtocolViolationException(
                    peer + " answered what it was not asked: " + answer);
        }
        return new Outcome(options, region, answer);
    }

    /// The listening end's half, up to the answer.
    ///
    /// @param own whose endpoint and probe count; the rest is the peer's
    /// @return what the peer asked for, with a region allocated; [#answer] comes once receives are
    ///   posted
    Outcome hear(RawOptions own) throws IOException {
        RawHello asked;
        try {
            asked = receive();
        } catch (ProtocolViolationException violation) {
            sendNo(own);
            throw violation;
        }
        RawOptions options =
                own.withTransmitDepth(asked.transmitDepth())
                        .withMaxMessageBytes(asked.maxMessageBytes())
                        .withBufferCount(asked.bufferCount())
                        .withKeepsMessages(asked.keepsMessages());
        RawLayout layout = new RawLayout(options);
        String fault = layout.fault();
        if (options.transmitDepth() > queues.maxTransmitDepth()) {
            fault =
                    "a transmit depth of "
                            + options.transmitDepth()
                            + " is more than was announced, or this end's device takes ("
                            + queues.maxTransmitDepth()
                            + ")";
        }
        if (!fault.isEmpty()) {
            sendNo(options);
            throw new ProtocolViolationException(peer + " asked for " + fault);
        }
        try {
            MemoryRegion region = queues.allocate(layout.regionBytes(false));
            return new Outcome(options, region, asked);
        } catch (VerbsException failure) {
            sendNo(options);
            throw failure;
        }
    }

    /// The listening end's answer.
    void answer(Outcome outcome) throws IOException {
        send(hello(outcome.options(), outcome.region()));
    }

    private void sendNo(RawOptions options) {
        try {
            send(
                    new RawHello(
                            0,
                            0,
                            0,
                            0,
                            options.transmitDepth(),
                            options.maxMessageBytes(),
                            options.bufferCount(),
                            options.keepsMessages(),
                            0));
        } catch (IOException peerHasGone) {
            // Nobody is left to be told; what is thrown is why.
        }
    }

    private RawHello hello(RawOptions options, MemoryRegion region) {
        boolean isOneSided = queues.provider().capabilities().contains(Capability.ONE_SIDED);
        return new RawHello(
                0,
                region.address(),
                region.remoteKey(),
                region.length(),
                options.transmitDepth(),
                options.maxMessageBytes(),
                options.bufferCount(),
                options.keepsMessages(),
                isOneSided ? ALL_VERBS : SEND_VERB);
    }

    private void send(RawHello hello) throws IOException {
        MemoryRegion control = queues.control();
        HelloDescriptor.write(control.segment(), 0, hello);
        SendShape shape = SendShape.of(SendOpcode.SEND_WITH_IMMEDIATE);
        try (PostSend send = queues.queuePair().preparePostSend(shape, 1)) {
            send.request(0)
                    .flags(SendFlags.SIGNALED)
                    .immediate(HelloDescriptor.HEADER)
                    .scatterGather(0, control, 0, HelloDescriptor.LENGTH);
            if (send.execute(0, 1) != 1) {
                throw new VerbsException("post_send", "a fresh send queue took no send");
            }
            await(queues.sendPoll(), "sending HELLO");
        }
    }

    private RawHello receive() throws IOException {
        PollCompletions poll = queues.receivePoll();
        await(poll, "waiting for HELLO");
        boolean hasHeader = poll.hasImmediate(0);
        MemorySegment memory = queues.control().segment();
        long offset = RawQueues.CONTROL_RECEIVE_OFFSET;
        String fault =
                HelloDescriptor.fault(
                        hasHeader,
                        hasHeader ? poll.immediate(0) : 0,
                        memory,
                        offset,
                        poll.byteLength(0),
                        Role.RAW);
        if (!fault.isEmpty()) {
            throw new ProtocolViolationException(peer + ": " + fault);
        }
        return HelloDescriptor.readRaw(memory, offset);
    }

    /// Waits for one completion; the poll then stands on it. Pauses rather than spins, since many
    /// handshakes may wait at once, for strangers at that.
    private void await(PollCompletions poll, String doing) throws IOException {
        int spins = 0;
        boolean isPeerGone = false;
        while (poll.execute() == 0) {
            if (isPeerGone) {
                throw new PeerGoneException(
                        peer + " closed the connection while this end was " + doing);
            }
            if (deadline.isPast()) {
                throw new DeadlineException(
                        peer
                                + " is connected, but "
                                + doing
                                + " did not end within the "
                                + deadline.wholeTime()
                                + " that connecting may take");
            }
            if (++spins < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
                isPeerGone = link.isPeerGone();
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("interrupted while " + doing);
                }
            }
        }
        if (!poll.succeeded(0)) {
            WorkCompletionException failure = new WorkCompletionException(doing, poll, 0);
            throw link.isPeerGone()
                    ? new PeerGoneException(peer + " has gone while this end was " + doing, failure)
                    : failure;
        }
    }
}
