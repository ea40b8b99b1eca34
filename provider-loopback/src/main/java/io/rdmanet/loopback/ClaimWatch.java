package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.UNCLAIMED;

import io.rdmanet.loopback.link.Instance;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.util.concurrent.locks.ReentrantLock;

/// Takes the claim of a queue pair of datagrams back from devices that have died with it.
///
/// Mostly the hub says that a device has gone. It cannot if the device died before its greeting was
/// on its way; then a sender that has waited too long wakes this end, which goes and looks.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | suspect | hub's thread; device's thread | volatile | volatile | |
final class ClaimWatch {
    private final LoopbackContext context;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long suspect = UNCLAIMED;

    ClaimWatch(LoopbackContext context) {
        this.context = context;
    }

    /// Somebody has woken this end: who has the claim now may be the reason.
    void onWake(QueuePairLife life) {
        long holder = life.claim().holder();
        if (holder != UNCLAIMED) {
            suspect = holder;
            context.deviceThread().nudge();
        }
    }

    /// Whether [#check] has something to do.
    boolean isCheckDue() {
        return suspect != UNCLAIMED;
    }

    /// Looks whether the suspected device is there at all. On the device's thread, as this may
    /// block for two seconds.
    void check(QueuePairLife life) {
        long device = suspect;
        suspect = UNCLAIMED;
        if (device == UNCLAIMED || life.claim().holder() != device) {
            return;
        }
        try {
            // From now on, if not before, the hub will say when it goes.
            boolean ignored = context.hub().peer(Instance.gidOf(device)).isAlive();
        } catch (VerbsException e) {
            if (e.errno() == ErrorNumber.EHOSTUNREACH) {
                recover(life, device);
            }
        }
    }

    /// Takes the claim back, if a device that has gone has it.
    void recover(QueuePairLife life, long gone) {
        lock.lock();
        try {
            if (life.claim().holder() == gone
                    && life.receives() instanceof PooledReceives receives) {
                receives.recover();
                life.claim().end();
            }
        } finally {
            lock.unlock();
        }
    }
}
