package io.rdmanet;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A slot of registered memory to write a message into ([Conn#claim(int)]).
///
/// The slot belongs to the caller until it is committed or cancelled, and must not be touched
/// afterwards. Slot objects are reused: keep none. Belongs to one thread at a time.
public interface SendSlot {
    /// The memory to write the message to, from offset 0. It may be longer than the message.
    MemorySegment segment();

    /// The message's length in bytes, as claimed.
    int length();

    /// Makes the message shorter than was claimed.
    ///
    /// @param length 0 to the length claimed
    void truncate(int length);

    /// Posts the message and returns at once; its completion is awaited by a later call that needs
    /// the slot, by [Conn#flush()], or by closing.
    ///
    /// @throws IllegalStateException if the slot was committed or cancelled already
    void commit() throws IOException;

    /// Gives the slot back unsent. Does nothing if it was committed or cancelled already and
    /// nothing was claimed since; the object may otherwise stand for a later claim, which that
    /// would end.
    void cancel();
}
