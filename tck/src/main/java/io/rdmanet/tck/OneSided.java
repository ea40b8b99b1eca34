package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;

/// Posts single one-sided requests, signaled.
final class OneSided {
    private OneSided() {}

    /// RDMA WRITE of `length` bytes from the start of `source`.
    static void write(PairEnd end, long id, MemoryRegion source, int length, long address, int key)
            throws Exception {
        post(end, SendOpcode.RDMA_WRITE, id, source, length, address, key);
    }

    /// RDMA READ of `length` bytes to the start of `target`.
    static void read(PairEnd end, long id, MemoryRegion target, int length, long address, int key)
            throws Exception {
        post(end, SendOpcode.RDMA_READ, id, target, length, address, key);
    }

    static void post(
            PairEnd end,
            SendOpcode opcode,
            long id,
            MemoryRegion local,
            int length,
            long address,
            int key)
            throws Exception {
        PostSend send = end.prepareSend(opcode, 1);
        send.request(0)
                .workRequestId(id)
                .flags(SendFlags.SIGNALED)
                .scatterGather(0, local, 0, length)
                .remote(address, key);
        assertThat(send.execute(0, 1)).as("accepted").isEqualTo(1);
    }

    /// Compare-and-swap whose former value goes to the start of `former`.
    static void compareAndSwap(
            PairEnd end,
            long id,
            MemoryRegion former,
            long address,
            int key,
            long compare,
            long swap)
            throws Exception {
        PostSend send = end.prepareSend(SendOpcode.ATOMIC_COMPARE_AND_SWAP, 1);
        send.request(0)
                .workRequestId(id)
                .flags(SendFlags.SIGNALED)
                .scatterGather(0, former, 0, Long.BYTES)
                .remote(address, key)
                .compareAndSwap(compare, swap);
        assertThat(send.execute(0, 1)).as("accepted").isEqualTo(1);
    }

    /// Fetch-and-add whose former value goes to the start of `former`.
    static void fetchAndAdd(
            PairEnd end, long id, MemoryRegion former, long address, int key, long addend)
            throws Exception {
        PostSend send = end.prepareSend(SendOpcode.ATOMIC_FETCH_AND_ADD, 1);
        send.request(0)
                .workRequestId(id)
                .flags(SendFlags.SIGNALED)
                .scatterGather(0, former, 0, Long.BYTES)
                .remote(address, key)
                .fetchAndAdd(addend);
        assertThat(send.execute(0, 1)).as("accepted").isEqualTo(1);
    }
}
