package io.rdmanet.internal.engine;

import static java.util.Objects.requireNonNull;

import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.PollCompletions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A completion queue that fails the test when it runs over.
final class FakeCompletionQueue implements CompletionQueue {
    /// One completion; polling it is told to the queue pair, since that frees room there.
    ///
    /// @param immediate null if there is none
    record Entry(
            long identifier,
            CompletionStatus status,
            int byteLength,
            @Nullable Integer immediate,
            Runnable onPolled) {}

    private final FakeContext context;
    private final int capacity;
    private final @Nullable Channel channel;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private boolean isArmed;
    private boolean isOpen = true;
    private boolean overran;

    /// Whether every poll brings something of no interest.
    volatile boolean isNoisy;

    /// Whether polls bring nothing, though there is something.
    volatile boolean isHeld;

    /// What the next poll does before anything else.
    volatile @Nullable Runnable insideNextPoll;

    /// What the next poll throws.
    volatile @Nullable Error nextError;

    FakeCompletionQueue(FakeContext context, int capacity, @Nullable Channel channel) {
        this.context = context;
        this.capacity = capacity;
        this.channel = channel;
    }

    synchronized void add(Entry entry) {
        entries.add(entry);
        overran |= entries.size() > capacity;
        if (isArmed && channel != null) {
            isArmed = false;
            channel.events.release();
        }
    }

    synchronized boolean hasOverrun() {
        return overran;
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public @Nullable CompletionChannel channel() {
        return channel;
    }

    @Override
    public PollCompletions preparePoll(int pollCapacity) {
        return new Poll(pollCapacity);
    }

    @Override
    public synchronized void requestNotification(boolean solicitedOnly) {
        isArmed = true;
    }

    @Override
    public void close() {
        if (isOpen) {
            isOpen = false;
            context.open.decrementAndGet();
        }
    }

    /// A channel; its events are permits.
    static final class Channel implements CompletionChannel {
        final Semaphore events = new Semaphore(0);
        private final FakeContext context;
        private boolean isOpen = true;

        Channel(FakeContext context) {
            this.context = context;
        }

        @Override
        public Context context() {
            return context;
        }

        @Override
        public @Nullable CompletionQueue awaitEvent(long timeoutNanos) {
            try {
                boolean ignored = events.tryAcquire(timeoutNanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return null;
        }

        @Override
        public void wakeUp() {
            events.release();
        }

        @Override
        public void close() {
            if (isOpen) {
                isOpen = false;
                context.open.decrementAndGet();
            }
        }
    }

    private final class Poll implements PollCompletions {
        private final int pollCapacity;
        private final List<Entry> polled = new ArrayList<>();

        Poll(int pollCapacity) {
            this.pollCapacity = pollCapacity;
        }

        @Override
        public int capacity() {
            return pollCapacity;
        }

        @Override
        public int execute() {
            polled.clear();
            Runnable inside = insideNextPoll;
            if (inside != null) {
                insideNextPoll = null;
                inside.run();
            }
            Error error = nextError;
            if (error != null) {
                nextError = null;
                throw error;
            }
            if (isNoisy) {
                // The first send once more, which has completed long ago.
                polled.add(new Entry(0, CompletionStatus.SUCCESS, 0, null, () -> {}));
            }
            synchronized (FakeCompletionQueue.this) {
                while (!isHeld && polled.size() < pollCapacity && !entries.isEmpty()) {
                    polled.add(entries.poll());
                }
            }
            polled.forEach(entry -> entry.onPolled().run());
            return polled.size();
        }

        @Override
        public long workRequestId(int index) {
            return polled.get(index).identifier();
        }

        @Override
        public CompletionStatus status(int index) {
            return polled.get(index).status();
        }

        @Override
        public int statusCode(int index) {
            return polled.get(index).status().code();
        }

        @Override
        public boolean succeeded(int index) {
            return polled.get(index).status() == CompletionStatus.SUCCESS;
        }

        @Override
        public CompletionOpcode opcode(int index) {
            return CompletionOpcode.UNKNOWN;
        }

        @Override
        public int byteLength(int index) {
            return polled.get(index).byteLength();
        }

        @Override
        public boolean hasImmediate(int index) {
            return polled.get(index).immediate() != null;
        }

        @Override
        public int immediate(int index) {
            return requireNonNull(polled.get(index).immediate(), "no immediate data came");
        }

        @Override
        public int queuePairNumber(int index) {
            return 7;
        }

        @Override
        public int sourceQueuePair(int index) {
            return 0;
        }

        @Override
        public boolean hasGlobalRoute(int index) {
            return false;
        }

        @Override
        public int vendorError(int index) {
            return 0;
        }
    }
}
