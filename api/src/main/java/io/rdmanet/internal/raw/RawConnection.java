package io.rdmanet.internal.raw;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.DeadlineException;
import io.rdmanet.PeerGoneException;
import io.rdmanet.ProbeReport;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.RawConn;
import io.rdmanet.RawDrain;
import io.rdmanet.RawOptions;
import io.rdmanet.RawProgress;
import io.rdmanet.RawReceiver;
import io.rdmanet.RawVerb;
import io.rdmanet.internal.frame.HelloDescriptor.RawHello;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.internal.setup.Rendezvous;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A raw connection over any provider and set-up.
///
/// One thread works ([RawGate]); the connection is torn down by whoever closes it, or by the
/// working thread on its way out.
public final class RawConnection implements RawConn {
    /// How long closing waits until the peer's device has the goodbye.
    private static final long GOODBYE_NANOS = 1_000_000_000L;

    private final Link link;
    private final RawQueues queues;
    private final RawGreeting.Outcome greeting;
    private final boolean isDialling;
    private final RawGate gate = new RawGate();
    private final IdleWatch watch;
    private final RawSender sender;
    private final @Nullable RawDrainer drainer;
    private final MemorySegment[] buffers;
    private @Nullable IOException failure;

    private RawConnection(
            Link link, RawQueues queues, RawGreeting.Outcome greeting, boolean isDialling)
            throws VerbsException {
        RawOptions options = greeting.options();
        RawLayout layout = new RawLayout(options);
        MemoryRegion region = greeting.region();
        this.link = link;
        this.queues = queues;
        this.greeting = greeting;
        this.isDialling = isDialling;
        this.watch = new IdleWatch(link, gate, options.endpoint().timeout().toNanos());
        this.sender = new RawSender(queues, greeting, layout, watch, gate);
        this.drainer = isDialling ? null : new RawDrainer(queues, layout, region, watch, gate);
        this.buffers =
                new MemorySegment[isDialling ? options.bufferCount() : layout.receiveBufferCount()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = region.segment().asSlice(layout.offset(i), options.maxMessageBytes());
        }
    }

    /// Opens a raw connection. If it throws, everything that was made is closed again; the caller
    /// closes the rendezvous.
    ///
    /// @param options the dialling end's count; of the listening end's, only endpoint and probe
    /// @param isDialling which end this is
    /// @throws io.rdmanet.ProtocolViolationException if the peer is not raw, or asks for too much
    /// @throws DeadlineException if it took too long
    public static RawConnection open(
            Rendezvous rendezvous, RawOptions options, boolean isDialling, Deadline deadline)
            throws IOException {
        rendezvous.selection().provider().require(Capability.IMMEDIATE_DATA);
        int depth = isDialling ? options.transmitDepth() : announcedDepth(rendezvous);
        String fault = isDialling ? new RawLayout(options).fault() : "";
        if (!fault.isEmpty()) {
            throw new VerbsException("raw set-up", fault);
        }
        RawQueues queues =
                RawQueues.create(rendezvous, depth, isDialling, new RawProbe(options.probesTime()));
        Link link = null;
        try {
            link = rendezvous.establish(QueuePairAttributes.DEFAULT_RNR_RETRY_COUNT, deadline);
            return greet(link, queues, options, isDialling, deadline);
        } catch (IOException | RuntimeException failed) {
            closeAll(link, queues);
            throw failed;
        }
    }

    private static int announcedDepth(Rendezvous rendezvous) throws VerbsException {
        int depth = rendezvous.announcedReceiveDepth();
        if (depth > RawOptions.MAX_TRANSMIT_DEPTH) {
            throw new VerbsException(
                    "raw set-up",
                    "the peer asks for a transmit depth of "
                            + depth
                            + ", the most is "
                            + RawOptions.MAX_TRANSMIT_DEPTH);
        }
        return depth;
    }

    private static RawConnection greet(
            Link link, RawQueues queues, RawOptions options, boolean isDialling, Deadline deadline)
            throws IOException {
        RawGreeting greeting = new RawGreeting(queues, link, deadline);
        if (isDialling) {
            return new RawConnection(link, queues, greeting.dial(options), true);
        }
        RawGreeting.Outcome asked = greeting.hear(options);
        RawConnection connection = new RawConnection(link, queues, asked, false);
        if (connection.drainer != null) {
            connection.drainer.postAll();
        }
        greeting.answer(asked);
        return connection;
    }

    private static void closeAll(@Nullable Link link, RawQueues queues) {
        try (queues) {
            if (link != null) {
                link.disconnect();
            }
        } finally {
            if (link != null) {
                link.close();
            }
        }
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
    public RawOptions options() {
        return greeting.options();
    }

    @Override
    public MemoryRegion region() {
        return greeting.region();
    }

    @Override
    public long remoteAddressBase() {
        return peer().regionAddress();
    }

    @Override
    public int remoteKey() {
        return peer().regionKey();
    }

    @Override
    public long remoteLength() {
        return peer().regionLength();
    }

    private RawHello peer() {
        return greeting.peer();
    }

    @Override
    public MemorySegment buffer(int index) {
        return buffers[Objects.checkIndex(index, buffers.length)];
    }

    @Override
    public long pipeline(RawVerb verb, int firstBuffer, long count, int size, RawProgress progress)
            throws IOException {
        Objects.checkIndex(firstBuffer, options().bufferCount());
        checkRun(verb, count, size);
        enter();
        try {
            return sender.pipeline(verb, firstBuffer, count, size, progress);
        } catch (IOException | RuntimeException | Error failed) {
            remember(failed);
            throw failed;
        } finally {
            leave();
        }
    }

    @Override
    public long pipelineBatch(RawVerb verb, long count, int size, RawProgress progress)
            throws IOException {
        checkRun(verb, count, size);
        enter();
        try {
            return sender.pipelineBatch(verb, count, size, progress);
        } catch (IOException | RuntimeException | Error failed) {
            remember(failed);
            throw failed;
        } finally {
            leave();
        }
    }

    private void checkRun(RawVerb verb, long count, int size) throws VerbsException {
        if (count < 0) {
            throw new IllegalArgumentException("count is negative: " + count);
        }
        if (size < 0 || size > options().maxMessageBytes()) {
            throw new IllegalArgumentException(
                    "size must be 0 to maxMessageBytes ("
                            + options().maxMessageBytes()
                            + "), is "
                            + size);
        }
        if (verb == RawVerb.SEND) {
            requireDialling("SEND");
        } else {
            queues.provider().require(Capability.ONE_SIDED);
        }
    }

    private void requireDialling(String what) {
        if (!isDialling) {
            throw new IllegalStateException(
                    what + " is the dialling end's; the listening end drains, writes and reads");
        }
    }

    @Override
    public void endRun(int tag) throws IOException {
        if (tag < 0 || tag > RawImmediateDescriptor.MAX_TAG) {
            throw new IllegalArgumentException("tag must be 0 to 2^30 - 1, is " + tag);
        }
        requireDialling("ending a run");
        enter();
        try {
            sender.sendControl(RawImmediateDescriptor.KIND_END_OF_RUN, tag, watch);
        } catch (IOException | RuntimeException | Error failed) {
            remember(failed);
            throw failed;
        } finally {
            leave();
        }
    }

    @Override
    public RawDrain recvDrain(@Nullable RawReceiver receiver) throws IOException {
        if (drainer == null) {
            throw new IllegalStateException("draining is the listening end's; this end dialled");
        }
        enter();
        try {
            return drainer.drain(receiver);
        } catch (InterruptedIOException lateOrInterrupted) {
            // Nothing was lost: the receives stay posted.
            throw lateOrInterrupted;
        } catch (IOException | RuntimeException | Error failed) {
            remember(failed);
            throw failed;
        } finally {
            leave();
        }
    }

    @Override
    public ProbeReport probe() {
        return queues.probe().report();
    }

    private void enter() throws IOException {
        gate.enter();
        if (failure != null) {
            IOException repeated = again(failure);
            leave();
            throw repeated;
        }
    }

    private void leave() {
        if (gate.leave()) {
            tearDown();
        }
    }

    /// What ended a run in the middle ends the connection, also if it came out of a callback: work
    /// is in flight that the next run would take for its own.
    private void remember(Throwable failed) {
        failure =
                failed instanceof IOException known
                        ? known
                        : new IOException("a callback threw " + failed, failed);
    }

    /// What ended the connection, afresh: callers may add to the one that they caught.
    private static IOException again(IOException first) {
        String message = String.valueOf(first.getMessage());
        if (first instanceof PeerGoneException) {
            return new PeerGoneException(message, first);
        }
        if (first instanceof ProtocolViolationException) {
            ProtocolViolationException repeated = new ProtocolViolationException(message);
            repeated.initCause(first);
            return repeated;
        }
        return new IOException("the connection has failed: " + message, first);
    }

    @Override
    public void close() {
        if (gate.close()) {
            tearDown();
        }
    }

    private void tearDown() {
        try {
            sayGoodbye();
        } finally {
            closeAll(link, queues);
        }
    }

    /// A draining peer ends at once if it has the goodbye, and by the end of the link if not.
    private void sayGoodbye() {
        if (!isDialling || failure != null || link.isPeerGone()) {
            return;
        }
        try {
            sender.sendControl(
                    RawImmediateDescriptor.KIND_GOODBYE,
                    0,
                    new IdleWatch(link, new RawGate(), GOODBYE_NANOS));
        } catch (IOException tooLate) {
            // The peer has gone, or does not take it in time: the link's end must do.
        }
    }
}
