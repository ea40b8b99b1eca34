package io.rdmanet.verbs;

import java.lang.foreign.MemorySegment;

/// Prepared sends: an array of requests of one shape that stays as it is between executions.
///
/// [#request(int)] moves the cursor to one request; the setters after it change that request in
/// place and return this object. A request starts with identifier 0, no flags, empty elements.
/// [#execute(int, int)] posts a run of requests as one chain. Belongs to one thread at a time; the
/// caller closes it, before or after its queue pair.
///
/// ```
/// PostSend send = queuePair.preparePostSend(SendShape.of(SendOpcode.SEND), 16);
/// send.request(0).workRequestId(7).flags(SendFlags.SIGNALED).scatterGather(0, region, 0, 64);
/// int accepted = send.execute(0, 1);
/// ```
public interface PostSend extends AutoCloseable {
    /// What was frozen at preparation.
    SendShape shape();

    /// How many requests it holds.
    int capacity();

    /// Moves the cursor.
    ///
    /// @param index 0 to capacity - 1
    PostSend request(int index);

    /// The identifier that the completion will carry.
    PostSend workRequestId(long workRequestId);

    /// Or-ed [SendFlags].
    PostSend flags(int flags);

    /// Sets one scatter/gather element. Data goes out in the order of the elements. Elements of
    /// length 0 count as absent.
    ///
    /// @param element 0 to [SendShape#maxScatterGather()] - 1
    /// @param region where the data is (or goes to, for RDMA READ and atomics)
    /// @param offset from the region's start, in bytes
    /// @param length in bytes; offset and length must lie inside the region
    PostSend scatterGather(int element, MemoryRegion region, long offset, int length);

    /// Sets one element to data that is in no memory region: a device that takes data when it is
    /// posted asks for no key
    /// ([ibv_post_send(3)](https://man7.org/linux/man-pages/man3/ibv_post_send.3.html),
    /// `IBV_SEND_INLINE`). The request needs [SendFlags#INLINE] when it is executed.
    ///
    /// The memory is to be open, readable by the calling thread and unchanged from this call until
    /// [#execute] returns; it is read in between, and never afterwards. An execution that accepts
    /// the request uses the data up: set the element anew before the next. Until then, this object
    /// may keep the segment reachable.
    ///
    /// @param element 0 to [SendShape#maxScatterGather()] - 1
    /// @param data of any kind, native or heap
    /// @param offset from the segment's start, in bytes
    /// @param length in bytes
    /// @throws IndexOutOfBoundsException if there is no such element, or offset and length are not
    ///   inside the segment
    /// @throws IllegalArgumentException if the opcode cannot be inline, or `length` is more than
    ///   the queue pair takes; some devices say so, and that the request is not INLINE, when
    ///   executing
    /// @throws IllegalStateException if the memory is closed, [WrongThreadException] if it is
    ///   another thread's; here or when executing, and nothing is posted then
    /// @throws UnsupportedCapabilityException without [Capability#UNREGISTERED_INLINE_DATA]
    PostSend inlineData(int element, MemorySegment data, long offset, int length)
            throws UnsupportedCapabilityException;

    /// The peer's memory, for one-sided operations.
    ///
    /// @param address [MemoryRegion#address()] of the peer's region, plus an offset; a multiple of
    ///   8 for atomics
    /// @param key [MemoryRegion#remoteKey()] of the peer's region
    PostSend remote(long address, int key);

    /// Where a datagram goes; every request of an UNRELIABLE_DATAGRAM queue pair needs it.
    ///
    /// @param receiver the way to the receiver's port; open until the send has completed
    /// @param queuePairNumber the receiver's [QueuePair#number()]
    /// @param queueKey the receiver's queue key: with another, the datagram is dropped there
    /// @throws IllegalArgumentException if the handle belongs to another domain or provider
    /// @throws IllegalStateException if the queue pair sends no datagrams
    PostSend datagram(AddressHandle receiver, int queuePairNumber, int queueKey);

    /// The immediate data, for opcodes that have it.
    PostSend immediate(int immediate);

    /// The operands of ATOMIC_COMPARE_AND_SWAP: if the remote 64-bit number equals `compare` it
    /// becomes `swap`; its former value goes to element 0.
    PostSend compareAndSwap(long compare, long swap);

    /// The operand of ATOMIC_FETCH_AND_ADD: the remote 64-bit number grows by `addend`; its former
    /// value goes to element 0.
    PostSend fetchAndAdd(long addend);

    /// Posts the requests `first` to `first + count - 1` as one chain.
    ///
    /// @param count 1 to capacity - first
    /// @return how many were accepted, in order from `first`. Fewer than `count` means that the
    ///   send queue is full: the rest was not posted and nothing is wrong; poll completions and
    ///   execute the rest. Room comes back when a signaled completion (or a failed one) is polled:
    ///   it frees its own request and all before it.
    /// @throws IllegalStateException unless the state allows sends, or if a datagram has no
    ///   receiver; nothing was posted then
    /// @throws PostException if a request was refused; those before it were posted
    int execute(int first, int count) throws VerbsException;

    /// Frees what preparation allocated. Posted work goes on.
    @Override
    void close();
}
