package io.rdmanet;

import io.rdmanet.verbs.MemoryRegion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Verbs with nothing in between: no framing, no flow control, no copies. One thread posts and
/// polls without pause.
///
/// Made by [Rdmanet]; the caller closes it. Belongs to one thread; only `close()` may come from
/// another. Messages go round in [RawOptions#bufferCount()] buffers of
/// [RawOptions#maxMessageBytes()] each; what is in them is the caller's matter. The dialling end
/// sends, the listening end drains; one-sided verbs reach the peer's region, which both ends learn
/// when they connect. A run ends with [#endRun(int)] on the sending end, which ends [#recvDrain] on
/// the other. A peer that stops answering fails the run within [EndpointOptions#timeout()], one
/// that dies at once.
public interface RawConn extends AutoCloseable {
    /// This end's address.
    InetSocketAddress localAddress();

    /// The peer's address.
    InetSocketAddress remoteAddress();

    /// What the connection runs on.
    ConnectionDescription description();

    /// The options that count: those of the dialling end, on both ends; only endpoint and probe are
    /// each end's own.
    RawOptions options();

    /// This end's buffers, one after another, in one region.
    MemoryRegion region();

    /// The peer's region: its first byte's address.
    long remoteAddressBase();

    /// The peer's region: its key.
    int remoteKey();

    /// The peer's region: its length in bytes.
    long remoteLength();

    /// The memory of one buffer, of [RawOptions#maxMessageBytes()].
    ///
    /// @param index 0 to bufferCount - 1, or what a [RawReceiver] was given: where messages are
    ///   kept ([RawOptions#keepsMessages()]), the listening end has two more
    MemorySegment buffer(int index);

    /// Sends `count` messages, message k from buffer k modulo bufferCount, posting one signaled
    /// work request at a time and keeping the transmit depth in flight.
    ///
    /// @param verb what each message is
    /// @param count how many at most
    /// @param size bytes of each, 0 to maxMessageBytes
    /// @param progress is told of completions, and can end the run
    /// @return how many were sent, all of them completed
    default long pipeline(RawVerb verb, long count, int size, RawProgress progress)
            throws IOException {
        return pipeline(verb, 0, count, size, progress);
    }

    /// Like [#pipeline(RawVerb, long, int, RawProgress)], but from another buffer than the first
    /// one on: message k is from buffer (`firstBuffer` + k) modulo bufferCount.
    ///
    /// @param firstBuffer 0 to bufferCount - 1
    long pipeline(RawVerb verb, int firstBuffer, long count, int size, RawProgress progress)
            throws IOException;

    /// Like [#pipeline], but posts in chains and signals the last of each.
    long pipelineBatch(RawVerb verb, long count, int size, RawProgress progress) throws IOException;

    /// Ends a run: the peer's [#recvDrain] returns with the tag.
    ///
    /// @param tag 0 to 2^30 - 1, of the caller's meaning
    void endRun(int tag) throws IOException;

    /// Receives one run, posting each receive again ([RawOptions#keepsMessages()] says how many
    /// there are), until the sender ends the run or closes. One-sided verbs do not show here: a run
    /// of them is silence, and must be shorter than this end's timeout. A deadline or an interrupt
    /// loses nothing: the next call goes on with the same run, and returns the counts of all of it.
    ///
    /// @param receiver is shown each message, or null
    RawDrain recvDrain(@Nullable RawReceiver receiver) throws IOException;

    /// Where this end's time went. Without flow control nobody waits for credits.
    ProbeReport probe();

    /// Ends the connection: says goodbye, so that a draining peer ends at once and without an
    /// error.
    @Override
    void close();
}
