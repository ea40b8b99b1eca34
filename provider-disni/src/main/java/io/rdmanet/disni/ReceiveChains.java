package io.rdmanet.disni;

import static java.util.Objects.requireNonNull;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPostRecv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The prepared calls of a [DisniPostReceive]. Nothing in a prepared receive of DiSNI's can be
/// changed, so calls of 1, 2, 4, ... receives are kept by what they hold, and found again when the
/// same buffers are posted again in the same order; a program that goes round its buffers prepares
/// each run once.
///
/// A chain of 2^k begins only where a buffer's address is a multiple of 2^k of its length. So the
/// same buffers are cut into the same chains, wherever a run of them begins: without that, n
/// buffers in a ring would make n chains of each length.
///
/// A program that posts its buffers in ever other orders would have ever other runs prepared, each
/// time with garbage. So longer runs are kept up to a limit; beyond it they are posted one by one,
/// which each buffer has prepared soon.
///
/// The table has open addressing with a few probes. When it holds too many single receives it is
/// emptied, and begins again.
final class ReceiveChains implements WorkQueue.Chains {
    private static final int MIN_TABLE_BITS = 10;
    private static final int MAX_TABLE_BITS = 16;
    private static final int MAX_PROBES = 8;
    private static final int NO_PLACE = Integer.MIN_VALUE;

    /// Receives in all kept calls together, per receive that can be outstanding.
    private static final int KEPT_PER_RECEIVE = 32;

    private static final int MIN_KEPT = 1024;
    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L; // golden ratio, as hashes take

    private final RdmaVerbs verbs;
    private final IbvQP queuePair;
    private final WorkRequests requests;
    private final int maxKept;
    private final int tableBits;
    private final @Nullable Call[] table;
    private int kept;

    /// Of those kept, receives in calls of more than one, and such calls.
    private int chained;

    private int chains;

    ReceiveChains(RdmaVerbs verbs, IbvQP queuePair, WorkRequests requests, int maxReceives) {
        this.verbs = verbs;
        this.queuePair = queuePair;
        this.requests = requests;
        maxKept = Math.clamp((long) KEPT_PER_RECEIVE * maxReceives, MIN_KEPT, 1 << 20);
        int wanted = Integer.SIZE - Integer.numberOfLeadingZeros(4 * Math.max(1, maxReceives));
        tableBits = Math.clamp(wanted, MIN_TABLE_BITS, MAX_TABLE_BITS);
        table = new Call[1 << tableBits];
    }

    @Override
    public int nextLength(int first, int count) {
        int length = alignedLength(first, Integer.highestOneBit(count));
        return length == 1 || mayKeep(length) || isKept(first, length) ? length : 1;
    }

    private int alignedLength(int first, int fits) {
        if (requests.maxScatterGather() == 0) {
            return fits;
        }
        int place = requests.firstPlace(first);
        long ordinal = requests.addressAt(place) / Math.max(1, requests.lengthAt(place));
        return ordinal == 0 ? fits : (int) Math.min(fits, Long.lowestOneBit(ordinal));
    }

    /// Half of all is left to single receives.
    private boolean mayKeep(int length) {
        return chained + length <= maxKept / 2 && chains < table.length / 4;
    }

    private boolean isKept(int first, int length) {
        return find(hash(first, length), first, length) >= 0;
    }

    /// @return the place of the call, or the complement of the free one that it can have, or
    ///   [#NO_PLACE]
    private int find(long hash, int first, int length) {
        for (int probe = 0; probe < MAX_PROBES; probe++) {
            int place = place(hash, probe);
            Call call = table[place];
            if (call == null) {
                return ~place;
            }
            if (call.hash == hash && call.holds(first, length)) {
                return place;
            }
        }
        return NO_PLACE;
    }

    private int place(long hash, int probe) {
        return ((int) (hash >>> (Long.SIZE - tableBits)) + probe) & (table.length - 1);
    }

    @Override
    public void post(int first, int length, WorkAccount account, long position) throws IOException {
        long hash = hash(first, length);
        int found = find(hash, first, length);
        if (found >= 0) {
            requireNonNull(table[found]).prepared.execute();
            return;
        }
        int free = ~found;
        if (found == NO_PLACE || kept + length > maxKept) {
            close();
            free = place(hash, 0);
        }
        Call call = prepare(hash, first, length, account.deviceIdentifier(position));
        table[free] = call;
        kept += length;
        if (length > 1) {
            chained += length;
            chains++;
        }
        call.prepared.execute();
    }

    private long hash(int first, int length) {
        long hash = length;
        int columns = requests.maxScatterGather();
        int begin = requests.firstPlace(first);
        for (int place = begin; place < begin + length * columns; place++) {
            hash = (hash ^ requests.addressAt(place)) * MULTIPLIER;
            hash = (hash ^ (hash >>> 32) ^ requests.lengthAt(place)) * MULTIPLIER;
        }
        return hash;
    }

    private Call prepare(long hash, int first, int length, long deviceIdentifier)
            throws IOException {
        List<IbvRecvWR> list = new ArrayList<>(length);
        for (int request = first; request < first + length; request++) {
            IbvRecvWR work = new IbvRecvWR();
            work.setWr_id(deviceIdentifier);
            work.setSg_list(SendChains.elements(requests, request));
            list.add(work);
        }
        return new Call(hash, first, length, verbs.postRecv(queuePair, list, new ArrayList<>()));
    }

    /// Frees all calls.
    @Override
    public void close() {
        for (int i = 0; i < table.length; i++) {
            Call call = table[i];
            if (call != null) {
                call.free();
                table[i] = null;
            }
        }
        kept = 0;
        chained = 0;
        chains = 0;
    }

    /// One prepared call, and what it holds.
    private final class Call {
        private final long hash;
        private final int length;
        private final SVCPostRecv prepared;
        private final long[] addresses;
        private final int[] lengths;
        private final int[] keys;

        Call(long hash, int first, int length, SVCPostRecv prepared) {
            this.hash = hash;
            this.length = length;
            this.prepared = prepared;
            int elements = length * requests.maxScatterGather();
            addresses = new long[elements];
            lengths = new int[elements];
            keys = new int[elements];
            int begin = requests.firstPlace(first);
            for (int i = 0; i < elements; i++) {
                addresses[i] = requests.addressAt(begin + i);
                lengths[i] = requests.lengthAt(begin + i);
                keys[i] = requests.keyAt(begin + i);
            }
        }

        boolean holds(int first, int count) {
            if (count != length) {
                return false;
            }
            int begin = requests.firstPlace(first);
            for (int i = 0; i < addresses.length; i++) {
                if (addresses[i] != requests.addressAt(begin + i)
                        || lengths[i] != requests.lengthAt(begin + i)
                        || keys[i] != requests.keyAt(begin + i)) {
                    return false;
                }
            }
            return true;
        }

        void free() {
            prepared.free();
        }
    }
}
