package io.rdmanet.loopback;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/// The other end of a queue pair, once it was named, and what works with it.
///
/// @param peerGid the other end's device
/// @param peer the other end, or null if it was not there
/// @param engine executes sends towards it, or null
/// @param unshared reaches memory of it that is not shared, or null
record QueuePairConnection(
        GlobalIdentifier peerGid,
        @Nullable RemoteQueuePair peer,
        @Nullable SendEngine engine,
        @Nullable UnsharedMemoryClient unshared) {

    /// Finds the other end. One that is not there is no error yet: like a card, this end notices
    /// when it sends and gets no answer.
    static QueuePairConnection to(
            GlobalIdentifier peerGid, int peerNumber, QueuePairWork own, MemorySegment atomicResult)
            throws VerbsException {
        try {
            RemoteQueuePair peer =
                    RemoteQueuePair.attach(own.context().hub().peer(peerGid), peerGid, peerNumber);
            UnsharedMemoryClient unshared = new UnsharedMemoryClient(own, peer);
            SendEngine engine = new SendEngine(own, peer, unshared, atomicResult);
            return new QueuePairConnection(peerGid, peer, engine, unshared);
        } catch (IOException e) {
            if (!isAbsence(e)) {
                throw new VerbsException(
                        "modify_qp", own + " cannot reach its peer: " + e.getMessage(), e);
            }
            System.getLogger(QueuePairConnection.class.getName())
                    .log(System.Logger.Level.DEBUG, own + " finds no peer", e);
            return new QueuePairConnection(peerGid, null, null, null);
        }
    }

    private static boolean isAbsence(IOException e) {
        return e instanceof NoSuchFileException
                || (e instanceof VerbsException verbs
                        && (verbs.errno() == ErrorNumber.EHOSTUNREACH
                                || verbs.errno() == ErrorNumber.ENOENT));
    }

    /// Whether the other end may be writing to this one. The caller has put a full fence before.
    boolean isExecuting() {
        return peer != null && peer.isExecuting();
    }

    /// Whether the other end was there, and has gone.
    boolean isPeerGone() {
        return peer != null && !peer.link().isAlive();
    }

    /// Lets the other end go. For the holder of the execution right.
    void close() {
        if (peer != null) {
            peer.close();
        }
        if (unshared != null) {
            unshared.close();
        }
    }
}
