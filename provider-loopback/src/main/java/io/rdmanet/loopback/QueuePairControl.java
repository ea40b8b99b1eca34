package io.rdmanet.loopback;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairTransition;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;

/// The control path of a queue pair: its way from state to state, one step at a time.
final class QueuePairControl {
    private final QueuePairWork work;
    private final MemorySegment atomicResult = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final ReentrantLock lock = new ReentrantLock();
    private QueuePairAttributes attributes = QueuePairAttributes.to(QueuePairState.RESET);

    QueuePairControl(QueuePairWork work) {
        this.work = work;
    }

    QueuePairAttributes query() {
        lock.lock();
        try {
            return attributes.withState(work.state());
        } finally {
            lock.unlock();
        }
    }

    void modify(QueuePairAttributes change) throws VerbsException {
        lock.lock();
        try {
            requireOpen();
            QueuePairState from = work.state();
            QueuePairTransition.check(work.plan().type(), from, change);
            QueuePairState to = change.has(Attribute.STATE) ? change.state() : from;
            switch (to) {
                case RESET -> {
                    work.renew();
                    attributes = QueuePairAttributes.none();
                }
                case INIT -> initialise(change, from);
                case READY_TO_RECEIVE -> readyToReceive(change);
                case READY_TO_SEND -> readyToSend(change, from);
                case SEND_QUEUE_DRAINED -> replaceState(from, to);
                case ERROR -> {
                    if (from == QueuePairState.RESET) {
                        replaceState(from, to); // which no fault does
                    }
                    work.fail();
                }
                case SEND_QUEUE_ERROR -> throw new AssertionError("refused above");
            }
            attributes = attributes.mergedWith(change);
        } finally {
            lock.unlock();
        }
    }

    private void initialise(QueuePairAttributes change, QueuePairState from) throws VerbsException {
        if (change.has(Attribute.PORT_NUMBER) && change.number(Attribute.PORT_NUMBER) != 1) {
            throw new VerbsException(
                    "modify_qp",
                    ErrorNumber.EINVAL,
                    "the loopback device has port 1 only, not "
                            + change.number(Attribute.PORT_NUMBER));
        }
        if (change.has(Attribute.ACCESS_FLAGS)) {
            work.life().access(change.number(Attribute.ACCESS_FLAGS));
        }
        changeQueueKey(change);
        replaceState(from, QueuePairState.INIT);
    }

    private void changeQueueKey(QueuePairAttributes change) {
        if (change.has(Attribute.QUEUE_KEY)) {
            work.life().queueKey(change.number(Attribute.QUEUE_KEY));
        }
    }

    private void readyToReceive(QueuePairAttributes change) throws VerbsException {
        if (work.plan().isDatagram()) {
            changeQueueKey(change);
            replaceState(QueuePairState.INIT, QueuePairState.READY_TO_RECEIVE);
        } else {
            connect(change);
        }
    }

    private void connect(QueuePairAttributes change) throws VerbsException {
        int peerNumber = change.number(Attribute.DESTINATION_QUEUE_PAIR_NUMBER);
        GlobalIdentifier peerGid = change.addressVector().destinationGid();
        QueuePairLife life = work.life();
        QueuePairConnection made = QueuePairConnection.to(peerGid, peerNumber, work, atomicResult);
        work.connect(made);
        if (change.has(Attribute.ACCESS_FLAGS)) {
            life.access(change.number(Attribute.ACCESS_FLAGS));
        }
        life.minRnrTimer(change.number(Attribute.MIN_RNR_TIMER));
        life.peer(peerGid, peerNumber);
        replaceState(QueuePairState.INIT, QueuePairState.READY_TO_RECEIVE);
        // A peer that went before the connection was set has told nobody here.
        if (made.isPeerGone()) {
            work.fail();
        }
    }

    private void readyToSend(QueuePairAttributes change, QueuePairState from) {
        QueuePairLife life = work.life();
        changeQueueKey(change);
        if (from == QueuePairState.READY_TO_RECEIVE && !work.plan().isDatagram()) {
            life.right().begin();
            try {
                work.timer()
                        .configure(
                                change.number(Attribute.TIMEOUT),
                                change.number(Attribute.RETRY_COUNT),
                                change.number(Attribute.RNR_RETRY_COUNT));
            } finally {
                life.right().end();
            }
        }
        if (change.has(Attribute.MIN_RNR_TIMER)) {
            life.minRnrTimer(change.number(Attribute.MIN_RNR_TIMER));
        }
        replaceState(from, QueuePairState.READY_TO_SEND);
        work.progress();
    }

    private void replaceState(QueuePairState from, QueuePairState to) {
        if (from != to && !work.life().replaceState(from, to)) {
            throw new IllegalStateException(
                    "modify_qp: a queue pair cannot go from " + work.state() + " to " + to);
        }
    }

    /// Ends the queue pair.
    ///
    /// @return false if it was closed before
    boolean close() {
        lock.lock();
        try {
            return work.close();
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (!work.isOpen()) {
            throw new IllegalStateException("modify_qp: " + work + " is closed");
        }
    }
}
