package io.rdmanet.loopback;

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

/// A queue pair as its user sees it. What it does is in [QueuePairWork], how it goes from state to
/// state in [QueuePairControl].
final class LoopbackQueuePair implements QueuePair {
    private final LoopbackProtectionDomain domain;
    private final LoopbackCompletionQueue sendCompletions;
    private final LoopbackCompletionQueue receiveCompletions;
    private final @Nullable LoopbackSharedReceiveQueue shared;
    private final QueuePairPlan plan;
    private final QueuePairWork work;
    private final QueuePairControl control;

    static LoopbackQueuePair create(
            LoopbackProtectionDomain domain, QueuePairInitialAttributes initial)
            throws VerbsException {
        if (!(initial.sendCompletionQueue() instanceof LoopbackCompletionQueue sends)
                || !(initial.receiveCompletionQueue() instanceof LoopbackCompletionQueue receives)
                || sends.context() != domain.context()
                || receives.context() != domain.context()) {
            throw new IllegalArgumentException(
                    "create_qp: the completion queues belong to another device");
        }
        SharedReceiveQueue shared = initial.sharedReceiveQueue();
        if (shared == null) {
            LoopbackContext.requireWithinLimits(initial.capacity());
            return new LoopbackQueuePair(
                    domain, initial, initial.capacity(), sends, receives, null);
        }
        if (!(shared instanceof LoopbackSharedReceiveQueue own)
                || own.protectionDomain() != domain) {
            throw new IllegalArgumentException(
                    "create_qp: the shared receive queue belongs to another protection domain");
        }
        QueuePairCapacity capacity = withoutReceives(initial.capacity());
        LoopbackContext.requireWithinLimits(capacity);
        return new LoopbackQueuePair(domain, initial, capacity, sends, receives, own);
    }

    private static QueuePairCapacity withoutReceives(QueuePairCapacity asked) {
        return new QueuePairCapacity(
                asked.maxSends(), 0, asked.maxSendScatterGather(), 0, asked.maxInlineData());
    }

    private LoopbackQueuePair(
            LoopbackProtectionDomain domain,
            QueuePairInitialAttributes initial,
            QueuePairCapacity capacity,
            LoopbackCompletionQueue sendCompletions,
            LoopbackCompletionQueue receiveCompletions,
            @Nullable LoopbackSharedReceiveQueue shared)
            throws VerbsException {
        this.domain = domain;
        this.shared = shared;
        this.sendCompletions = sendCompletions;
        this.receiveCompletions = receiveCompletions;
        LoopbackContext context = domain.context();
        plan =
                new QueuePairPlan(
                        context.newQueuePairNumber(),
                        domain.number(),
                        initial.type(),
                        capacity,
                        shared == null ? null : shared.pool(),
                        initial.signalsAll(),
                        receiveCompletions.hasChannel());
        work = new QueuePairWork(context, plan, sendCompletions, receiveCompletions);
        control = new QueuePairControl(work);
        try {
            sendCompletions.addSender(work);
            addReceiver();
        } catch (RuntimeException e) {
            work.discard();
            throw e;
        }
        context.add(work);
        domain.children().add();
        if (shared != null) {
            shared.children().add();
        }
    }

    private void addReceiver() {
        try {
            receiveCompletions.addReceiver(work);
        } catch (RuntimeException e) {
            sendCompletions.removeSender(work);
            throw e;
        }
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return plan.number();
    }

    @Override
    public QueuePairType type() {
        return plan.type();
    }

    @Override
    public QueuePairState state() {
        return work.state();
    }

    @Override
    public CompletionQueue sendCompletionQueue() {
        return sendCompletions;
    }

    @Override
    public CompletionQueue receiveCompletionQueue() {
        return receiveCompletions;
    }

    @Override
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return shared;
    }

    @Override
    public QueuePairCapacity capacity() {
        return plan.capacity();
    }

    @Override
    public void modify(QueuePairAttributes change) throws VerbsException {
        control.modify(change);
    }

    @Override
    public QueuePairAttributes query() {
        return control.query();
    }

    @Override
    public PostSend preparePostSend(SendShape shape, int count) {
        requirePositive(count);
        if (shape.maxScatterGather() > plan.capacity().maxSendScatterGather()) {
            throw new IllegalArgumentException(
                    "the queue pair has "
                            + plan.capacity().maxSendScatterGather()
                            + " elements per send, not "
                            + shape.maxScatterGather());
        }
        if (plan.isDatagram() && shape.opcode().isOneSided()) {
            throw new IllegalArgumentException(
                    shape.opcode()
                            + " needs a connection; datagrams are SEND or SEND_WITH_IMMEDIATE");
        }
        return new LoopbackPostSend(domain, work, shape, count);
    }

    @Override
    public PostReceive preparePostReceive(int maxScatterGather, int count) {
        if (shared != null) {
            throw new IllegalStateException(
                    this + " takes its receives from " + shared + ": prepare them there");
        }
        requirePositive(count);
        if (maxScatterGather < 0 || maxScatterGather > plan.capacity().maxReceiveScatterGather()) {
            throw new IllegalArgumentException(
                    "the queue pair has "
                            + plan.capacity().maxReceiveScatterGather()
                            + " elements per receive, not "
                            + maxScatterGather);
        }
        return new LoopbackPostReceive(domain, work, maxScatterGather, count);
    }

    @Override
    public void close() {
        if (control.close()) {
            domain.context().remove(work);
            domain.children().remove();
            if (shared != null) {
                shared.children().remove();
            }
        }
    }

    @Override
    public String toString() {
        return plan.toString();
    }

    private static void requirePositive(int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "a prepared call holds 1 request or more, not " + count);
        }
    }
}
