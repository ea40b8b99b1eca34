package io.rdmanet;

import java.lang.foreign.MemorySegment;

/// A received message where it lies ([Conn#receiveLease()], [Conn#receiveLeases]).
///
/// The memory belongs to the caller until [#close()], which gives it back to the device and returns
/// its credit to the peer: who keeps leases stops the peer. Leases may be closed in any order, by
/// any thread. Objects are reused: keep none. A message of several frames was put together in
/// memory of its own; all others lie where the device wrote them.
public interface ReceivedMessage extends AutoCloseable {
    /// Memory that begins with the message. It may be longer than the message.
    MemorySegment segment();

    /// The message's length in bytes.
    int length();

    /// Gives the memory back. To be called once: by the next time the object may stand for a later
    /// message, which that would end.
    @Override
    void close();
}
