package io.rdmanet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A connection that carries messages: each arrives whole, once and in order, or the connection
/// fails.
///
/// Made by [Rdmanet]; the caller closes it. **One thread at a time may send and one may receive;
/// the two may be different, and work at the same time.** `close()` may come from any thread at any
/// time and ends the others' blocking calls with `AsynchronousCloseException`. Blocking calls end
/// with [DeadlineException] after [#timeout()], with [PeerGoneException] when the peer dies, and
/// with `InterruptedIOException` when the thread is interrupted. After a deadline or an interrupt
/// the connection stays as it is, unless a call that sends or commits had posted some, but not all,
/// of what it was given: that cannot be taken back, and the connection fails. If all of it was
/// posted, it is on its way, and [#flush()] waits for it. After any other failure than these, a
/// message too large or a buffer too small, the connection is unusable: messages that had arrived
/// whole can still be received, and every other call repeats the first failure.
///
/// Three ways to send, from easy to fast: [#sendMsg] one at a time; [#sendBatch] in chains;
/// [#claim] and commit without a copy. They may be mixed. A message may be empty.
public interface Conn extends AutoCloseable {
    /// What [#recvMsg(MemorySegment)] returns when the peer has closed and everything was received.
    int END_OF_STREAM = -1;

    /// This end's address.
    InetSocketAddress localAddress();

    /// The peer's address.
    InetSocketAddress remoteAddress();

    /// What the connection runs on.
    ConnectionDescription description();

    /// The options it was made with.
    ConnOptions options();

    /// How long a blocking call may take.
    Duration timeout();

    /// Changes how long a blocking call may take.
    ///
    /// @param timeout positive
    void timeout(Duration timeout);

    /// The longest message that travels in one frame towards the peer: the longest that can be
    /// claimed.
    int sendSlotBytes();

    /// The longest message that both ends allow.
    int maxSendBytes();

    /// Whether neither end has closed and nothing has failed.
    boolean isOpen();

    // ---- sending

    /// Sends one message and waits until the peer's device has it.
    ///
    /// @throws MessageTooLargeException if it is longer than [#maxSendBytes()]; nothing was sent
    /// @throws DeadlineException if it could not be sent in time: if nothing of it was posted, it
    ///   is not sent; if a part was, the connection fails; if all was, it is on its way, and the
    ///   peer may receive it. An interrupt does the same
    void sendMsg(byte[] message) throws IOException;

    /// Sends one message from memory of any kind, which stays open and unchanged until this
    /// returns. Allocates nothing if the memory is native.
    void sendMsg(MemorySegment message) throws IOException;

    /// Sends messages as chains of work requests and waits until the peer's device has them all.
    ///
    /// @throws DeadlineException if they could not be sent in time: if none was posted, none is
    ///   sent; if some were, the connection fails, since the caller cannot know which; if all were,
    ///   they are on their way. An interrupt does the same
    void sendBatch(List<byte[]> messages) throws IOException;

    /// Sends `messages[0]` to `messages[count - 1]` as chains of work requests and waits until the
    /// peer's device has them all. Their memory stays open and unchanged until this returns.
    /// Allocates nothing if the memory is native.
    ///
    /// @throws IllegalStateException if memory is closed: none was sent; or, if it was closed
    ///   meanwhile, and some were, the connection fails
    /// @throws WrongThreadException if memory belongs to another thread; none was sent
    void sendBatch(MemorySegment[] messages, int count) throws IOException;

    /// Waits for a slot to write a message into, and for the credit to send it.
    ///
    /// @param length 0 to [#sendSlotBytes()]
    /// @return the slot, to be committed or cancelled
    SendSlot claim(int length) throws IOException;

    /// Claims up to `count` slots of one length, waiting for the first only. They are committed as
    /// one chain by [#commit(SendSlot[], int)], or each by itself.
    ///
    /// @param slots where to put them, from index 0
    /// @return how many were claimed, at least 1
    int claim(SendSlot[] slots, int count, int length) throws IOException;

    /// Posts `slots[0]` to `slots[count - 1]`, in the order they were claimed, as one chain.
    void commit(SendSlot[] slots, int count) throws IOException;

    /// Waits until the peer's device has everything that was sent or committed.
    void flush() throws IOException;

    // ---- receiving

    /// Waits for a message.
    ///
    /// @return the message in a fresh array, or null at the end of the stream
    byte @Nullable [] recvMsg() throws IOException;

    /// Waits for a message and copies it to `buffer`. Allocates nothing if the memory is native.
    ///
    /// @return the message's length, or [#END_OF_STREAM]
    /// @throws ReceiveBufferTooSmallException if it does not fit; the message stays
    int recvMsg(MemorySegment buffer) throws IOException;

    /// Waits for a message, then takes those that are there already.
    ///
    /// @param max at most so many, at least 1
    /// @return 1 to `max` messages, or an empty list at the end of the stream
    List<byte[]> recvBatch(int max) throws IOException;

    /// Waits for a message, then copies those that are there already, one to each buffer. Allocates
    /// nothing if the memory is native.
    ///
    /// @param buffers where to put them, from index 0
    /// @param lengths where to put their lengths, from index 0
    /// @param max at most so many, at least 1
    /// @return how many were received, or [#END_OF_STREAM]
    /// @throws ReceiveBufferTooSmallException if the first does not fit; it stays. If a later one
    ///   does not fit, those before it are returned and it stays
    int recvBatch(MemorySegment[] buffers, int[] lengths, int max) throws IOException;

    /// Waits for a message and leaves it where it lies.
    ///
    /// @return the message, to be closed by the caller, or null at the end of the stream
    @Nullable ReceivedMessage receiveLease() throws IOException;

    /// Waits for a message, then takes those that are there already, and leaves them where they
    /// lie.
    ///
    /// @param messages where to put them, from index 0; each is to be closed by the caller, by
    ///   itself or with others by [#closeLeases]
    /// @param max at most so many, at least 1
    /// @return how many were received, or [#END_OF_STREAM]
    /// @throws IllegalArgumentException if `max` is below 1 or there is no room for so many
    int receiveLeases(ReceivedMessage[] messages, int max) throws IOException;

    /// Closes `messages[0]` to `messages[count - 1]` together, which costs less than each by
    /// itself. Any thread. Each is to be closed once: what the array holds beyond `count`, or was
    /// closed before, may stand for a later message already, which that would end.
    ///
    /// @throws IllegalArgumentException if one belongs to another connection; none was closed
    void closeLeases(ReceivedMessage[] messages, int count);

    // ---- as a stream of bytes; message boundaries are not kept

    /// The bytes of the messages received, one message after another. Closing it closes the
    /// connection.
    InputStream inputStream();

    /// Sends what is written as messages of one slot, at the latest on flush. Closing it flushes
    /// and closes the connection.
    OutputStream outputStream();

    /// Both directions at once. Closing it closes the connection.
    ByteChannel byteChannel();

    // ----

    /// Where the time went.
    ProbeReport probe();

    /// Ends the connection: what was sent is completed, the peer is told that no more will come,
    /// and the peer's taking it is awaited for [ConnOptions#linger()]; messages that were not
    /// received are lost. Claimed slots are cancelled, leases die.
    @Override
    void close();
}
