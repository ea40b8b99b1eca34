package io.rdmanet.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.rdmanet.internal.frame.FrameDescriptor;
import io.rdmanet.internal.frame.FrameFlags;
import io.rdmanet.internal.frame.HelloDescriptor.MessageHello;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Two ends that follow the rules of [CreditLedger] under random schedules: frames take any time,
/// applications call when they like, hold leases and claims, and stop reading for a while.
///
/// Checked at every step: no frame meets an empty receive queue, and no rule of the peer is broken.
/// Checked at the end: everything arrived, so nothing deadlocked.
class FlowSimulationTest {
    private static final long FIRST_SEED = 20261129;
    private static final int RUNS = 60;
    private static final int MESSAGES = 400;

    @ParameterizedTest
    @CsvSource({
        "1,1", "2,2", "3,3", "128,128", "1,128", "128,1", "2,3", "3,2", "1,2", "8,128", "7,5"
    })
    void neverMeetsAnEmptyQueueAndNeverDeadlocks(int windowA, int windowB) {
        for (int run = 0; run < RUNS; run++) {
            long seed = FIRST_SEED + run;
            Random random = new Random(seed);
            boolean isOneWay = run % 3 == 0;
            int control = run % 2 == 0 ? 5 : 4;
            End a = new End(windowA, control, MESSAGES, random);
            End b = new End(windowB, control, isOneWay ? 0 : MESSAGES, random);
            a.meet(b);
            b.meet(a);
            simulate(a, b, random, "windows " + windowA + "," + windowB + " seed " + seed);
            assertThat(a.received).as("seed %d", seed).isEqualTo(isOneWay ? 0 : MESSAGES);
            assertThat(b.received).as("seed %d", seed).isEqualTo(MESSAGES);
        }
    }

    private static void simulate(End a, End b, Random random, String what) {
        int idle = 0;
        int steps = 0;
        while (!(a.isDone() && b.isDone())) {
            End end = random.nextBoolean() ? a : b;
            idle = end.step() ? 0 : idle + 1;
            steps++;
            // An end that may do nothing at random does something within so many steps.
            if (idle > 2000 || steps > 2_000_000) {
                fail((idle > 2000 ? "deadlock: " : "livelock: ") + what + " " + a + " " + b);
            }
        }
    }

    /// One end: its ledger, its receive queue, and an application that does one thing at a time.
    private static final class End {
        final CreditLedger ledger;
        final int window;
        final int control;
        final int total;
        final boolean isHoarder;
        final Random random;
        final Deque<Integer> wire = new ArrayDeque<>();
        final Deque<Integer> completionQueue = new ArrayDeque<>();
        End peer;
        int postedReceives;
        int toSend;
        int claimed;
        int unread;
        int leased;
        int burst;
        int freed;
        int received;

        End(int window, int control, int toSend, Random random) {
            this.window = window;
            this.control = control;
            this.toSend = toSend;
            this.total = toSend;
            this.isHoarder = random.nextInt(3) == 0;
            this.random = random;
            this.ledger = new CreditLedger(window, control);
            this.postedReceives = window + control;
            this.peer = this;
        }

        void meet(End other) {
            peer = other;
            ledger.onHello(new MessageHello(0, 64, other.window, 1000, other.control));
        }

        boolean isDone() {
            return toSend == 0 && claimed == 0 && received == peer.total;
        }

        boolean step() {
            return switch (random.nextInt(8)) {
                case 0 -> arrive();
                case 1, 2 -> callSend();
                case 3 -> commit();
                case 4, 5 -> callReceive();
                case 6 -> endLease();
                default -> arrive();
            };
        }

        /// The network delivers a frame to the peer's device.
        private boolean arrive() {
            Integer header = wire.poll();
            if (header == null) {
                return false;
            }
            peer.postedReceives--;
            if (peer.postedReceives < 0) {
                fail("a frame met an empty receive queue: " + peer);
            }
            peer.completionQueue.add(header);
            return true;
        }

        /// A call that sends: claims, or blocks for a credit.
        private boolean callSend() {
            if (toSend == 0) {
                return false;
            }
            if (isHoarder && burst > 0 && claimed > 0) {
                return false;
            }
            if (ledger.credits() == 0) {
                boolean progressed = poll();
                return (ledger.credits() == 0 && block()) || progressed;
            }
            ledger.useCredits(1);
            toSend--;
            if (isHoarder || random.nextInt(3) == 0) {
                claimed++;
            } else {
                wire.add(ledger.stamp(FrameFlags.LAST));
            }
            return true;
        }

        /// Commits or cancels a claim. A hoarder claims the whole window before it commits some.
        private boolean commit() {
            if (isHoarder && (claimed == peer.window || toSend == 0)) {
                burst = 1 + random.nextInt(peer.window);
            }
            boolean hoards = isHoarder ? burst == 0 : random.nextInt(20) != 0;
            if (claimed == 0 || (hoards && toSend > 0 && claimed < peer.window)) {
                return false;
            }
            burst--;
            claimed--;
            if (random.nextInt(10) == 0) {
                ledger.returnUnused(1);
                toSend++;
            } else {
                wire.add(ledger.stamp(FrameFlags.LAST));
            }
            return true;
        }

        /// A call that receives: takes a message, as a copy or a lease, or blocks.
        private boolean callReceive() {
            if (unread == 0) {
                boolean progressed = poll();
                return (unread == 0 && block()) || progressed;
            }
            unread--;
            if (random.nextInt(2) == 0 && leased < window) {
                leased++;
            } else {
                free();
            }
            return true;
        }

        private boolean endLease() {
            if (leased == 0) {
                return false;
            }
            leased--;
            free();
            return true;
        }

        private void free() {
            received++;
            freed++;
            if (random.nextInt(4) == 0 || freed >= Math.max(1, window / 8)) {
                repost();
            }
            returnCredits(false);
        }

        private void repost() {
            postedReceives += freed;
            ledger.onReposted(freed);
            freed = 0;
        }

        /// A thread that blocks may put off the return for a while, here one time in two.
        private boolean block() {
            repost();
            if (ledger.isPeerSupplied() && random.nextBoolean()) {
                return false;
            }
            return returnCredits(true);
        }

        private boolean returnCredits(boolean blocking) {
            if (!ledger.isCreditFrameDue(blocking)) {
                return false;
            }
            ledger.onControlSend();
            wire.add(ledger.stamp(FrameFlags.CREDIT));
            return true;
        }

        private boolean poll() {
            boolean any = false;
            for (Integer next = completionQueue.poll();
                    next != null;
                    next = completionQueue.poll()) {
                any = true;
                int header = next;
                if (FrameFlags.isData(FrameDescriptor.flags(header))) {
                    requireNoFault(ledger.onData());
                    unread++;
                } else {
                    postedReceives++;
                    requireNoFault(ledger.onControl());
                }
                requireNoFault(
                        ledger.onHeader(
                                FrameDescriptor.credits(header),
                                FrameDescriptor.controlAcks(header)));
                returnCredits(false);
            }
            return any;
        }

        private void requireNoFault(String fault) {
            if (!fault.isEmpty()) {
                fail(fault + ": " + this);
            }
        }

        @Override
        public String toString() {
            return "End[credits=%d toSend=%d claimed=%d unread=%d leased=%d owed=%d unacked=%d outstanding=%d wire=%d cq=%d]"
                    .formatted(
                            ledger.credits(),
                            toSend,
                            claimed,
                            unread,
                            leased,
                            ledger.owed(),
                            ledger.unacknowledged(),
                            ledger.controlOutstanding(),
                            wire.size(),
                            completionQueue.size());
        }
    }
}
