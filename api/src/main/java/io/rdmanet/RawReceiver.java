package io.rdmanet;

/// Is shown each message of a raw run, on the draining thread, before its buffer is posted again.
/// It must not block, since the sender goes on.
@FunctionalInterface
public interface RawReceiver {
    /// A message has arrived.
    ///
    /// @param buffer the index of the buffer it lies in ([RawConn#buffer(int)])
    /// @param length its length in bytes
    void onMessage(int buffer, int length);
}
