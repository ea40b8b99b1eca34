package io.rdmanet.bench.run;

import io.rdmanet.bench.run.Pair.Answer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;

/// A connection in event mode whose ends sleep: how long waking one takes, or what sleeping costs.
final class IdleSubject implements Subject {
    static final String WAKE_UP = "event wake-up";
    static final String IDLE = "event idle";
    private static final int SIZE = 64;
    private static final int GATE_ROUNDS = 20;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final long IDLE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long SETTLE_NANOS = 500_000_000;
    private static final double PERCENT = 100;
    private static final int NO_PORT = 0;

    private final boolean isIdle;
    private final Pair pair;
    private int port = NO_PORT;

    /// @param isIdle whether to measure the cost of sleeping; else the time of waking
    IdleSubject(boolean isIdle) {
        this.isIdle = isIdle;
        pair = new Pair(label());
    }

    @Override
    public String label() {
        return isIdle ? IDLE : WAKE_UP;
    }

    @Override
    public List<Integer> sizes() {
        return List.of(SIZE);
    }

    @Override
    public Unit unit() {
        return isIdle ? Unit.PERCENT : Unit.MICROSECONDS;
    }

    @Override
    public int repeats(int planned) {
        return isIdle ? 1 : planned;
    }

    @Override
    public Verdict gate(int size) throws IOException {
        Answer answer = pair.askClient("WAKE", port(), GATE_ROUNDS, PAUSE_NANOS / 10);
        return new Verdict(GATE_ROUNDS, GATE_ROUNDS, answer.number(2));
    }

    @Override
    public Sample measure(int size, long nanos, boolean isRehearsal) throws IOException {
        if (!isIdle) {
            long rounds = Math.max(20, nanos / PAUSE_NANOS);
            return Sample.of(pair.askClient("WAKE", port(), rounds, PAUSE_NANOS).real(1));
        }
        return Sample.of(PERCENT * idle(isRehearsal ? nanos : IDLE_NANOS));
    }

    /// The processor's time of the end that uses more, as a share.
    private double idle(long idleNanos) throws IOException {
        pair.tellClient("IDLE", port(), SETTLE_NANOS, idleNanos + SETTLE_NANOS);
        sleep(SETTLE_NANOS);
        long before = pair.askServer("CPU").number(1);
        sleep(idleNanos);
        long servers = pair.askServer("CPU").number(1) - before;
        long clients = pair.awaitClient("IDLE").number(1);
        return Math.max(
                (double) servers / idleNanos, (double) clients / (idleNanos + SETTLE_NANOS));
    }

    private static void sleep(long nanos) throws InterruptedIOException {
        try {
            Thread.sleep(Duration.ofNanos(nanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while both ends slept");
        }
    }

    private int port() throws IOException {
        if (port == NO_PORT) {
            port = (int) pair.askServer("IDLE_SERVE").number(1);
        }
        return port;
    }

    @Override
    public void reset() {
        port = NO_PORT;
        pair.close();
    }
}
