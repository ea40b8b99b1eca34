package io.rdmanet.tck;

import static java.util.Objects.requireNonNull;

import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Two connected queue pairs in this process: the fixture of most contracts. Close it, or let
/// [VerbsContract#connect] do so.
final class ConnectedPair implements AutoCloseable {
    private static final int LEFT_SEQUENCE = 0x00abcd;
    private static final int RIGHT_SEQUENCE = 0xfffff0; // wraps after 16 packets

    private final PairEnd left;
    private final PairEnd right;
    private final Deque<AutoCloseable> underneath;

    private ConnectedPair(PairEnd left, PairEnd right, Deque<AutoCloseable> underneath) {
        this.left = left;
        this.right = right;
        this.underneath = underneath;
    }

    /// The end that sends in most tests, and that connected.
    PairEnd left() {
        return left;
    }

    /// The end that receives in most tests, and that accepted.
    PairEnd right() {
        return right;
    }

    /// The way from the left end to the right one.
    Path pathToRight() throws VerbsException {
        return Path.between(left.context(), right.context());
    }

    /// The way from the right end to the left one.
    Path pathToLeft() throws VerbsException {
        return Path.between(right.context(), left.context());
    }

    /// Connects two queue pairs, of one context or of two.
    ///
    /// @param host whose domains and completion queues are used, too; or null for own ones
    static ConnectedPair byModify(
            Context leftContext,
            Context rightContext,
            PairOptions options,
            Duration patience,
            @Nullable ConnectedPair host)
            throws Exception {
        Deque<AutoCloseable> open = new ArrayDeque<>();
        PairEnd.QueuePairFactory factory = ProtectionDomain::createQueuePair;
        try {
            PairEnd left =
                    new PairEnd(
                            leftContext,
                            options,
                            patience,
                            factory,
                            host == null ? null : host.left);
            open.push(left);
            PairEnd right =
                    new PairEnd(
                            rightContext,
                            options,
                            patience,
                            factory,
                            host == null ? null : host.right);
            open.push(right);
            ConnectedPair pair = new ConnectedPair(left, right, new ArrayDeque<>());
            pair.modifyToReadyToSend(LEFT_SEQUENCE, RIGHT_SEQUENCE);
            return pair;
        } catch (Throwable failure) {
            throw closedAfter(failure, open);
        }
    }

    /// Connects two queue pairs of one context, of which the right one takes its receives from a
    /// shared queue, in whose domain it is.
    static ConnectedPair toSharedQueue(
            SharedReceiveQueue shared, PairOptions options, Duration patience) throws Exception {
        ProtectionDomain domain = shared.protectionDomain();
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            PairEnd left =
                    new PairEnd(
                            domain.context(), options, patience, ProtectionDomain::createQueuePair);
            open.push(left);
            PairEnd right =
                    new PairEnd(
                            domain,
                            options,
                            patience,
                            (own, attributes) ->
                                    own.createQueuePair(attributes.withSharedReceiveQueue(shared)));
            open.push(right);
            ConnectedPair pair = new ConnectedPair(left, right, new ArrayDeque<>());
            pair.modifyToReadyToSend(LEFT_SEQUENCE, RIGHT_SEQUENCE);
            return pair;
        } catch (Throwable failure) {
            throw closedAfter(failure, open);
        }
    }

    /// Takes both queue pairs from RESET to READY_TO_SEND.
    void modifyToReadyToSend(int leftSequence, int rightSequence) throws Exception {
        Path toRight = pathToRight();
        Path toLeft = pathToLeft();
        left.queuePair().modify(toRight.toInit(left.fullAccess()));
        right.queuePair().modify(toLeft.toInit(right.fullAccess()));
        left.queuePair()
                .modify(toRight.toReadyToReceive(right.queuePair().number(), rightSequence));
        right.queuePair().modify(toLeft.toReadyToReceive(left.queuePair().number(), leftSequence));
        left.queuePair().modify(toReadyToSend(leftSequence, left.options()));
        right.queuePair().modify(toReadyToSend(rightSequence, right.options()));
    }

    static QueuePairAttributes toReadyToSend(int sequence, PairOptions options) {
        return QueuePairAttributes.toReadyToSend(sequence)
                .with(Attribute.RETRY_COUNT, options.retryCount())
                .with(Attribute.TIMEOUT, options.timeoutExponent())
                .with(Attribute.RNR_RETRY_COUNT, options.rnrRetryCount());
    }

    /// Connects through the connection manager.
    static ConnectedPair byConnectionManager(
            ConnectionManager manager,
            InetSocketAddress address,
            PairOptions options,
            Duration patience)
            throws Exception {
        long timeout = patience.toNanos();
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            ConnectionListener listener = manager.listen(address, 8);
            open.push(listener);
            ConnectionIdentifier leftId = manager.resolve(listener.localAddress(), null, timeout);
            open.push(leftId);
            PairEnd left =
                    new PairEnd(leftId.context(), options, patience, leftId::createQueuePair);
            open.push(left);
            ConnectionParameters parameters = parameters(options);
            FutureTask<Void> connecting =
                    new FutureTask<>(() -> {
                        leftId.connect(parameters, timeout);
                        return null;
                    });
            Thread.ofVirtual().name("tck-connect").start(connecting);
            ConnectionIdentifier rightId =
                    requireNonNull(listener.awaitRequest(timeout), "no request in time");
            open.push(rightId);
            PairEnd right =
                    new PairEnd(rightId.context(), options, patience, rightId::createQueuePair);
            open.push(right);
            rightId.accept(parameters, timeout);
            connecting.get(timeout, TimeUnit.NANOSECONDS);
            Deque<AutoCloseable> underneath = new ArrayDeque<>();
            underneath.push(listener);
            underneath.push(leftId);
            underneath.push(rightId);
            return new ConnectedPair(left, right, underneath);
        } catch (Throwable failure) {
            throw closedAfter(failure, open);
        }
    }

    private static ConnectionParameters parameters(PairOptions options) {
        ConnectionParameters defaults = ConnectionParameters.defaults();
        return new ConnectionParameters(
                defaults.privateData(),
                defaults.responderResources(),
                defaults.initiatorDepth(),
                options.retryCount(),
                options.rnrRetryCount());
    }

    private static Exception closedAfter(Throwable failure, Deque<AutoCloseable> open) {
        Closing closing = new Closing();
        closing.closeAll(open);
        try {
            closing.rethrow();
        } catch (RuntimeException | AssertionError later) {
            failure.addSuppressed(later);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return (Exception) failure;
    }

    @Override
    public void close() {
        Closing closing = new Closing();
        closing.close(left);
        closing.close(right);
        closing.closeAll(underneath);
        closing.rethrow();
    }
}
