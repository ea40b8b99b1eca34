package io.rdmanet.ffm.connection;

import io.rdmanet.ffm.c.Librdmacm;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.ffm.event.DescriptorWait;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/// Where librdmacm reports events (`struct rdma_event_channel`). Not for use by two threads at
/// once, except for [#wakeUp()].
final class EventChannel implements AutoCloseable {
    private final long address;
    private final DescriptorWait wait;

    private EventChannel(long address, DescriptorWait wait) {
        this.address = address;
        this.wait = wait;
    }

    static EventChannel open() throws VerbsException {
        long address = Librdmacm.rdma_create_event_channel();
        if (Result.isFailure(address)) {
            throw ConnectionManagerDevice.unusable(Result.errorNumber(address));
        }
        try {
            return new EventChannel(address, new DescriptorWait(Librdmacm.descriptor(address)));
        } catch (VerbsException e) {
            Librdmacm.rdma_destroy_event_channel(address);
            throw e;
        }
    }

    /// The `struct rdma_event_channel *`.
    long address() {
        return address;
    }

    /// Whether an event is there. Allocates nothing.
    boolean isReadable() {
        return wait.isReadable();
    }

    /// The oldest event, or null if there is none. It is acknowledged already, so that nothing ever
    /// waits for that.
    @Nullable CommunicationEvent poll() throws VerbsException {
        long event = Librdmacm.rdma_get_cm_event(address);
        if (Result.isFailure(event)) {
            if (Result.errorNumber(event) == ErrorNumber.EAGAIN) {
                return null;
            }
            throw new VerbsException(
                    "rdma_get_cm_event", Result.errorNumber(event), "reading the event channel");
        }
        try {
            return CommunicationEvent.copyOf(event);
        } finally {
            Librdmacm.rdma_ack_cm_event(event);
        }
    }

    /// Waits for an event.
    DescriptorWait.Outcome await(long timeoutNanos) throws VerbsException {
        return wait.await(timeoutNanos);
    }

    /// Ends a wait.
    void wakeUp() {
        wait.wakeUp();
    }

    /// Closes the channel, after its identifiers.
    @Override
    public void close() {
        wait.close();
        Librdmacm.rdma_destroy_event_channel(address);
    }
}
