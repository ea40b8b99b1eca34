package io.rdmanet.tck.fault;

import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/// A queue pair of a [FaultyProvider].
final class FaultyQueuePair implements QueuePair {
    private final FaultyContext context;
    private final ProtectionDomain domain;
    private final QueuePairInitialAttributes attributes;
    private final QueuePair target;
    private final Tracked tracked;

    FaultyQueuePair(
            FaultyContext context,
            ProtectionDomain domain,
            QueuePairInitialAttributes attributes,
            QueuePair target,
            Tracked tracked) {
        this.context = context;
        this.domain = domain;
        this.attributes = attributes;
        this.target = target;
        this.tracked = tracked;
        context.add(target);
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return target.number();
    }

    @Override
    public QueuePairType type() {
        return target.type();
    }

    @Override
    public QueuePairState state() {
        return target.state();
    }

    @Override
    public CompletionQueue sendCompletionQueue() {
        return attributes.sendCompletionQueue();
    }

    @Override
    public CompletionQueue receiveCompletionQueue() {
        return attributes.receiveCompletionQueue();
    }

    @Override
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return attributes.sharedReceiveQueue();
    }

    @Override
    public QueuePairCapacity capacity() {
        return target.capacity();
    }

    @Override
    public void modify(QueuePairAttributes change) throws VerbsException {
        target.modify(change);
    }

    @Override
    public QueuePairAttributes query() throws VerbsException {
        return target.query();
    }

    @Override
    public PostSend preparePostSend(SendShape shape, int capacity) throws VerbsException {
        return Tracked.create(
                context.plan(),
                Resource.POST_SEND,
                () -> target.preparePostSend(shape, capacity),
                (send, made) -> new FaultyPostSend(context.plan(), send, made));
    }

    @Override
    public PostReceive preparePostReceive(int maxScatterGather, int capacity)
            throws VerbsException {
        return Tracked.create(
                context.plan(),
                Resource.POST_RECEIVE,
                () -> target.preparePostReceive(maxScatterGather, capacity),
                (receive, made) -> new FaultyPostReceive(context.plan(), receive, made));
    }

    /// Counted as closed, too, when its connection's identifier closes it.
    void closedByIdentifier() {
        context.remove(target);
        tracked.closed();
    }

    @Override
    public void close() {
        target.close();
        closedByIdentifier();
    }
}
