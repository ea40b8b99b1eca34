package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.SendWorkRequestDescriptor;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Prepared sends.
final class FfmPostSend implements PostSend {
    private static final int ATOMIC_BYTES = 8;
    private static final int NUMBER_BITS = 24;

    /// The column of a datagram's receiver in the chain.
    private static final int RECEIVER = 0;

    private final FfmProtectionDomain domain;
    private final WorkQueue queue;
    private final SendShape shape;
    private final SendOpcode opcode;
    private final boolean isDatagram;
    private final int maxInlineData;
    private final boolean isAtomic;
    private final boolean needsLocalWrite;
    private final RequestChain chain;
    private final boolean[] isInline;

    /// Whether the requests have to be looked at before they are posted.
    private boolean needsChecking;

    private int cursor;

    /// Where data that is in no region waits for the driver, freed with this object; made when
    /// first needed.
    private @Nullable MemorySegment inlineScratch;

    /// Named last, and allowed here: mostly the next one, too.
    private @Nullable FfmMemoryRegion lastRegion;

    FfmPostSend(
            FfmProtectionDomain domain,
            WorkQueue queue,
            SendShape shape,
            int capacity,
            boolean isDatagram,
            int maxInlineData) {
        this.domain = domain;
        this.queue = queue;
        this.shape = shape;
        this.isDatagram = isDatagram;
        this.maxInlineData = maxInlineData;
        opcode = shape.opcode();
        isAtomic = opcode.isAtomic();
        needsLocalWrite = opcode == SendOpcode.RDMA_READ || isAtomic;
        chain =
                new RequestChain(
                        queue.account(),
                        capacity,
                        shape.maxScatterGather(),
                        SendWorkRequestDescriptor.SIZE,
                        isDatagram ? 1 : 0);
        isInline = new boolean[capacity];
        needsChecking = shape.maxScatterGather() > 1 || isDatagram;
        for (int i = 0; i < capacity; i++) {
            chain.setInt(i, SendWorkRequestDescriptor.OPCODE, opcode.code());
        }
    }

    @Override
    public SendShape shape() {
        return shape;
    }

    @Override
    public int capacity() {
        return chain.capacity();
    }

    @Override
    public PostSend request(int index) {
        cursor = Objects.checkIndex(index, chain.capacity());
        return this;
    }

    @Override
    public PostSend workRequestId(long workRequestId) {
        chain.identifiers()[cursor] = workRequestId;
        return this;
    }

    @Override
    public PostSend flags(int flags) {
        chain.requireOpen();
        if ((flags & ~SendFlags.ALL) != 0) {
            throw new IllegalArgumentException(
                    "unknown send flags: 0x" + Integer.toHexString(flags));
        }
        boolean inline = (flags & SendFlags.INLINE) != 0;
        if (inline && needsLocalWrite) {
            throw new IllegalArgumentException(opcode + " cannot be inline");
        }
        isInline[cursor] = inline;
        needsChecking |= inline;
        chain.setInt(cursor, SendWorkRequestDescriptor.FLAGS, flags);
        return this;
    }

    @Override
    public PostSend scatterGather(int element, MemoryRegion region, long offset, int length) {
        chain.requireOpen();
        Objects.checkIndex(element, chain.maxElements());
        FfmMemoryRegion own = lastRegion;
        if (own != region) {
            own = requireAllowed(region);
            lastRegion = own;
        }
        own.requireInside(offset, length);
        if (isAtomic && length != ATOMIC_BYTES) {
            throw new IllegalArgumentException(opcode + " has 8 bytes of result, not " + length);
        }
        chain.scatterGather(
                cursor, element, own.named(), own.address() + offset, length, own.localKey());
        return this;
    }

    private FfmMemoryRegion requireAllowed(MemoryRegion region) {
        FfmMemoryRegion own = FfmMemoryRegion.requireOf(domain, region);
        if (needsLocalWrite && !own.allows(AccessFlag.LOCAL_WRITE.mask())) {
            throw new IllegalArgumentException(
                    opcode + " writes to " + own + ", which has no LOCAL_WRITE");
        }
        return own;
    }

    /// Copies at once: nobody could keep a foreign segment from being closed while a driver reads
    /// it by its address.
    @Override
    public PostSend inlineData(int element, MemorySegment data, long offset, int length) {
        chain.requireOpen();
        Objects.checkIndex(element, chain.maxElements());
        Objects.checkFromIndexSize(offset, length, data.byteSize());
        if (needsLocalWrite) {
            throw new IllegalArgumentException(opcode + " cannot be inline");
        }
        if (length > maxInlineData) {
            throw new IllegalArgumentException(
                    length + " bytes of inline data; the most is " + maxInlineData);
        }
        MemorySegment scratch = inlineScratch();
        long place = ((long) cursor * chain.maxElements() + element) * maxInlineData;
        MemorySegment.copy(data, offset, scratch, place, length);
        chain.scatterGather(cursor, element, null, scratch.address() + place, length, 0);
        return this;
    }

    private MemorySegment inlineScratch() {
        MemorySegment scratch = inlineScratch;
        if (scratch == null) {
            long elements = (long) chain.capacity() * chain.maxElements();
            scratch = Arena.ofAuto().allocate(elements * maxInlineData, Long.BYTES);
            inlineScratch = scratch;
            needsChecking = true;
        }
        return scratch;
    }

    @Override
    public PostSend remote(long address, int key) {
        chain.requireOpen();
        if (isAtomic) {
            if ((address & (ATOMIC_BYTES - 1)) != 0) {
                throw new IllegalArgumentException(
                        opcode
                                + " needs an address that is a multiple of 8, not 0x"
                                + Long.toHexString(address));
            }
            chain.setInt(cursor, SendWorkRequestDescriptor.ATOMIC_REMOTE_KEY, key);
        } else if (opcode.isOneSided()) {
            chain.setInt(cursor, SendWorkRequestDescriptor.REMOTE_KEY, key);
        } else {
            return this; // a SEND has no memory of the peer's, and a datagram's way is there
        }
        chain.setLong(cursor, SendWorkRequestDescriptor.REMOTE_ADDRESS, address);
        return this;
    }

    @Override
    public PostSend datagram(AddressHandle receiver, int queuePairNumber, int queueKey) {
        chain.requireOpen();
        if (!isDatagram) {
            throw new IllegalStateException(
                    "post_send: the queue pair sends no datagrams; it is connected to one peer");
        }
        FfmAddressHandle own = FfmAddressHandle.requireOwn(domain, receiver);
        if (queuePairNumber >>> NUMBER_BITS != 0) {
            throw new IllegalArgumentException(
                    "a queue pair number has 24 bits: 0x" + Integer.toHexString(queuePairNumber));
        }
        chain.setLong(cursor, SendWorkRequestDescriptor.ADDRESS_HANDLE, own.nativeHandle());
        chain.setInt(cursor, SendWorkRequestDescriptor.REMOTE_QUEUE_PAIR_NUMBER, queuePairNumber);
        chain.setInt(cursor, SendWorkRequestDescriptor.REMOTE_QUEUE_KEY, queueKey);
        chain.nameExtra(cursor, RECEIVER, own.named());
        return this;
    }

    @Override
    public PostSend immediate(int immediate) {
        chain.setInt(
                cursor,
                SendWorkRequestDescriptor.IMMEDIATE,
                Integer.reverseBytes(immediate)); // network order on a little-endian machine
        return this;
    }

    @Override
    public PostSend compareAndSwap(long compare, long swap) {
        chain.requireOpen();
        if (isAtomic) {
            chain.setLong(cursor, SendWorkRequestDescriptor.ATOMIC_COMPARE_OR_ADD, compare);
            chain.setLong(cursor, SendWorkRequestDescriptor.ATOMIC_SWAP, swap);
        }
        return this;
    }

    @Override
    public PostSend fetchAndAdd(long addend) {
        chain.requireOpen();
        if (isAtomic) {
            chain.setLong(cursor, SendWorkRequestDescriptor.ATOMIC_COMPARE_OR_ADD, addend);
        }
        return this;
    }

    @Override
    public int execute(int first, int count) throws VerbsException {
        chain.requireRun(queue.verb(), first, count);
        return needsChecking ? postChecked(first, count) : queue.post(chain, first, count);
    }

    private int postChecked(int first, int count) throws VerbsException {
        requireFits(first, count);
        if (inlineScratch != null) {
            requireInline(first, count);
        }
        if (isDatagram) {
            requireReceivers(first, count);
        }
        try {
            return queue.post(chain, first, count);
        } finally {
            Reference.reachabilityFence(inlineScratch);
        }
    }

    /// Throws if a request's elements together are more than a message, or its inline data, can
    /// have.
    private void requireFits(int first, int count) {
        for (int i = first; i < first + count; i++) {
            long limit = isInline[i] ? maxInlineData : Integer.MAX_VALUE;
            long total = chain.totalLength(i);
            if (total > limit) {
                throw new IllegalArgumentException(
                        "request "
                                + i
                                + " has "
                                + total
                                + (isInline[i] ? " bytes of inline data" : " bytes")
                                + "; the most is "
                                + limit);
            }
        }
    }

    /// Throws if a request has data that is in no region, and is not inline: its key is none.
    private void requireInline(int first, int count) {
        for (int i = first; i < first + count; i++) {
            if (!isInline[i] && !chain.namesAllElements(i)) {
                throw new IllegalArgumentException(
                        "request " + i + " has data that is in no memory region: it needs INLINE");
            }
        }
    }

    private void requireReceivers(int first, int count) {
        for (int i = first; i < first + count; i++) {
            if (!chain.namesExtra(i, RECEIVER)) {
                throw new IllegalStateException(
                        "post_send: the datagram of request " + i + " has no receiver");
            }
        }
    }

    @Override
    public void close() {
        chain.close();
    }
}
