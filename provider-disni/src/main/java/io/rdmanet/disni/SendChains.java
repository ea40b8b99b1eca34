package io.rdmanet.disni;

import static java.util.Objects.requireNonNull;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPostSend;
import io.rdmanet.verbs.SendOpcode;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The prepared calls of a [DisniPostSend]. The length of a call of DiSNI's is frozen, so there is
/// one for every aligned run of 1, 2, 4, ... requests, made when it is first needed, and a run is
/// composed of the largest that fit:
///
/// ```
/// requests 3 to 12:   [3] [4 5 6 7] [8 9 10 11] [12]
/// ```
///
/// Between executions only what has changed is written; identifiers of the device are written
/// always. How many elements a request has and its immediate data are frozen, too. Without
/// immediate data a call is prepared afresh where the number of elements has changed.
///
/// Immediate data may change with every execution, and preparing makes garbage. So calls of one
/// request are kept by what is frozen in them, and found again whichever request has it; a longer
/// run in which something frozen has changed is cut into shorter ones. Should it go on being so,
/// the longer one is prepared afresh, each time after twice as many executions as the last time.
final class SendChains implements WorkQueue.Chains {
    /// Misses of a run before it is prepared afresh, the first time.
    private static final int FIRST_PATIENCE = 16;

    private static final int LONGEST_PATIENCE = 1 << 29; // twice as much is still a number

    private static final int SINGLES_BITS = 10;
    private static final int MAX_PROBES = 8; // a power of two
    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L; // golden ratio, as hashes take

    private static final boolean IS_LITTLE_ENDIAN =
            ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final RdmaVerbs verbs;
    private final IbvQP queuePair;
    private final WorkRequests requests;
    private final int opcode;
    private final boolean hasImmediate;
    private final boolean isOneSided;
    private final int[] flags;
    private final int[] immediates;
    private final long[] remoteAddresses;
    private final int[] remoteKeys;
    private final int alwaysFlags;

    /// By the exponent of the length, then by the index of the aligned run.
    private final @Nullable Call[][] calls;

    /// With immediate data: calls of one request, by what is frozen in them.
    private final @Nullable Call[] singles;

    private int replaced;

    /// @param alwaysFlags or-ed to each request's
    SendChains(
            RdmaVerbs verbs,
            IbvQP queuePair,
            WorkRequests requests,
            SendOpcode opcode,
            int alwaysFlags) {
        this.verbs = verbs;
        this.queuePair = queuePair;
        this.requests = requests;
        this.opcode = opcode.code();
        this.alwaysFlags = alwaysFlags;
        hasImmediate = opcode.hasImmediate();
        isOneSided = opcode.isOneSided();
        int capacity = requests.capacity();
        flags = new int[capacity];
        immediates = new int[capacity];
        remoteAddresses = new long[capacity];
        remoteKeys = new int[capacity];
        int levels = Integer.SIZE - Integer.numberOfLeadingZeros(capacity);
        calls = new Call[levels][];
        for (int level = 0; level < levels; level++) {
            calls[level] = new Call[capacity >> level];
        }
        singles = new Call[hasImmediate ? 1 << SINGLES_BITS : 0];
    }

    // ---- setting; the cursor is that of the requests

    void flags(int value) {
        int request = requests.cursor();
        if (flags[request] != value) {
            flags[request] = value;
            requests.touch();
        }
    }

    int flagsOf(int request) {
        return flags[request];
    }

    void immediate(int value) {
        int request = requests.cursor();
        if (immediates[request] != value) {
            immediates[request] = value;
            requests.touch();
        }
    }

    void remote(long address, int key) {
        int request = requests.cursor();
        if (remoteAddresses[request] != address || remoteKeys[request] != key) {
            remoteAddresses[request] = address;
            remoteKeys[request] = key;
            requests.touch();
        }
    }

    // ---- posting

    @Override
    public int nextLength(int first, int count) {
        int fits = Integer.highestOneBit(count);
        int length = first == 0 ? fits : Math.min(fits, Integer.lowestOneBit(first));
        while (hasImmediate && length > 1 && !isReady(first, length)) {
            length >>= 1;
        }
        return length;
    }

    /// Whether a run can be posted as it is, or has been missed so often that it is to be prepared.
    private boolean isReady(int first, int length) {
        Call call = calls[Integer.numberOfTrailingZeros(length)][first / length];
        return call == null || !call.isOutdated() || ++call.misses > call.patience;
    }

    @Override
    public void post(int first, int length, WorkAccount account, long position) throws IOException {
        Call call = hasImmediate && length == 1 ? single(first) : run(first, length);
        call.update();
        for (int i = 0; i < length; i++) {
            call.work[i].setWr_id(account.deviceIdentifier(position + i));
        }
        call.prepared.execute();
    }

    private Call run(int first, int length) throws IOException {
        int level = Integer.numberOfTrailingZeros(length);
        @Nullable Call[] row = calls[level];
        Call call = row[first >> level];
        if (call != null && !call.isOutdated()) {
            return call;
        }
        int patience = FIRST_PATIENCE;
        if (call != null) {
            patience = Math.min(2 * call.patience, LONGEST_PATIENCE);
            call.free();
            row[first >> level] = null;
        }
        call = prepare(first, length);
        call.patience = patience;
        row[first >> level] = call;
        return call;
    }

    private Call single(int request) throws IOException {
        int immediate = immediates[request];
        int elements = requests.presentElements(request);
        long hash = ((long) immediate << Byte.SIZE | elements) * MULTIPLIER;
        int home = (int) (hash >>> (Long.SIZE - SINGLES_BITS));
        for (int probe = 0; probe < MAX_PROBES; probe++) {
            int place = (home + probe) & (singles.length - 1);
            Call call = singles[place];
            if (call == null) {
                return prepareSingle(place, request);
            }
            if (call.holds(immediate, elements)) {
                call.moveTo(request);
                return call;
            }
        }
        int place = (home + (replaced++ & (MAX_PROBES - 1))) & (singles.length - 1);
        requireNonNull(singles[place]).free();
        singles[place] = null;
        return prepareSingle(place, request);
    }

    private Call prepareSingle(int place, int request) throws IOException {
        Call call = prepare(request, 1);
        singles[place] = call;
        return call;
    }

    private Call prepare(int first, int length) throws IOException {
        List<IbvSendWR> list = new ArrayList<>(length);
        for (int request = first; request < first + length; request++) {
            list.add(work(request));
        }
        return new Call(first, length, verbs.postSend(queuePair, list, new ArrayList<>()));
    }

    private IbvSendWR work(int request) {
        IbvSendWR work = new IbvSendWR();
        work.setOpcode(opcode);
        work.setSend_flags(flags[request] | alwaysFlags);
        if (hasImmediate) {
            int value = immediates[request];
            work.setImm_data(IS_LITTLE_ENDIAN ? Integer.reverseBytes(value) : value);
        }
        work.getRdma().setRemote_addr(remoteAddresses[request]);
        work.getRdma().setRkey(remoteKeys[request]);
        work.setSg_list(elements(requests, request));
        return work;
    }

    /// The elements of a request that are present.
    @SuppressWarnings({"JdkObsolete", "NonApiType"}) // DiSNI asks for this very class
    static LinkedList<IbvSge> elements(WorkRequests requests, int request) {
        LinkedList<IbvSge> list = new LinkedList<>();
        int place = requests.firstPlace(request);
        for (int left = requests.presentElements(request); left > 0; left--) {
            place = requests.nextPresent(place);
            IbvSge element = new IbvSge();
            element.setAddr(requests.addressAt(place));
            element.setLength(requests.lengthAt(place));
            element.setLkey(requests.keyAt(place));
            list.add(element);
            place++;
        }
        return list;
    }

    @Override
    public void close() {
        for (@Nullable Call[] row : calls) {
            free(row);
        }
        free(singles);
    }

    private static void free(@Nullable Call[] row) {
        for (int i = 0; i < row.length; i++) {
            Call call = row[i];
            if (call != null) {
                call.free();
                row[i] = null;
            }
        }
    }

    /// One prepared call, and what of the requests it holds.
    private final class Call {
        private final SVCPostSend prepared;
        private final SVCPostSend.SendWRMod[] work;
        private final SVCPostSend.SgeMod[][] elements;
        private final SVCPostSend.RdmaMod[] remotes;
        private final int[] versions;
        private final int[] frozenImmediates;

        /// Changes for calls of one request with immediate data only.
        private int first;

        /// Executions that needed it otherwise, and how many of these it takes to prepare it so.
        private int misses;

        private int patience;

        Call(int first, int length, SVCPostSend prepared) throws IOException {
            this.first = first;
            this.prepared = prepared;
            work = new SVCPostSend.SendWRMod[length];
            elements = new SVCPostSend.SgeMod[length][];
            remotes = new SVCPostSend.RdmaMod[length];
            versions = new int[length];
            frozenImmediates = new int[length];
            for (int i = 0; i < length; i++) {
                work[i] = prepared.getWrMod(i);
                elements[i] = new SVCPostSend.SgeMod[requests.presentElements(first + i)];
                for (int e = 0; e < elements[i].length; e++) {
                    elements[i][e] = work[i].getSgeMod(e);
                }
                remotes[i] = work[i].getRdmaMod();
                versions[i] = requests.version(first + i);
                frozenImmediates[i] = immediates[first + i];
            }
        }

        /// Whether this call of one request has a form.
        boolean holds(int immediate, int presentElements) {
            return frozenImmediates[0] == immediate && elements[0].length == presentElements;
        }

        /// Makes it another request's, of the same form.
        void moveTo(int request) {
            if (first != request) {
                first = request;
                versions[0] = requests.version(request) - 1; // any other than it is
            }
        }

        /// Whether something has changed that cannot be changed in place.
        boolean isOutdated() {
            for (int i = 0; i < work.length; i++) {
                if (versions[i] != requests.version(first + i)
                        && (elements[i].length != requests.presentElements(first + i)
                                || (hasImmediate
                                        && frozenImmediates[i] != immediates[first + i]))) {
                    return true;
                }
            }
            return false;
        }

        /// Writes what has changed since the last execution.
        void update() {
            for (int i = 0; i < work.length; i++) {
                int version = requests.version(first + i);
                if (versions[i] != version) {
                    write(i);
                    versions[i] = version;
                }
            }
        }

        private void write(int i) {
            int request = first + i;
            work[i].setSend_flags(flags[request] | alwaysFlags);
            int place = requests.firstPlace(request);
            for (SVCPostSend.SgeMod element : elements[i]) {
                place = requests.nextPresent(place);
                element.setAddr(requests.addressAt(place));
                element.setLength(requests.lengthAt(place));
                element.setLkey(requests.keyAt(place));
                place++;
            }
            if (isOneSided) {
                remotes[i].setRemote_addr(remoteAddresses[request]);
                remotes[i].setRkey(remoteKeys[request]);
            }
        }

        void free() {
            prepared.free();
        }
    }
}
