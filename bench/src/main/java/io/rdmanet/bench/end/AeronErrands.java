package io.rdmanet.bench.end;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.rdmanet.bw.run.Buffers;
import io.rdmanet.bw.run.ComparisonPlan;
import io.rdmanet.bw.run.PayloadPattern;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;

/// Aeron IPC, the other way to move messages between two Java processes through shared memory.
///
/// ```
/// AERON_SEND     folder termBytes size nanos warmUpNanos slices gateMessages
///                                    -> sent messagesPerSecond of each slice
/// AERON_RECEIVE  folder size verify  -> messages bad messagesPerSecond of each slice
/// ```
///
/// The sending end runs the media driver without threads of its own (INVOKER): it gives it a turn
/// when the log is full, which is when it has something to do, and so no third thread competes for
/// two processors. The publication is exclusive, messages are offered from as many buffers as our
/// raw tier has, and the receiver looks at no payload and assembles no fragments, but in the gate.
/// With `gateMessages` that many messages are sent, each with a payload of its own, in place of a
/// timed run.
///
/// Two messages that are shorter than any other mark the beginning of each slice and the end of the
/// run; the receiver takes the time between. Each end tells its own rate of each slice: a receiver
/// that was kept waiting drains what the log holds faster than anybody sends.
final class AeronErrands {
    private static final int STREAM = 1001;
    private static final long SEED = 0xae10;
    private static final int BEGIN_BYTES = 8;
    private static final int END_BYTES = 4;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int MTU_BYTES = 65504;
    private static final int FRAGMENTS_PER_POLL = 64;
    private static final int SENDS_PER_READING = 64;
    private static final int POLLS_PER_TURN = 4096;
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(15).toNanos();

    void addTo(Map<String, Errand> errands) {
        errands.put("AERON_SEND", words -> new Sending(words).run());
        errands.put("AERON_RECEIVE", words -> new Receiving(words).run());
    }

    private static void requireTime(long start, String what) throws IOException {
        if (System.nanoTime() - start > TIMEOUT_NANOS) {
            throw new IOException("Aeron: " + what + " took too long");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("Aeron: interrupted");
        }
    }

    /// The sending end.
    private static final class Sending {
        private final String folder;
        private final int termBytes;
        private final int size;
        private final long nanos;
        private final long warmUpNanos;
        private final int slices;
        private final long gateMessages;
        private final UnsafeBuffer[] sources;
        private final MemorySegment[] segments;
        private final List<Object> rates = new ArrayList<>();

        Sending(Words words) {
            folder = words.text();
            termBytes = words.number();
            size = words.number();
            nanos = words.big();
            warmUpNanos = words.big();
            slices = words.number();
            gateMessages = words.big();
            int count = Buffers.count(ComparisonPlan.DEPTH, size);
            sources = new UnsafeBuffer[count];
            segments = new MemorySegment[count];
            for (int i = 0; i < count; i++) {
                ByteBuffer memory = BufferUtil.allocateDirectAligned(size, 64);
                sources[i] = new UnsafeBuffer(memory);
                segments[i] = MemorySegment.ofBuffer(memory);
            }
        }

        List<Object> run() throws IOException {
            MediaDriver.Context driverContext =
                    new MediaDriver.Context()
                            .aeronDirectoryName(folder)
                            .threadingMode(ThreadingMode.INVOKER)
                            .ipcMtuLength(MTU_BYTES)
                            .dirDeleteOnStart(true)
                            .dirDeleteOnShutdown(true);
            try (MediaDriver driver = MediaDriver.launch(driverContext);
                    Aeron aeron =
                            Aeron.connect(
                                    new Aeron.Context()
                                            .aeronDirectoryName(folder)
                                            .driverAgentInvoker(driver.sharedAgentInvoker())
                                            .useConductorAgentInvoker(true));
                    ExclusivePublication publication =
                            aeron.addExclusivePublication(
                                    "aeron:ipc?term-length=" + termBytes, STREAM)) {
                Runnable turn = turn(aeron, driver);
                long start = System.nanoTime();
                while (!publication.isConnected()) {
                    turn.run();
                    Thread.onSpinWait();
                    requireTime(start, "the receiver's coming");
                }
                long sent = send(publication, turn);
                while (publication.isConnected()) {
                    turn.run();
                    Thread.onSpinWait();
                    requireTime(start, "the receiver's leaving");
                }
                rates.addFirst(sent);
                return rates;
            }
        }

        /// The client's turn does not include the driver's.
        private static Runnable turn(Aeron aeron, MediaDriver driver) {
            AgentInvoker ofClient = aeron.conductorAgentInvoker();
            AgentInvoker ofDriver = driver.sharedAgentInvoker();
            return () -> {
                ofDriver.invoke();
                ofClient.invoke();
            };
        }

        private long send(ExclusivePublication publication, Runnable turn) throws IOException {
            if (gateMessages == 0) {
                sendFor(publication, turn, warmUpNanos);
            }
            offer(publication, turn, sources[0], BEGIN_BYTES);
            long sent = gateMessages == 0 ? 0 : sendGate(publication, turn);
            for (int i = 0; i < slices && gateMessages == 0; i++) {
                long start = System.nanoTime();
                long inSlice = sendFor(publication, turn, nanos / slices);
                rates.add(inSlice * NANOS_PER_SECOND / Math.max(1, System.nanoTime() - start));
                sent += inSlice;
                if (i + 1 < slices) {
                    offer(publication, turn, sources[0], BEGIN_BYTES);
                }
            }
            offer(publication, turn, sources[0], END_BYTES);
            return sent;
        }

        private long sendFor(ExclusivePublication publication, Runnable turn, long limit)
                throws IOException {
            long start = System.nanoTime();
            long sent = 0;
            int buffer = 0;
            do {
                for (int i = 0; i < SENDS_PER_READING; i++) {
                    offer(publication, turn, sources[buffer], size);
                    buffer = buffer + 1 == sources.length ? 0 : buffer + 1;
                }
                sent += SENDS_PER_READING;
            } while (System.nanoTime() - start < limit);
            return sent;
        }

        private long sendGate(ExclusivePublication publication, Runnable turn) throws IOException {
            for (long i = 0; i < gateMessages; i++) {
                int buffer = (int) (i % sources.length);
                PayloadPattern.fill(segments[buffer], size, SEED, i);
                offer(publication, turn, sources[buffer], size);
            }
            return gateMessages;
        }

        private static void offer(
                ExclusivePublication publication, Runnable turn, UnsafeBuffer source, int length)
                throws IOException {
            long result = publication.offer(source, 0, length);
            if (result < 0) {
                offerAgain(publication, turn, source, length);
            }
        }

        private static void offerAgain(
                ExclusivePublication publication, Runnable turn, UnsafeBuffer source, int length)
                throws IOException {
            long start = System.nanoTime();
            while (true) {
                turn.run();
                long result = publication.offer(source, 0, length);
                if (result >= 0) {
                    return;
                }
                if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                    throw new IOException("Aeron: offer answered " + result);
                }
                Thread.onSpinWait();
                requireTime(start, "an offer");
            }
        }
    }

    /// The receiving end.
    private static final class Receiving {
        private final String folder;
        private final int size;
        private final boolean verify;
        private final PayloadGate gate;
        private long bytes;
        private long beginNanos;
        private long sliceBytes;
        private boolean hasBegun;
        private final List<Object> rates = new ArrayList<>();
        private boolean isDone;

        Receiving(Words words) {
            folder = words.text();
            size = words.number();
            verify = words.yes();
            gate = new PayloadGate(size, SEED);
        }

        List<Object> run() throws IOException {
            long start = System.nanoTime();
            try (Aeron aeron =
                            Aeron.connect(
                                    new Aeron.Context()
                                            .aeronDirectoryName(folder)
                                            .useConductorAgentInvoker(true));
                    Subscription subscription = subscribe(aeron, start)) {
                AgentInvoker invoker = aeron.conductorAgentInvoker();
                FragmentHandler handler = verify ? new FragmentAssembler(this::check) : this::count;
                int idle = 0;
                while (!isDone) {
                    if (subscription.poll(handler, FRAGMENTS_PER_POLL) == 0) {
                        Thread.onSpinWait();
                        idle++;
                    }
                    if (idle >= POLLS_PER_TURN) {
                        idle = 0;
                        invoker.invoke();
                        requireTime(start, "receiving");
                    }
                }
            }
            rates.addFirst(gate.bad());
            rates.addFirst(verify ? gate.checked() : bytes / size);
            return rates;
        }

        private static Subscription subscribe(Aeron aeron, long start) throws IOException {
            long id = aeron.asyncAddSubscription("aeron:ipc", STREAM);
            Subscription subscription = aeron.getSubscription(id);
            while (subscription == null) {
                aeron.conductorAgentInvoker().invoke();
                Thread.onSpinWait();
                requireTime(start, "subscribing");
                subscription = aeron.getSubscription(id);
            }
            return subscription;
        }

        private void count(
                DirectBuffer buffer, int offset, int length, io.aeron.logbuffer.Header header) {
            if (length > BEGIN_BYTES) {
                sliceBytes += length;
            } else {
                mark(length);
            }
        }

        private void check(
                DirectBuffer buffer, int offset, int length, io.aeron.logbuffer.Header header) {
            if (length == BEGIN_BYTES || length == END_BYTES) {
                mark(length);
                return;
            }
            byte[] payload = new byte[length];
            buffer.getBytes(offset, payload);
            gate.accept(MemorySegment.ofArray(payload), length);
        }

        private void mark(int length) {
            long now = System.nanoTime();
            if (hasBegun) {
                bytes += sliceBytes;
                long nanos = Math.max(1, now - beginNanos);
                rates.add((double) sliceBytes / size * NANOS_PER_SECOND / nanos);
            }
            hasBegun = true;
            sliceBytes = 0;
            beginNanos = now;
            isDone = length == END_BYTES;
        }
    }
}
