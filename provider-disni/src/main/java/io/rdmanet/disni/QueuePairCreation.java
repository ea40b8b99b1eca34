package io.rdmanet.disni;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Makes a connection's queue pair: checks whom it is to belong to, counts it there, and takes all
/// of it back if something fails half way.
final class QueuePairCreation {
    private static final String VERB = "rdma_create_qp";

    /// `IBV_QPT_RC`.
    private static final byte RELIABLE_CONNECTION = 2;

    private final DisniProtectionDomain domain;
    private final QueuePairInitialAttributes initial;
    private final DisniCompletionQueue sends;
    private final DisniCompletionQueue receives;
    private final CommunicationIdentifier identifier;
    private final @Nullable InetSocketAddress client;
    private final Deque<ChildCount> counted = new ArrayDeque<>();

    /// @param client whose request it is for, or null on the active side
    static DisniQueuePair create(
            DisniProtectionDomain domain,
            QueuePairInitialAttributes initial,
            CommunicationIdentifier identifier,
            @Nullable InetSocketAddress client)
            throws VerbsException {
        DisniQueuePair.requireSupported(domain.context().provider(), initial);
        requireElements(initial.capacity().maxSendScatterGather());
        requireElements(initial.capacity().maxReceiveScatterGather());
        QueuePairCreation creation = new QueuePairCreation(domain, initial, identifier, client);
        boolean isMade = false;
        try {
            creation.count(domain.children());
            creation.count(creation.sends.children());
            creation.count(creation.receives.children());
            DisniQueuePair queuePair = creation.make();
            isMade = true;
            return queuePair;
        } finally {
            if (!isMade) {
                creation.counted.forEach(ChildCount::remove);
            }
        }
    }

    private static void requireElements(int elements) {
        if (elements > DisniContext.MAX_SCATTER_GATHER) {
            throw new IllegalArgumentException(
                    VERB
                            + ": DiSNI has at most "
                            + DisniContext.MAX_SCATTER_GATHER
                            + " scatter/gather elements per request, not "
                            + elements);
        }
    }

    private QueuePairCreation(
            DisniProtectionDomain domain,
            QueuePairInitialAttributes initial,
            CommunicationIdentifier identifier,
            @Nullable InetSocketAddress client) {
        this.domain = domain;
        this.initial = initial;
        this.identifier = identifier;
        this.client = client;
        sends = own(initial.sendCompletionQueue());
        receives = own(initial.receiveCompletionQueue());
    }

    private DisniCompletionQueue own(CompletionQueue queue) {
        if (queue instanceof DisniCompletionQueue own && own.context() == domain.context()) {
            return own;
        }
        throw new IllegalArgumentException(
                VERB + ": the completion queues belong to another device");
    }

    private void count(ChildCount parent) {
        parent.add(VERB);
        counted.push(parent);
    }

    private DisniQueuePair make() throws VerbsException {
        IbvQP made = makeNative();
        boolean isDone = false;
        try {
            DisniQueuePair queuePair =
                    new DisniQueuePair(
                            domain, initial, sends, receives, identifier, made, number(made));
            queuePair.register();
            isDone = true;
            return queuePair;
        } finally {
            if (!isDone) {
                identifier.destroyQueuePair();
            }
        }
    }

    private IbvQP makeNative() throws VerbsException {
        QueuePairCapacity capacity = initial.capacity();
        try {
            return makeNative(capacity);
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            if (client != null && DisniFailure.errno(e) == ErrorNumber.EINVAL && !canMakeAny()) {
                throw ConnectionFailure.peerGone(VERB, client, DisniFailure.text(e));
            }
            throw DisniFailure.of(
                    VERB,
                    e,
                    "a queue pair of "
                            + capacity.maxSends()
                            + " sends, "
                            + capacity.maxReceives()
                            + " receives and "
                            + capacity.maxInlineData()
                            + " bytes of inline data on "
                            + domain.context()
                            + "; the device's limits may be less");
        }
    }

    private IbvQP makeNative(QueuePairCapacity capacity) throws IOException {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(capacity.maxSends());
        attributes.cap().setMax_recv_wr(capacity.maxReceives());
        attributes.cap().setMax_send_sge(capacity.maxSendScatterGather());
        attributes.cap().setMax_recv_sge(capacity.maxReceiveScatterGather());
        attributes.cap().setMax_inline_data(capacity.maxInlineData());
        attributes.setQp_type(RELIABLE_CONNECTION);
        attributes.setSend_cq(sends.queue());
        attributes.setRecv_cq(receives.queue());
        return identifier.call(VERB, (cm, id) -> cm.createQP(id, domain.domain(), attributes));
    }

    /// A request whose client has gone takes no queue pair at all, and gives the same error number
    /// as one that is too large: so the smallest one is tried.
    private boolean canMakeAny() {
        try {
            makeNative(QueuePairCapacity.of(1, 1));
            identifier.destroyQueuePair();
            return true;
        } catch (IOException none) {
            return false;
        }
    }

    private static int number(IbvQP queuePair) throws VerbsException {
        try {
            return queuePair.getQp_num();
        } catch (IOException e) {
            throw DisniFailure.of(VERB, e, "asking the queue pair for its number");
        }
    }
}
