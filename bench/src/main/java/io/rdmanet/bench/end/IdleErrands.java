package io.rdmanet.bench.end;

import com.sun.management.OperatingSystemMXBean;
import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.Listener;
import io.rdmanet.PollMode;
import io.rdmanet.Rdmanet;
import io.rdmanet.bw.run.PayloadPattern;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// A connection whose ends sleep when there is nothing to do (poll mode `event`).
///
/// ```
/// IDLE_SERVE                       -> port
/// WAKE        port rounds pauseNanos  -> p50 bad
/// IDLE        port settleNanos nanos  -> processorNanos
/// CPU                              -> processorNanos since the process began
/// ```
///
/// WAKE lets the peer fall asleep before each message; the answer finds this end asleep, so that
/// half a round is one wake-up. IDLE waits for a message all that time, and looks at the
/// processor's time but for what connecting takes.
final class IdleErrands {
    private static final int SIZE = 64;
    private static final long SEED = 0x1d1e;
    private static final int WARM_UP_ROUNDS = 50;
    private static final Duration ACCEPT_SLICE = Duration.ofHours(1);
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    void addTo(Map<String, Errand> errands) {
        errands.put("IDLE_SERVE", IdleErrands::serve);
        errands.put("WAKE", IdleErrands::wake);
        errands.put("IDLE", IdleErrands::idle);
        errands.put("CPU", words -> List.of(SYSTEM.getProcessCpuTime()));
    }

    private static ConnOptions options() {
        return ConnOptions.defaults()
                .withEndpoint(TierErrands.endpoint())
                .withPollMode(PollMode.EVENT);
    }

    private static List<Object> serve(Words words) throws IOException {
        Listener<Conn> listener = Rdmanet.listen(TierErrands.at(0), options());
        Thread.ofPlatform().daemon().name("echo").start(() -> serve(listener));
        return List.of(listener.localAddress().getPort());
    }

    @SuppressWarnings("SystemOut") // kept by the parent, and shown with the failure
    private static void serve(Listener<Conn> listener) {
        while (true) {
            try (Conn conn = listener.accept(ACCEPT_SLICE);
                    Arena arena = Arena.ofConfined()) {
                MemorySegment message = arena.allocate(SIZE, SIZE);
                while (conn.recvMsg(message) != Conn.END_OF_STREAM) {
                    conn.sendMsg(message);
                }
            } catch (IOException e) {
                System.err.println("the echo of an idle connection ended: " + e);
            }
        }
    }

    private static Conn dial(int port) throws IOException {
        return Rdmanet.dial(TierErrands.at(port), options());
    }

    private static List<Object> wake(Words words) throws IOException {
        int port = words.number();
        int rounds = words.number();
        long pauseNanos = words.big();
        long[] nanos = new long[rounds];
        long bad = 0;
        try (Conn conn = dial(port);
                Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(SIZE, SIZE);
            for (int i = -WARM_UP_ROUNDS; i < rounds; i++) {
                PayloadPattern.fill(message, SIZE, SEED, i);
                LockSupport.parkNanos(pauseNanos);
                long start = System.nanoTime();
                conn.sendMsg(message);
                message.set(java.lang.foreign.ValueLayout.JAVA_LONG, 0, 0);
                int length = conn.recvMsg(message);
                long end = System.nanoTime();
                if (length != SIZE || !PayloadPattern.matches(message, SIZE, SEED, i)) {
                    bad++;
                }
                if (i >= 0) {
                    nanos[i] = end - start;
                }
            }
        }
        Arrays.sort(nanos);
        double halfMicros = nanos[rounds / 2] / 2e3;
        return List.of(halfMicros, bad);
    }

    private static List<Object> idle(Words words) throws IOException, InterruptedException {
        int port = words.number();
        long settleNanos = words.big();
        long idleNanos = words.big();
        try (Conn conn = dial(port);
                Arena arena = Arena.ofShared()) {
            MemorySegment message = arena.allocate(SIZE, SIZE);
            long[] used = new long[1];
            Thread waker =
                    Thread.ofPlatform()
                            .daemon()
                            .name("waker")
                            .start(() ->
                                    used[0] = sleepAndSend(conn, message, settleNanos, idleNanos));
            // The other thread's message, when it comes back.
            conn.recvMsg(arena.allocate(SIZE, SIZE));
            waker.join();
            if (used[0] < 0) {
                throw new IOException("the message that ends the wait was not sent");
            }
            return List.of(used[0]);
        }
    }

    /// @return the processor time of this process meanwhile, or -1
    private static long sleepAndSend(
            Conn conn, MemorySegment message, long settleNanos, long idleNanos) {
        try {
            Thread.sleep(Duration.ofNanos(settleNanos));
            long before = SYSTEM.getProcessCpuTime();
            Thread.sleep(Duration.ofNanos(idleNanos));
            long used = SYSTEM.getProcessCpuTime() - before;
            conn.sendMsg(message);
            return used;
        } catch (IOException | InterruptedException e) {
            return -1;
        }
    }
}
