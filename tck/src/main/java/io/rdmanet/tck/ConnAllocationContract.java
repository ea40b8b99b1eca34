package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.Conn;
import io.rdmanet.PollMode;
import io.rdmanet.ReceivedMessage;
import io.rdmanet.SendSlot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Sending and receiving allocate nothing per message once they are warm.
public abstract class ConnAllocationContract extends ConnVerbsContract {
    /// Bytes in a whole run of many thousand messages that are not the data path's: the compiler's
    /// and the measurement's own.
    private static final long ALLOWANCE_BYTES = 8192;

    private static final int BATCH = 8;

    /// Rounds before measuring, enough for compilation, and rounds measured.
    protected int rounds() {
        return 20_000;
    }

    @FunctionalInterface
    private interface Round {
        void run() throws IOException;
    }

    @Test
    void allocatesNothingForMessagesFromAndToNativeMemory() throws Exception {
        Ends ends = open(options().withPollMode(PollMode.BUSY));
        MemorySegment source = openArena().allocate(SLOT);
        MemorySegment target = openArena().allocate(SLOT);
        assertAllocatesNothing(() -> {
            ends.dialler().sendMsg(source);
            ends.listener().recvMsg(target);
            ends.listener().sendMsg(target);
            ends.dialler().recvMsg(source);
        });
    }

    @Test
    void allocatesNothingForMessagesOfSeveralFrames() throws Exception {
        Ends ends = open(options().withPollMode(PollMode.BUSY));
        MemorySegment source = openArena().allocate(3 * SLOT);
        MemorySegment target = openArena().allocate(3 * SLOT);
        assertAllocatesNothing(() -> {
            ends.dialler().sendMsg(source);
            ends.listener().recvMsg(target);
        });
    }

    @Test
    void allocatesNothingForBatches() throws Exception {
        Ends ends = open(options().withPollMode(PollMode.BUSY));
        MemorySegment[] sources = new MemorySegment[BATCH];
        MemorySegment[] targets = new MemorySegment[BATCH];
        int[] lengths = new int[BATCH];
        for (int i = 0; i < BATCH; i++) {
            sources[i] = openArena().allocate(SLOT);
            targets[i] = openArena().allocate(SLOT);
        }
        assertAllocatesNothing(() -> {
            ends.dialler().sendBatch(sources, BATCH);
            int received = 0;
            while (received < BATCH) {
                received += ends.listener().recvBatch(targets, lengths, BATCH - received);
            }
        });
    }

    @Test
    void allocatesNothingForClaimsAndLeases() throws Exception {
        Ends ends = open(options().withPollMode(PollMode.ADAPTIVE));
        SendSlot[] slots = new SendSlot[4];
        ReceivedMessage[] leases = new ReceivedMessage[4];
        assertAllocatesNothing(() -> {
            ends.dialler().claim(SLOT).commit();
            int claimed = ends.dialler().claim(slots, slots.length, SLOT);
            ends.dialler().commit(slots, claimed);
            ReceivedMessage lease = ends.listener().receiveLease();
            if (lease == null) {
                throw new IOException("the stream ended");
            }
            lease.close();
            for (int left = claimed; left > 0; ) {
                int received = ends.listener().receiveLeases(leases, leases.length);
                if (received == Conn.END_OF_STREAM) {
                    throw new IOException("the stream ended");
                }
                ends.listener().closeLeases(leases, received);
                left -= received;
            }
        });
    }

    private void assertAllocatesNothing(Round round) throws IOException {
        for (int i = 0; i < rounds(); i++) {
            round.run();
        }
        long least = Long.MAX_VALUE;
        // A late compilation may cost a run; three in a row would be the data path itself.
        for (int attempt = 0; attempt < 3 && least > ALLOWANCE_BYTES; attempt++) {
            long before = AllocatedBytes.ofThisThread();
            for (int i = 0; i < rounds(); i++) {
                round.run();
            }
            least = Math.min(least, AllocatedBytes.ofThisThread() - before);
        }
        assertThat(least).as("bytes allocated in %d rounds", rounds()).isLessThan(ALLOWANCE_BYTES);
    }
}
