package io.rdmanet.disni;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaVerbs;
import io.rdmanet.internal.provider.AccountTable;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The queue pair of a connection of DiSNI's.
///
/// DiSNI cannot ask for its state, and its `modifyQP` hands the device what happens to lie on the
/// stack, so that is never called. The state here is what the connection's events and failed
/// completions tell: a fault shows with the first completion that it makes fail.
final class DisniQueuePair implements QueuePair {
    private final DisniProtectionDomain domain;
    private final QueuePairInitialAttributes initial;
    private final DisniCompletionQueue sendCompletions;
    private final DisniCompletionQueue receiveCompletions;
    private final CommunicationIdentifier identifier;
    private final IbvQP queuePair;
    private final int number;
    private final WorkQueue sends;
    private final WorkQueue receives;
    private final ReentrantLock control = new ReentrantLock();
    private volatile QueuePairState state = QueuePairState.INIT;
    private volatile boolean isOpen = true;

    /// Takes a queue pair over; see [QueuePairCreation].
    DisniQueuePair(
            DisniProtectionDomain domain,
            QueuePairInitialAttributes initial,
            DisniCompletionQueue sendCompletions,
            DisniCompletionQueue receiveCompletions,
            CommunicationIdentifier identifier,
            IbvQP queuePair,
            int number) {
        this.domain = domain;
        this.initial = initial;
        this.sendCompletions = sendCompletions;
        this.receiveCompletions = receiveCompletions;
        this.identifier = identifier;
        this.queuePair = queuePair;
        this.number = number;
        sends = new WorkQueue("post_send", this, WorkAccount.ofSends(this, initial.capacity()));
        receives =
                new WorkQueue("post_recv", this, WorkAccount.ofReceives(this, initial.capacity()));
    }

    /// Makes its completions findable.
    void register() throws VerbsException {
        AccountTable<WorkAccount> accounts = domain.context().accounts();
        accounts.add(sends.account());
        boolean isDone = false;
        try {
            accounts.add(receives.account());
            isDone = true;
        } finally {
            if (!isDone) {
                accounts.remove(sends.account());
            }
        }
        domain.add(sends.account());
        domain.add(receives.account());
    }

    /// Refuses what DiSNI has no way to ask for.
    static void requireSupported(VerbsProvider provider, QueuePairInitialAttributes attributes)
            throws UnsupportedCapabilityException {
        switch (attributes.type()) {
            case RELIABLE_CONNECTION -> {}
            case UNRELIABLE_CONNECTION -> provider.require(Capability.UNRELIABLE_CONNECTION);
            case UNRELIABLE_DATAGRAM -> provider.require(Capability.UNRELIABLE_DATAGRAM);
        }
        if (attributes.sharedReceiveQueue() != null) {
            provider.require(Capability.SHARED_RECEIVE_QUEUE);
        }
    }

    @Override
    public DisniProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairType type() {
        return initial.type();
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
        return null;
    }

    /// What was asked for: DiSNI does not tell what the device made of it.
    @Override
    public QueuePairCapacity capacity() {
        return initial.capacity();
    }

    // ---- state

    @Override
    public QueuePairState state() {
        return state;
    }

    /// Only its state; the rest DiSNI does not tell.
    @Override
    public QueuePairAttributes query() {
        requireOpen("query_qp");
        return QueuePairAttributes.to(state);
    }

    /// To ERROR only, which ends the connection.
    @Override
    public void modify(QueuePairAttributes change) throws VerbsException {
        requireOpen("modify_qp");
        boolean isToError =
                change.present().size() == 1
                        && change.has(Attribute.STATE)
                        && change.state() == QueuePairState.ERROR;
        if (!isToError) {
            domain.context().provider().require(Capability.QUEUE_PAIR_MODIFY);
        }
        fail();
    }

    /// The connection stands.
    void onConnected() {
        control.lock();
        try {
            if (state == QueuePairState.INIT) {
                state = QueuePairState.READY_TO_SEND;
            }
        } finally {
            control.unlock();
        }
    }

    /// Ends the connection: librdmacm puts the queue pair into ERROR first.
    void fail() {
        state = QueuePairState.ERROR;
        identifier.disconnect();
    }

    /// The connection was ended.
    void onDisconnected() {
        state = QueuePairState.ERROR;
    }

    /// A failed completion says that the queue pair is in ERROR. Some devices (Soft-RoCE) flush
    /// what is posted from then on only if they are told again.
    void onFailedCompletion() {
        if (state != QueuePairState.ERROR) {
            fail();
        }
    }

    /// Has flushed what was posted in ERROR.
    void flush() {
        identifier.disconnect();
    }

    // ---- work

    @Override
    public PostSend preparePostSend(SendShape shape, int count)
            throws UnsupportedCapabilityException {
        requireOpen("preparing sends");
        if (shape.opcode().isAtomic()) {
            domain.context().provider().require(Capability.ATOMICS);
        }
        requireElements(
                shape.maxScatterGather(), initial.capacity().maxSendScatterGather(), "send");
        WorkRequests requests = new WorkRequests(domain, count, shape.maxScatterGather());
        SendChains chains =
                new SendChains(
                        verbs(),
                        queuePair,
                        requests,
                        shape.opcode(),
                        initial.signalsAll() ? SendFlags.SIGNALED : SendFlags.NONE);
        return new DisniPostSend(
                domain.context().provider(),
                sends,
                shape,
                initial.capacity().maxInlineData(),
                requests,
                chains);
    }

    @Override
    public PostReceive preparePostReceive(int maxScatterGather, int count) {
        requireOpen("preparing receives");
        requireElements(maxScatterGather, initial.capacity().maxReceiveScatterGather(), "receive");
        WorkRequests requests = new WorkRequests(domain, count, maxScatterGather);
        ReceiveChains chains =
                new ReceiveChains(verbs(), queuePair, requests, initial.capacity().maxReceives());
        return new DisniPostReceive(receives, requests, chains);
    }

    private static void requireElements(int elements, int most, String kind) {
        if (elements < 0 || elements > most) {
            throw new IllegalArgumentException(
                    "the queue pair has " + most + " elements per " + kind + ", not " + elements);
        }
    }

    private RdmaVerbs verbs() {
        return domain.context().disni().verbs();
    }

    // ---- end

    boolean isOpen() {
        return isOpen;
    }

    @Override
    public void close() {
        control.lock();
        try {
            if (!isOpen) {
                return;
            }
            if (!CallGuard.tryCloseBoth(sends.guard(), receives.guard())) {
                throw Destroying.inUse("rdma_destroy_qp", toString());
            }
            isOpen = false;
            identifier.destroyQueuePair();
            domain.remove(sends.account());
            domain.remove(receives.account());
            domain.context().accounts().remove(sends.account());
            domain.context().accounts().remove(receives.account());
            sendCompletions.children().remove();
            receiveCompletions.children().remove();
            domain.children().remove();
        } finally {
            control.unlock();
        }
    }

    private void requireOpen(String verb) {
        if (!isOpen) {
            throw new IllegalStateException(verb + ": " + this + " is closed");
        }
    }

    @Override
    public String toString() {
        return "queue pair 0x" + Integer.toHexString(number) + " of " + domain.context();
    }
}
