package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.ScatterGatherDescriptor;
import io.rdmanet.ffm.c.SendWorkRequestDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Prepared requests in native memory, each pointing at the next: what sends and receives have in
/// common. Setters write what they are given and nothing else; posting changes identifiers, and
/// where the chain ends.
///
/// ```
/// +-----------+-----------+---     ---+-----------+------------+------------+---
/// | request 0 | request 1 |    ...    | request n | elements 0 | elements 1 | ...
/// +-----------+-----------+---     ---+-----------+------------+------------+---
///     next ------>  next ------> ...     0
///     sg_list ------------------------------------>
/// ```
///
/// Elements of length 0 are left out: to some devices that length means 2 GiB.
///
/// What a request names (the regions of its elements, the receiver of a datagram) is kept in
/// columns, so that it is known to be in use once the request is posted.
///
/// Closing ends its use, but does not free its memory: another thread may be writing to it just
/// then, or a driver reading from it. It goes with this object, which whoever uses it holds.
/// Setters fence it without try and finally: nothing in between throws, and with them the compiler
/// often makes code that takes half as long again.
final class RequestChain implements AutoCloseable {
    private static final long ALIGNMENT = 64;
    private static final int NEXT = SendWorkRequestDescriptor.NEXT;
    private static final int ELEMENTS = SendWorkRequestDescriptor.ELEMENTS;
    private static final int ELEMENT_COUNT = SendWorkRequestDescriptor.ELEMENT_COUNT;

    private final int capacity;
    private final int maxElements;
    private final int columns;
    private final int requestSize;

    /// Freed with this object, never before: nothing checks accesses by address.
    private final MemorySegment memory;

    private final long requests;
    private final long elements;
    private final long[] identifiers;

    /// As set, with those of length 0.
    private final int[] lengths;

    /// As set; kept only where a request has several elements.
    private final long[] addresses;

    private final int[] keys;

    private final @Nullable ResourceUse[] uses;
    private int usesPresent;
    private @Nullable ResourceUse onlyUse;
    private boolean hasManyUses;

    /// What every element of every request names, and whatever else it names, if all that is one.
    private @Nullable ResourceUse everyUse;

    /// The request behind which the chain ends; all others but the last point at the next.
    private int end;

    private WorkQueueAccount account;
    private boolean isOpen = true;

    /// @param account of the queue it will be posted to
    /// @param requestSize the size of a request's struct
    /// @param extraColumns what a request names besides its elements
    RequestChain(
            WorkQueueAccount account,
            int capacity,
            int maxElements,
            int requestSize,
            int extraColumns) {
        this.account = account;
        this.capacity = capacity;
        this.maxElements = maxElements;
        this.requestSize = requestSize;
        columns = maxElements + extraColumns;
        end = capacity - 1;
        long requestBytes = (long) capacity * requestSize;
        long elementBytes = (long) capacity * maxElements * ScatterGatherDescriptor.SIZE;
        memory = Arena.ofAuto().allocate(requestBytes + elementBytes, ALIGNMENT);
        requests = memory.address();
        elements = requests + requestBytes;
        identifiers = new long[capacity];
        lengths = new int[capacity * maxElements];
        int kept = maxElements == 1 ? 0 : capacity * maxElements;
        addresses = new long[kept];
        keys = new int[kept];
        uses = new ResourceUse[capacity * columns];
        for (int i = 0; i < capacity; i++) {
            NativeMemory.setLong(request(i) + ELEMENTS, element(i, 0));
            NativeMemory.setLong(request(i) + NEXT, i + 1 < capacity ? request(i + 1) : 0);
        }
    }

    /// Throws unless a chain can have a number of requests.
    static void requireCapacity(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException(
                    "a prepared call holds 1 request or more, not " + capacity);
        }
    }

    int capacity() {
        return capacity;
    }

    int maxElements() {
        return maxElements;
    }

    /// What the user calls each request.
    long[] identifiers() {
        return identifiers;
    }

    /// How far apart requests are, in bytes.
    int requestSize() {
        return requestSize;
    }

    /// The address of a request, good as long as the caller keeps this object reachable.
    long request(int index) {
        return requests + (long) index * requestSize;
    }

    private long element(int request, int index) {
        return elements + ((long) request * maxElements + index) * ScatterGatherDescriptor.SIZE;
    }

    /// The request at an address, or -1 if none is there.
    int indexOf(long address) {
        long offset = address - requests;
        long index = offset / requestSize;
        return offset >= 0 && index < capacity && offset % requestSize == 0 ? (int) index : -1;
    }

    // ---- what a request is

    /// Sets 32 bits of a request's struct.
    @SuppressWarnings("ReachabilityFenceUsage") // as the class says
    void setInt(int request, int field, int value) {
        requireOpen();
        NativeMemory.setInt(request(request) + field, value);
        Reference.reachabilityFence(memory);
    }

    /// Sets 64 bits of a request's struct.
    @SuppressWarnings("ReachabilityFenceUsage") // as the class says
    void setLong(int request, int field, long value) {
        requireOpen();
        NativeMemory.setLong(request(request) + field, value);
        Reference.reachabilityFence(memory);
    }

    // ---- what a request names and where its data is

    /// Sets an element.
    ///
    /// @param region what it names, or null for inline data that is in no region
    @SuppressWarnings("ReachabilityFenceUsage") // as the class says
    void scatterGather(
            int request,
            int element,
            @Nullable NamedResource region,
            long address,
            int length,
            int key) {
        int index = request * maxElements + element;
        boolean wasEmpty = lengths[index] == 0;
        lengths[index] = length;
        name(request * columns + element, length == 0 ? null : region);
        if (maxElements == 1) {
            ScatterGatherDescriptor.set(element(request, 0), address, length, key);
            if (wasEmpty != (length == 0)) {
                NativeMemory.setInt(request(request) + ELEMENT_COUNT, length == 0 ? 0 : 1);
            }
        } else {
            addresses[index] = address;
            keys[index] = key;
            place(request, element, wasEmpty != (length == 0));
        }
        Reference.reachabilityFence(memory);
    }

    /// Writes an element of several.
    private void place(int request, int element, boolean isAnotherNumber) {
        int position = elementsBefore(request, element);
        int index = request * maxElements + element;
        if (isAnotherNumber) {
            packFrom(request, element, position);
        } else if (lengths[index] != 0) {
            ScatterGatherDescriptor.set(
                    element(request, position), addresses[index], lengths[index], keys[index]);
        }
    }

    private int elementsBefore(int request, int element) {
        int first = request * maxElements;
        int count = 0;
        for (int i = first; i < first + element; i++) {
            if (lengths[i] != 0) {
                count++;
            }
        }
        return count;
    }

    /// Writes the elements from one on, of which another number than before is not empty.
    private void packFrom(int request, int element, int position) {
        int count = position;
        for (int i = element; i < maxElements; i++) {
            int index = request * maxElements + i;
            if (lengths[index] != 0) {
                ScatterGatherDescriptor.set(
                        element(request, count), addresses[index], lengths[index], keys[index]);
                count++;
            }
        }
        NativeMemory.setInt(request(request) + ELEMENT_COUNT, count);
    }

    /// The bytes of all elements of a request.
    long totalLength(int request) {
        long total = 0;
        int first = request * maxElements;
        for (int i = first; i < first + maxElements; i++) {
            total += lengths[i];
        }
        return total;
    }

    /// Sets something that a request names besides its elements.
    ///
    /// @param column from 0
    void nameExtra(int request, int column, NamedResource resource) {
        name(request * columns + maxElements + column, resource);
    }

    /// Whether [#nameExtra] was called for a request.
    boolean namesExtra(int request, int column) {
        return uses[request * columns + maxElements + column] != null;
    }

    /// Whether all elements of a request are in regions, but for those of length 0.
    boolean namesAllElements(int request) {
        for (int element = 0; element < maxElements; element++) {
            if (lengths[request * maxElements + element] != 0
                    && uses[request * columns + element] == null) {
                return false;
            }
        }
        return true;
    }

    private void name(int place, @Nullable NamedResource resource) {
        ResourceUse before = uses[place];
        if (resource == null) {
            if (before != null) {
                uses[place] = null;
                usesPresent--;
                everyUse = null;
            }
            return;
        }
        if (before != null && before.resource() == resource) {
            return;
        }
        ResourceUse only = onlyUse;
        ResourceUse use;
        if (only != null && only.resource() == resource) {
            use = only;
        } else {
            use = resource.useBy(account);
            hasManyUses |= only != null;
            onlyUse = use;
        }
        if (before == null) {
            usesPresent++;
        }
        uses[place] = use;
        everyUse = !hasManyUses && usesPresent == uses.length ? use : null;
    }

    // ---- posting

    /// Makes it a chain for an account: that of a queue is another one after a reset.
    void bind(WorkQueueAccount current) {
        if (account == current) {
            return;
        }
        account = current;
        onlyUse = null;
        hasManyUses = false;
        everyUse = null;
        for (int place = 0; place < uses.length; place++) {
            ResourceUse use = uses[place];
            if (use != null) {
                uses[place] = null;
                usesPresent--;
                name(place, use.resource());
            }
        }
    }

    /// Notes what a run of requests names, the first of which gets a position.
    void noteUses(int first, int count, long position) {
        ResourceUse every = everyUse;
        if (every != null) {
            every.noteAt(position + count - 1);
            return;
        }
        for (int i = 0; i < count; i++) {
            int place = (first + i) * columns;
            for (int column = 0; column < columns; column++) {
                ResourceUse use = uses[place + column];
                if (use != null) {
                    use.noteAt(position + i);
                }
            }
        }
    }

    /// The requests of a run were not posted, nor any at this position or behind it.
    void withdrawUses(int first, int count, long position) {
        for (int place = first * columns; place < (first + count) * columns; place++) {
            ResourceUse use = uses[place];
            if (use != null) {
                use.withdrawFrom(position);
            }
        }
    }

    /// Copies what a request's elements name.
    void copyUses(int request, @Nullable ResourceUse[] into, int offset) {
        System.arraycopy(uses, request * columns, into, offset, maxElements);
    }

    /// Whether a run of requests names something that is closed. To be asked after its uses were
    /// noted: whoever closes looks for them after noting that it is closed.
    boolean namesClosed(int first, int count) {
        ResourceUse every = everyUse;
        if (every != null) {
            return every.resource().isClosed();
        }
        for (int place = first * columns; place < (first + count) * columns; place++) {
            ResourceUse use = uses[place];
            if (use != null && use.resource().isClosed()) {
                return true;
            }
        }
        return false;
    }

    /// Ends the chain behind a request, and joins it again where it ended before.
    void endBehind(int request) {
        if (request == end) {
            return;
        }
        if (end + 1 < capacity) {
            NativeMemory.setLong(request(end) + NEXT, request(end + 1));
        }
        if (request + 1 < capacity) {
            NativeMemory.setLong(request(request) + NEXT, 0);
        }
        end = request;
    }

    // ---- life

    /// Throws unless a run of requests is inside and the chain is open.
    void requireRun(String verb, int first, int count) {
        if (!isOpen) {
            throw new IllegalStateException(verb + ": the prepared call is closed");
        }
        Objects.checkFromIndexSize(first, count, capacity);
        if (count == 0) {
            throw new IllegalArgumentException(verb + ": a chain has 1 request or more, not 0");
        }
    }

    /// Throws unless the chain is open.
    void requireOpen() {
        if (!isOpen) {
            throw new IllegalStateException("the prepared call is closed");
        }
    }

    /// Nothing more is set or posted; see above for the memory.
    @Override
    public void close() {
        isOpen = false;
    }
}
