package io.rdmanet.loopback;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Prepared sends in columns, one value per request (or per element of a request).
final class LoopbackPostSend implements PostSend {
    private static final long ATOMIC_BYTES = 8;

    private final LoopbackProtectionDomain domain;
    private final QueuePairWork work;
    private final SendShape shape;
    private final int capacity;
    private final boolean isAtomic;
    private final boolean needsLocalWrite;

    private final int maxElements;
    private final SendRequests requests;

    private int cursor;

    /// Named last, and allowed here: mostly the next one, too.
    private @Nullable LoopbackMemoryRegion lastRegion;

    private boolean isOpen = true;

    LoopbackPostSend(
            LoopbackProtectionDomain domain, QueuePairWork work, SendShape shape, int capacity) {
        this.domain = domain;
        this.work = work;
        this.shape = shape;
        this.capacity = capacity;
        isAtomic = shape.opcode().isAtomic();
        needsLocalWrite = shape.opcode() == SendOpcode.RDMA_READ || isAtomic;
        maxElements = shape.maxScatterGather();
        requests =
                new SendRequests(
                        capacity,
                        maxElements,
                        0,
                        isDatagram(work) ? new DatagramColumns(capacity) : null);
        Arrays.fill(requests.opcodes, shape.opcode());
    }

    /// @param work null in tests without a device
    private static boolean isDatagram(@Nullable QueuePairWork work) {
        return work != null && work.plan().isDatagram();
    }

    @Override
    public SendShape shape() {
        return shape;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public PostSend request(int index) {
        cursor = Objects.checkIndex(index, capacity);
        return this;
    }

    @Override
    public PostSend workRequestId(long workRequestId) {
        requests.workRequestIds[cursor] = workRequestId;
        return this;
    }

    @Override
    public PostSend flags(int newFlags) {
        if ((newFlags & ~SendFlags.ALL) != 0) {
            throw new IllegalArgumentException(
                    "unknown send flags: 0x" + Integer.toHexString(newFlags));
        }
        if ((newFlags & SendFlags.INLINE) != 0 && needsLocalWrite) {
            throw new IllegalArgumentException(shape.opcode() + " cannot be inline");
        }
        requests.flags[cursor] = newFlags;
        return this;
    }

    @Override
    public PostSend scatterGather(int element, MemoryRegion region, long offset, int length) {
        Objects.checkIndex(element, maxElements);
        LoopbackMemoryRegion own = lastRegion;
        if (own != region) {
            own = requireAllowed(region);
            lastRegion = own;
        }
        own.requireInside(offset, length);
        if (isAtomic && length != ATOMIC_BYTES) {
            throw new IllegalArgumentException(
                    shape.opcode() + " has 8 bytes of result, not " + length);
        }
        requests.element(cursor, element, own, offset, length);
        return this;
    }

    private LoopbackMemoryRegion requireAllowed(MemoryRegion region) {
        LoopbackMemoryRegion own = domain.requireOwn(region);
        if (needsLocalWrite && !own.allows(AccessFlag.LOCAL_WRITE.mask())) {
            throw new IllegalArgumentException(
                    shape.opcode() + " writes to " + own + ", which has no LOCAL_WRITE");
        }
        return own;
    }

    @Override
    public PostSend inlineData(int element, MemorySegment data, long offset, int length) {
        Objects.checkIndex(element, maxElements);
        Objects.checkFromIndexSize(offset, length, data.byteSize());
        if (needsLocalWrite) {
            throw new IllegalArgumentException(shape.opcode() + " cannot be inline");
        }
        requests.unregistered(cursor, element, data, offset, length);
        return this;
    }

    @Override
    public PostSend remote(long address, int key) {
        if (isAtomic && (address & ATOMIC_BYTES - 1) != 0) {
            throw new IllegalArgumentException(
                    shape.opcode()
                            + " needs an address that is a multiple of 8, not 0x"
                            + Long.toHexString(address));
        }
        requests.remoteAddresses[cursor] = address;
        requests.remoteKeys[cursor] = key;
        return this;
    }

    @Override
    public PostSend datagram(AddressHandle receiver, int queuePairNumber, int queueKey) {
        DatagramColumns columns = requireDatagrams();
        if (!(receiver instanceof LoopbackAddressHandle own) || own.protectionDomain() != domain) {
            throw new IllegalArgumentException(
                    "the address handle belongs to another protection domain than the queue pair");
        }
        if (!own.isOpen()) {
            throw new IllegalStateException(own + " is closed");
        }
        if ((queuePairNumber & ~LoopbackContext.QUEUE_PAIR_NUMBER_MASK) != 0) {
            throw new IllegalArgumentException(
                    "a queue pair's number has 24 bits, not 0x"
                            + Integer.toHexString(queuePairNumber));
        }
        columns.put(cursor, own, work.destination(own.link(), queuePairNumber), queueKey);
        return this;
    }

    private DatagramColumns requireDatagrams() {
        DatagramColumns datagrams = requests.datagrams;
        if (datagrams == null) {
            throw new IllegalStateException(
                    work + " is a connection: its sends go to its peer, and name no receiver");
        }
        return datagrams;
    }

    @Override
    public PostSend immediate(int immediate) {
        requests.immediates[cursor] = immediate;
        return this;
    }

    @Override
    public PostSend compareAndSwap(long compare, long swap) {
        requests.firstOperands[cursor] = compare;
        requests.secondOperands[cursor] = swap;
        return this;
    }

    @Override
    public PostSend fetchAndAdd(long addend) {
        requests.firstOperands[cursor] = addend;
        return this;
    }

    @Override
    public int execute(int first, int count) throws VerbsException {
        if (!isOpen) {
            throw new IllegalStateException("post_send: the prepared call is closed");
        }
        Objects.checkFromIndexSize(first, count, capacity);
        if (count == 0) {
            throw new IllegalArgumentException("post_send: a chain has 1 request or more, not 0");
        }
        int accepted = work.postSends(this, first, count);
        if (requests.hasUnregistered()) {
            for (int i = first; i < first + accepted; i++) {
                requests.forgetUnregistered(i);
            }
        }
        return accepted;
    }

    /// The requests as they are now.
    SendRequests requests() {
        return requests;
    }

    /// Throws if one of the requests cannot be posted, as [#requireFits].
    void requireAllFit(int first, int count, int maxInlineData) {
        if (maxElements <= 1
                && requests.datagrams == null
                && !requests.hasUnregistered()
                && requests.longest() <= maxInlineData) {
            return; // whatever they are
        }
        for (int i = first; i < first + count; i++) {
            requireFits(i, maxInlineData);
        }
    }

    /// Throws if a request's elements together are more than a message, or its inline data, can
    /// have, or if a datagram goes nowhere.
    private void requireFits(int index, int maxInlineData) {
        boolean isInline = (requests.flags[index] & SendFlags.INLINE) != 0;
        if (requests.hasUnregistered()) {
            requireSendable(index, isInline);
        }
        DatagramColumns datagrams = requests.datagrams;
        if (datagrams != null) {
            datagrams.requireReceiver(index);
        } else if (maxElements <= 1 && (!isInline || requests.total(index) <= maxInlineData)) {
            return;
        }
        long total = requests.uncheckedTotal(index);
        long longest = datagrams == null ? Integer.MAX_VALUE : LoopbackContext.MTU.bytes();
        long limit = isInline ? Math.min(maxInlineData, longest) : longest;
        if (total > limit) {
            throw new IllegalArgumentException(
                    "request "
                            + index
                            + " has "
                            + total
                            + (isInline ? " bytes of inline data" : " bytes")
                            + "; the most is "
                            + limit);
        }
    }

    private void requireSendable(int index, boolean isInline) {
        if (!isInline && !requests.isRegistered(index)) {
            throw new IllegalArgumentException(
                    "request " + index + " has data that is in no memory region: it needs INLINE");
        }
        requests.requireReadable(index);
    }

    @Override
    public void close() {
        isOpen = false;
    }
}
