package io.rdmanet.loopback.memory;

import static io.rdmanet.loopback.ring.RegionTableDescriptor.ACCESS_OFFSET;
import static io.rdmanet.loopback.ring.RegionTableDescriptor.ADDRESS_OFFSET;
import static io.rdmanet.loopback.ring.RegionTableDescriptor.CAPACITY;
import static io.rdmanet.loopback.ring.RegionTableDescriptor.DOMAIN_OFFSET;
import static io.rdmanet.loopback.ring.RegionTableDescriptor.ENTRY_BYTES;
import static io.rdmanet.loopback.ring.RegionTableDescriptor.IS_SHARED_OFFSET;
import static io.rdmanet.loopback.ring.RegionTableDescriptor.KEY_OFFSET;
import static io.rdmanet.loopback.ring.RegionTableDescriptor.LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.RegionTableDescriptor.REGION_ID_OFFSET;

import io.rdmanet.loopback.ring.RegionTableDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;

/// This device's table of memory regions, readable by peers. Safe for use by any thread.
public final class RegionTable {
    private final ReentrantLock lock = new ReentrantLock();
    private final BitSet used = new BitSet();
    private final int[] generations = new int[CAPACITY];
    private final Path path;
    private final MemorySegment table;
    private long nextRegionId = 1;

    /// Makes the table's file in a device's memory directory.
    public RegionTable(Path directory) throws VerbsException {
        path = directory.resolve(RegionTableDescriptor.FILE_NAME);
        table = SharedFile.create(path, RegionTableDescriptor.BYTES, Arena.ofAuto());
    }

    /// A number that no region of this device had before, to name its file by.
    public long newRegionId() {
        lock.lock();
        try {
            return nextRegionId++;
        } finally {
            lock.unlock();
        }
    }

    /// Publishes a region.
    ///
    /// @param isShared whether peers can map it
    /// @return its key
    public int add(
            long regionId, long address, long length, int access, int domain, boolean isShared)
            throws VerbsException {
        lock.lock();
        try {
            int index = used.nextClearBit(0);
            if (index == CAPACITY) {
                throw new VerbsException(
                        "reg_mr",
                        ErrorNumber.ENOMEM,
                        "the device has all its " + CAPACITY + " regions");
            }
            used.set(index);
            generations[index]++;
            if ((generations[index] & 0xff) == 0) {
                generations[index]++;
            }
            int key = RegionTableDescriptor.key(index, generations[index]);
            publish(entry(index), regionId, address, length, access, domain, key, isShared);
            return key;
        } finally {
            lock.unlock();
        }
    }

    /// Withdraws a region.
    public void remove(int key) {
        lock.lock();
        try {
            int index = RegionTableDescriptor.index(key);
            withdraw(entry(index));
            used.clear(index);
        } finally {
            lock.unlock();
        }
    }

    /// Takes the table's name away; peers that have mapped it see no region any more.
    public void close() {
        SharedFile.delete(path);
    }

    /// Writes an entry, its region id last.
    static void publish(
            long entry,
            long regionId,
            long address,
            long length,
            int access,
            int domain,
            int key,
            boolean isShared) {
        Words.setLong(entry + ADDRESS_OFFSET, address);
        Words.setLong(entry + LENGTH_OFFSET, length);
        Words.setInt(entry + ACCESS_OFFSET, access);
        Words.setInt(entry + DOMAIN_OFFSET, domain);
        Words.setInt(entry + KEY_OFFSET, key);
        Words.setInt(entry + IS_SHARED_OFFSET, isShared ? 1 : 0);
        Words.setLongRelease(entry + REGION_ID_OFFSET, regionId);
    }

    /// Makes an entry void before anything else in it can change: a release alone would let the
    /// next region's fields go ahead of it.
    static void withdraw(long entry) {
        Words.setLongRelease(entry + REGION_ID_OFFSET, 0);
        VarHandle.storeStoreFence();
    }

    private long entry(int index) {
        return table.address() + (long) index * ENTRY_BYTES;
    }
}
