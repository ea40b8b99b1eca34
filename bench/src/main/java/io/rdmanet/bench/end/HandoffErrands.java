package io.rdmanet.bench.end;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// One cache line that two processes hand to and fro, in a file that both map: the least that any
/// message between them can take.
///
/// ```
/// HANDOFF_ANSWER  file        -> exchanges
/// HANDOFF_ASK     file nanos  -> exchanges nanosPerRound meanNanosPerRound
/// ```
///
/// The line holds a number. The asking end makes it odd, the answering end the next even one; each
/// waits for exactly that number, so that an exchange that was lost or doubled ends in a deadline,
/// not in a figure. The time is the median of groups of exchanges, which a thread that was put off
/// the processor now and then does not move. The mean shows that, and so how much of the processors
/// the two ends had.
final class HandoffErrands {
    private static final long LINE_BYTES = 128;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final int GROUP = 200;
    private static final int MAX_GROUPS = 4096;
    private static final long STOP = -1;
    private static final int SPINS_PER_READING = 4096;
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(10).toNanos();

    void addTo(Map<String, Errand> errands) {
        errands.put("HANDOFF_ANSWER", HandoffErrands::answer);
        errands.put("HANDOFF_ASK", HandoffErrands::ask);
    }

    private static MemorySegment map(String file, Arena arena) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        Path.of(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, LINE_BYTES, arena);
        }
    }

    private static List<Object> answer(Words words) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment line = map(words.text(), arena);
            long exchanges = 0;
            for (long expected = 1; await(line, expected) != STOP; expected += 2) {
                LONG.setRelease(line, 0L, expected + 1);
                exchanges++;
            }
            // Ready for the next time: the asking end waits for it.
            LONG.setRelease(line, 0L, 0L);
            return List.of(exchanges);
        }
    }

    private static List<Object> ask(Words words) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment line = map(words.text(), arena);
            long limitNanos = words.big();
            double[] nanosPerRound = new double[MAX_GROUPS];
            int groups = 0;
            long number = 1;
            // Whichever end comes first waits in its first exchange, which is not counted.
            number = exchange(line, number, 1);
            long start = System.nanoTime();
            long now = start;
            while (groups < MAX_GROUPS && (groups == 0 || now - start < limitNanos)) {
                number = exchange(line, number, GROUP);
                long end = System.nanoTime();
                nanosPerRound[groups++] = (double) (end - now) / GROUP;
                now = end;
            }
            LONG.setRelease(line, 0L, STOP);
            await(line, 0);
            double[] sorted = Arrays.copyOf(nanosPerRound, groups);
            Arrays.sort(sorted);
            double mean = (double) (now - start) / ((double) groups * GROUP);
            return List.of((number - 1) / 2, sorted[groups / 2], mean);
        }
    }

    private static long exchange(MemorySegment line, long first, int rounds) throws IOException {
        long number = first;
        for (int i = 0; i < rounds; i++, number += 2) {
            LONG.setRelease(line, 0L, number);
            await(line, number + 1);
        }
        return number;
    }

    /// Waits for a number, or for STOP.
    private static long await(MemorySegment line, long expected) throws IOException {
        long deadline = 0;
        for (int spins = 1; ; spins++) {
            long value = (long) LONG.getAcquire(line, 0L);
            if (value == expected || (value == STOP && expected != 0)) {
                return value;
            }
            if (spins % SPINS_PER_READING == 0) {
                long now = System.nanoTime();
                deadline = deadline == 0 ? now + TIMEOUT_NANOS : deadline;
                if (now - deadline > 0) {
                    throw new IOException(
                            "handoff: waited for " + expected + ", and the line holds " + value);
                }
            }
            Thread.onSpinWait();
        }
    }
}
