package io.rdmanet;

/// Is shown each message of a raw run, on the draining thread, before its receive is posted again.
/// It must not block, since the sender goes on. Unless the connection keeps messages
/// ([RawOptions#keepsMessages()], with as many buffers as the transmit depth), a later message may
/// have overwritten this one already, or do so meanwhile; lengths are right in any case.
@FunctionalInterface
public interface RawReceiver {
    /// A message has arrived.
    ///
    /// @param buffer the index of the buffer it lies in ([RawConn#buffer(int)])
    /// @param length its length in bytes
    void onMessage(int buffer, int length);
}
