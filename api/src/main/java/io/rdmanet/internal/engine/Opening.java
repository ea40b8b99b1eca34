package io.rdmanet.internal.engine;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.internal.flow.CreditLedger;
import io.rdmanet.internal.frame.HelloDescriptor.MessageHello;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.internal.setup.Rendezvous;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// How a connection begins: everything is allocated and every receive posted before the peer can
/// know of the queue pair; then it is connected, and both ends say hello.
///
/// Used once, by one thread.
final class Opening {
    /// How long an end that refuses waits for the peer's device to take the hello, by which the
    /// peer sees for itself what does not fit.
    private static final long REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ConnOptions options;
    private final Deadline deadline;
    private final long leaveNanos;
    private final ConnectionState state;
    private final Resources resources;
    private final Probe probe;
    private final ReceiveQueue receiveQueue;
    private final ReceiveSide receiveSide;
    private final SendSide sendSide;
    private final CompletionLoop loop;
    private final Inbox inbox;

    /// Allocates everything; releases it again if that fails.
    Opening(Rendezvous rendezvous, ConnOptions options, Deadline deadline) throws IOException {
        this(rendezvous, options, deadline, Teardown.LEAVE_NANOS);
    }

    /// @param leaveNanos how long closing waits for each half to be left
    Opening(Rendezvous rendezvous, ConnOptions options, Deadline deadline, long leaveNanos)
            throws IOException {
        this.options = options;
        this.deadline = deadline;
        this.leaveNanos = leaveNanos;
        this.state = new ConnectionState(MessageConnection.nanos(options.endpoint().timeout()));
        this.resources = new Resources(rendezvous, options);
        boolean complete = false;
        try {
            probe = new Probe(options.probesTime());
            CreditLedger ledger = new CreditLedger(options.depth(), Resources.CONTROL_WINDOW);
            receiveQueue = new ReceiveQueue(resources, ledger, options.depth(), probe);
            receiveSide = new ReceiveSide(options, ledger, receiveQueue, state);
            SendQueue sendQueue = new SendQueue(resources, ledger, options.depth(), probe);
            sendSide = new SendSide(options, ledger, sendQueue, receiveSide, state);
            loop =
                    new CompletionLoop(
                            resources, options.pollMode(), state, sendSide, receiveSide, probe);
            inbox = new Inbox(options, receiveSide, receiveQueue, state, loop);
            sendSide.attach(loop);
            receiveSide.attach(loop, sendSide);
            complete = true;
        } finally {
            if (!complete) {
                resources.release();
            }
        }
    }

    /// Connects and says hello; releases everything if that fails.
    Conn open() throws IOException {
        Teardown teardown = null;
        try {
            receiveQueue.postAll();
            Link link = resources.establish(options.rnrRetryCount(), deadline);
            state.peer(link.remoteAddress());
            loop.link(link);
            teardown =
                    new Teardown(
                            resources,
                            link,
                            options,
                            state,
                            sendSide,
                            inbox,
                            receiveQueue,
                            loop,
                            leaveNanos);
            sayHello();
            loop.opened();
            return new MessageConnection(options, state, sendSide, inbox, link, probe, teardown);
        } catch (IOException | RuntimeException | Error e) {
            try {
                if (teardown == null) {
                    resources.release();
                } else {
                    teardown.abandon();
                }
            } catch (RuntimeException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private void sayHello() throws IOException {
        sendSide.sendHello(
                new MessageHello(
                        0,
                        options.slotBytes(),
                        options.depth(),
                        MessageConnection.maxMessageBytes(options),
                        Resources.CONTROL_WINDOW));
        loop.owner().begin(deadline.remainingNanos(), deadline.wholeNanos());
        try {
            while (receiveSide.hello() == null) {
                state.checkCompleting();
                loop.await(loop.owner(), Waiter.Reason.HELLO, this::hasHelloOrEnded);
            }
        } catch (io.rdmanet.ProtocolViolationException e) {
            awaitHelloTaken();
            throw e;
        }
    }

    private void awaitHelloTaken() {
        loop.owner().begin(REFUSAL_NANOS);
        try {
            loop.await(loop.owner(), Waiter.Reason.HELLO, sendSide::isComplete);
        } catch (IOException ignored) {
            // The peer finds out in another way that it is refused.
        }
    }

    private boolean hasHelloOrEnded() {
        return receiveSide.hello() != null || state.endsCompleting();
    }
}
