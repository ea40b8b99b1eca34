package io.rdmanet.disni;

import io.rdmanet.verbs.MemoryRegion;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The requests of one prepared call as the user set them, in columns. What DiSNI has of them lies
/// in its own prepared calls, which are brought up to date when they are executed.
///
/// Elements of length 0 count as absent: to some devices that length means 2 GiB.
final class WorkRequests {
    private static final int MAX_CAPACITY = 1 << 20;

    private final DisniProtectionDomain domain;
    private final int capacity;
    private final int columns;
    private final long[] identifiers;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] keys;
    private final @Nullable DisniMemoryRegion[] regions;

    /// Grows with each change of a request.
    private final int[] versions;

    private int cursor;

    /// Volatile: whoever posts looks once more when it is inside the queue's guard.
    private volatile boolean isClosed;

    WorkRequests(DisniProtectionDomain domain, int capacity, int maxScatterGather) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException(
                    "a prepared call has 1 to " + MAX_CAPACITY + " requests, not " + capacity);
        }
        this.domain = domain;
        this.capacity = capacity;
        columns = maxScatterGather;
        identifiers = new long[capacity];
        versions = new int[capacity];
        int elements = Math.multiplyExact(capacity, columns);
        addresses = new long[elements];
        lengths = new int[elements];
        keys = new int[elements];
        regions = new DisniMemoryRegion[elements];
    }

    int capacity() {
        return capacity;
    }

    int maxScatterGather() {
        return columns;
    }

    // ---- setting

    void moveTo(int index) {
        cursor = Objects.checkIndex(index, capacity);
    }

    int cursor() {
        return cursor;
    }

    void identifier(long identifier) {
        identifiers[cursor] = identifier;
    }

    /// Sets an element of the request under the cursor.
    ///
    /// @return the region, for further checks
    DisniMemoryRegion element(int element, MemoryRegion region, long offset, int length) {
        requireOpen();
        Objects.checkIndex(element, columns);
        DisniMemoryRegion own = DisniMemoryRegion.requireInside(domain, region, offset, length);
        int place = cursor * columns + element;
        long address = own.address() + offset;
        int key = own.localKey();
        if (addresses[place] != address || lengths[place] != length || keys[place] != key) {
            addresses[place] = address;
            lengths[place] = length;
            keys[place] = key;
            touch();
        }
        regions[place] = own;
        return own;
    }

    /// The request under the cursor has changed.
    void touch() {
        versions[cursor]++;
    }

    // ---- reading

    int version(int request) {
        return versions[request];
    }

    long identifierOf(int request) {
        return identifiers[request];
    }

    /// How many elements of a request are present.
    int presentElements(int request) {
        int present = 0;
        for (int place = request * columns; place < (request + 1) * columns; place++) {
            if (lengths[place] != 0) {
                present++;
            }
        }
        return present;
    }

    /// The place of an element that is present.
    ///
    /// @param from the request's first place, or the one behind the last that was found
    int nextPresent(int from) {
        int place = from;
        while (lengths[place] == 0) {
            place++;
        }
        return place;
    }

    int firstPlace(int request) {
        return request * columns;
    }

    long addressAt(int place) {
        return addresses[place];
    }

    int lengthAt(int place) {
        return lengths[place];
    }

    int keyAt(int place) {
        return keys[place];
    }

    @Nullable DisniMemoryRegion regionAt(int place) {
        return lengths[place] == 0 ? null : regions[place];
    }

    long totalLength(int request) {
        long total = 0;
        for (int place = request * columns; place < (request + 1) * columns; place++) {
            total += lengths[place];
        }
        return total;
    }

    /// Whether a region is closed that one of these requests names.
    boolean namesClosed(int first, int count) {
        for (int place = first * columns; place < (first + count) * columns; place++) {
            DisniMemoryRegion region = regionAt(place);
            if (region != null && region.isClosed()) {
                return true;
            }
        }
        return false;
    }

    // ---- life

    void requireRun(String verb, int first, int count) {
        requireOpen();
        if (first < 0 || count < 1 || first > capacity - count) {
            throw new IllegalArgumentException(
                    verb
                            + ": "
                            + count
                            + " requests from "
                            + first
                            + " are not 1 to all of "
                            + capacity);
        }
    }

    void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("the prepared call is closed");
        }
    }

    /// Closes it, and says whether this call did so.
    boolean close() {
        boolean wasOpen = !isClosed;
        isClosed = true;
        return wasOpen;
    }
}
