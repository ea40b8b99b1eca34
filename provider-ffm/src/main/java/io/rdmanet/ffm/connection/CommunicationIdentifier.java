package io.rdmanet.ffm.connection;

import io.rdmanet.ffm.c.CommunicationIdentifierDescriptor;
import io.rdmanet.ffm.c.Librdmacm;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.ffm.event.DescriptorWait;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// A `rdma_cm_id` with an event channel of its own, so that whoever waits for its events waits for
/// nobody else's.
///
/// ```
/// in use --close()--> closed --destroy()--> gone
/// ```
///
/// Calls and waits may come from any thread. [#close()] ends them: who waits is woken up, who comes
/// later is refused. What is left then is to take leave of the peer, and to [#destroy()].
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | isClosed | whoever closes | volatile | volatile | threads about to wait: it is set before they are woken |
/// | name | whoever knows more | volatile | volatile | none |
/// | isGone | whoever destroys, under both locks | under one of them | plain | locks |
/// | unread | the reader | plain | plain | reading |
final class CommunicationIdentifier {
    private final EventChannel channel;
    private final long identifier;

    /// Held by the one thread that reads events, also while it waits for them.
    private final ReentrantLock reading = new ReentrantLock();

    /// Held during each call of librdmacm, but never during a wait. Taken after `reading`.
    private final ReentrantLock calling = new ReentrantLock();

    /// Events that were read where nobody could use them. Guarded by `reading`.
    private final ArrayDeque<CommunicationEvent> unread = new ArrayDeque<>();

    private volatile String name;
    private volatile boolean isClosed;

    /// Guarded by `calling` and `reading`: written under both, read under one.
    private boolean isGone;

    private CommunicationIdentifier(String name, EventChannel channel, long identifier) {
        this.name = name;
        this.channel = channel;
        this.identifier = identifier;
    }

    /// What is done with an event.
    @FunctionalInterface
    interface EventReader<T> {
        /// Looks at an event.
        ///
        /// @return what the wait is to return, or null to wait on
        @Nullable T read(CommunicationEvent event) throws VerbsException;
    }

    /// Creates an identifier.
    ///
    /// @param name for messages
    static CommunicationIdentifier create(String name) throws VerbsException {
        EventChannel channel = EventChannel.open();
        long identifier = Librdmacm.rdma_create_id(channel.address());
        if (Result.isFailure(identifier)) {
            channel.close();
            throw new VerbsException("rdma_create_id", Result.errorNumber(identifier), name);
        }
        return new CommunicationIdentifier(name, channel, identifier);
    }

    /// Takes over the identifier of a connection request. It is on its listener's channel, which
    /// must stay open meanwhile. If this fails the request is destroyed, and so rejected.
    static CommunicationIdentifier takeOver(String name, long request) throws VerbsException {
        EventChannel channel = null;
        try {
            channel = EventChannel.open();
            long result = Librdmacm.rdma_migrate_id(request, channel.address());
            if (Result.isFailure(result)) {
                throw new VerbsException("rdma_migrate_id", Result.errorNumber(result), name);
            }
            return new CommunicationIdentifier(name, channel, request);
        } catch (VerbsException e) {
            Librdmacm.rdma_destroy_id(request);
            if (channel != null) {
                channel.close();
            }
            throw e;
        }
    }

    /// The device it is bound to (`struct ibv_context *`).
    long verbs() {
        return CommunicationIdentifierDescriptor.verbs(identifier);
    }

    /// The device's port it is bound to.
    int portNumber() {
        return CommunicationIdentifierDescriptor.portNumber(identifier);
    }

    /// This end's address, or null if it has none yet.
    @Nullable InetSocketAddress localAddress() {
        return CommunicationIdentifierDescriptor.localAddress(identifier);
    }

    /// Now that more is known of it.
    void rename(String newName) {
        name = newName;
    }

    /// Calls a function of librdmacm.
    ///
    /// @param function takes the `rdma_cm_id`, gives a [Result]
    /// @return its result
    /// @throws VerbsException if the identifier was closed
    long call(String verb, LongUnaryOperator function) throws VerbsException {
        calling.lock();
        try {
            requireOpen(verb);
            return function.applyAsLong(identifier);
        } finally {
            calling.unlock();
        }
    }

    /// Reads events until one gives something.
    ///
    /// @param timeoutNanos how long to wait at most; 0 never blocks
    /// @return what the reader returned, or null if the time is up
    /// @throws VerbsException if the identifier was closed, the thread interrupted, or the reader
    ///   threw it
    <T> @Nullable T awaitEvent(String verb, long timeoutNanos, EventReader<T> reader)
            throws VerbsException {
        long start = System.nanoTime();
        if (!tryReading(verb, timeoutNanos)) {
            return null;
        }
        try {
            while (true) {
                requireOpen(verb);
                CommunicationEvent event = poll();
                T result = event == null ? null : reader.read(event);
                if (result != null) {
                    return result;
                }
                long left = timeoutNanos - (System.nanoTime() - start);
                if (event == null && left <= 0) {
                    return null;
                }
                if (event == null && channel.await(left) == DescriptorWait.Outcome.INTERRUPTED) {
                    throw ConnectionFailure.interrupted(verb, name);
                }
            }
        } finally {
            reading.unlock();
        }
    }

    private boolean tryReading(String verb, long timeoutNanos) throws VerbsException {
        if (timeoutNanos <= 0) {
            requireOpen(verb);
            return reading.tryLock(); // who holds it reads what there is
        }
        try {
            return reading.tryLock(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw ConnectionFailure.interrupted(verb, name);
        }
    }

    /// Leaves an event to the next reader. For readers only.
    void putBack(CommunicationEvent event) {
        unread.addFirst(event);
    }

    private @Nullable CommunicationEvent poll() throws VerbsException {
        CommunicationEvent event = unread.poll();
        if (event != null || !channel.isReadable()) {
            return event;
        }
        calling.lock();
        try {
            return channel.poll();
        } finally {
            calling.unlock();
        }
    }

    private void requireOpen(String verb) throws VerbsException {
        if (isClosed) {
            throw ConnectionFailure.closed(verb, name);
        }
    }

    /// Ends the calls and waits of others. Also if it is gone.
    void close() {
        isClosed = true;
        channel.wakeUp();
    }

    /// After [#close()]: the oldest event, or null, also if it is gone. Never blocks for long: who
    /// waited for events has been woken.
    @Nullable CommunicationEvent pollLast() throws VerbsException {
        reading.lock();
        try {
            return isGone ? null : poll();
        } finally {
            reading.unlock();
        }
    }

    /// Tells the peer that the connection has ended, or confirms that it has. Also after
    /// [#close()]; does nothing if it is gone.
    ///
    /// @return a [Result]
    long disconnect() {
        calling.lock();
        try {
            return isGone ? 0 : Librdmacm.rdma_disconnect(identifier);
        } finally {
            calling.unlock();
        }
    }

    /// Closes it if need be, and frees it. A peer that waits for an answer is rejected, one that is
    /// connected disconnected.
    void destroy() {
        close();
        reading.lock();
        calling.lock();
        try {
            if (!isGone) {
                isGone = true;
                // Cannot fail for a valid identifier. If it does, closing the channel ends what the
                // kernel knows of it.
                Librdmacm.rdma_destroy_id(identifier);
                channel.close();
            }
        } finally {
            calling.unlock();
            reading.unlock();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
