package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.QueuePairCapacityDescriptor;
import io.rdmanet.ffm.c.QueuePairInitialDescriptor;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Makes a queue pair: checks whom it is to belong to, counts it there, and takes all of it back if
/// something fails half way.
final class QueuePairCreation {
    private static final String VERB = "create_qp";

    private final FfmProtectionDomain domain;
    private final QueuePairInitialAttributes initial;
    private final FfmCompletionQueue sends;
    private final FfmCompletionQueue receives;
    private final @Nullable FfmSharedReceiveQueue shared;
    private final Deque<ChildCount> counted = new ArrayDeque<>();

    static FfmQueuePair create(FfmProtectionDomain domain, QueuePairInitialAttributes initial)
            throws VerbsException {
        QueuePairCreation creation = new QueuePairCreation(domain, initial);
        boolean isMade = false;
        try {
            creation.count();
            FfmQueuePair queuePair = creation.make();
            isMade = true;
            return queuePair;
        } finally {
            if (!isMade) {
                creation.counted.forEach(ChildCount::remove);
            }
        }
    }

    private QueuePairCreation(FfmProtectionDomain domain, QueuePairInitialAttributes initial) {
        this.domain = domain;
        this.initial = initial;
        sends = own(initial.sendCompletionQueue());
        receives = own(initial.receiveCompletionQueue());
        shared = own(initial.sharedReceiveQueue());
    }

    private FfmCompletionQueue own(CompletionQueue queue) {
        if (queue instanceof FfmCompletionQueue own && own.context() == domain.context()) {
            return own;
        }
        throw new IllegalArgumentException(
                VERB + ": the completion queues belong to another device");
    }

    private @Nullable FfmSharedReceiveQueue own(@Nullable SharedReceiveQueue queue) {
        if (queue == null) {
            return null;
        }
        if (queue instanceof FfmSharedReceiveQueue own && own.protectionDomain() == domain) {
            return own;
        }
        throw new IllegalArgumentException(
                VERB + ": the shared receive queue belongs to another protection domain");
    }

    private void count() {
        count(domain.children());
        count(sends.children());
        count(receives.children());
        if (shared != null) {
            count(shared.children());
        }
    }

    private void count(ChildCount parent) {
        parent.add(VERB);
        counted.push(parent);
    }

    private FfmQueuePair make() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long attributes = arena.allocate(QueuePairInitialDescriptor.SIZE, Long.BYTES).address();
            write(attributes);
            long made = Libibverbs.ibv_create_qp(domain.address(), attributes);
            if (Result.isFailure(made)) {
                throw refused(Result.errorNumber(made));
            }
            FfmQueuePair queuePair =
                    new FfmQueuePair(
                            domain,
                            initial,
                            sends,
                            receives,
                            shared,
                            made,
                            QueuePairCapacityDescriptor.get(
                                    attributes + QueuePairInitialDescriptor.CAPACITY));
            try {
                queuePair.register();
            } catch (VerbsException e) {
                Libibverbs.ibv_destroy_qp(made);
                throw e;
            }
            return queuePair;
        }
    }

    private void write(long attributes) {
        NativeMemory.setLong(
                attributes + QueuePairInitialDescriptor.SEND_COMPLETION_QUEUE, sends.address());
        NativeMemory.setLong(
                attributes + QueuePairInitialDescriptor.RECEIVE_COMPLETION_QUEUE,
                receives.address());
        NativeMemory.setLong(
                attributes + QueuePairInitialDescriptor.SHARED_RECEIVE_QUEUE,
                shared == null ? 0 : shared.address());
        QueuePairCapacityDescriptor.set(
                attributes + QueuePairInitialDescriptor.CAPACITY, initial.capacity());
        NativeMemory.setInt(
                attributes + QueuePairInitialDescriptor.TYPE,
                switch (initial.type()) {
                    case RELIABLE_CONNECTION -> QueuePairInitialDescriptor.RELIABLE_CONNECTION;
                    case UNRELIABLE_CONNECTION -> QueuePairInitialDescriptor.UNRELIABLE_CONNECTION;
                    case UNRELIABLE_DATAGRAM -> QueuePairInitialDescriptor.UNRELIABLE_DATAGRAM;
                });
        NativeMemory.setInt(
                attributes + QueuePairInitialDescriptor.SIGNALS_ALL, initial.signalsAll() ? 1 : 0);
    }

    private VerbsException refused(int errno) {
        String detail = initial.type() + " with " + initial.capacity() + " on " + domain.context();
        if (errno == ErrorNumber.EINVAL) {
            detail += limits();
        } else if (errno == ErrorNumber.ENOMEM) {
            detail += "; " + LockedMemory.hint();
        }
        return new VerbsException(VERB, errno, detail);
    }

    private String limits() {
        try {
            DeviceAttributes device = domain.context().queryDevice();
            return "; the device's limits are "
                    + device.maxWorkRequests()
                    + " requests, "
                    + device.maxScatterGather()
                    + " elements, "
                    + device.maxInlineData()
                    + " bytes of inline data";
        } catch (VerbsException e) {
            return ""; // the first error counts
        }
    }
}
