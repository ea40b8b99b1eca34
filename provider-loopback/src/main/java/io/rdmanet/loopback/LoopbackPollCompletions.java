package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;
import java.util.Objects;

/// Columns of completions, filled by one poll after another.
final class LoopbackPollCompletions implements PollCompletions {
    private final LoopbackCompletionQueue queue;
    private final int capacity;
    // Read by tests without executing.
    final long[] workRequestIds;
    final int[] outcomes;
    final int[] byteLengths;
    final int[] immediates;
    final int[] sourceQueuePairs;
    private final int[] queuePairNumbers;
    private int count;
    private int polls;

    LoopbackPollCompletions(LoopbackCompletionQueue queue, int capacity) {
        this.queue = queue;
        this.capacity = capacity;
        workRequestIds = new long[capacity];
        outcomes = new int[capacity];
        byteLengths = new int[capacity];
        immediates = new int[capacity];
        sourceQueuePairs = new int[capacity];
        queuePairNumbers = new int[capacity];
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int execute() throws VerbsException {
        count = 0;
        polls++;
        count = queue.poll(this);
        return count;
    }

    /// Whether this poll looks at receives before sends: every other one, so that neither starves.
    boolean receivesFirst() {
        return (polls & 1) != 0;
    }

    /// The index of the queue pair to visit as the `i`-th of this poll, so that none starves.
    int turn(int i, int length) {
        return length == 1 ? 0 : Math.floorMod(i + (polls >>> 1), length);
    }

    void put(
            int index,
            long workRequestId,
            int outcome,
            int byteLength,
            int immediate,
            int queuePairNumber) {
        workRequestIds[index] = workRequestId;
        outcomes[index] = outcome;
        byteLengths[index] = byteLength;
        immediates[index] = immediate;
        queuePairNumbers[index] = queuePairNumber;
    }

    /// Puts a completion that may be a datagram's. Others leave the source as it is, since it means
    /// nothing there.
    void putDatagram(
            int index,
            long workRequestId,
            int outcome,
            int byteLength,
            int immediate,
            int queuePairNumber,
            int sourceQueuePair) {
        put(index, workRequestId, outcome, byteLength, immediate, queuePairNumber);
        sourceQueuePairs[index] = sourceQueuePair;
    }

    @Override
    public long workRequestId(int index) {
        return workRequestIds[checked(index)];
    }

    @Override
    public CompletionStatus status(int index) {
        return CompletionStatus.of(statusCode(index));
    }

    @Override
    public int statusCode(int index) {
        return QueuePairDescriptor.status(outcomes[checked(index)]);
    }

    @Override
    public boolean succeeded(int index) {
        return statusCode(index) == 0;
    }

    @Override
    public CompletionOpcode opcode(int index) {
        return CompletionOpcode.of(QueuePairDescriptor.opcode(outcomes[checked(index)]));
    }

    @Override
    public int byteLength(int index) {
        return byteLengths[checked(index)];
    }

    @Override
    public boolean hasImmediate(int index) {
        return QueuePairDescriptor.hasImmediate(outcomes[checked(index)]);
    }

    @Override
    public int immediate(int index) {
        return immediates[checked(index)];
    }

    @Override
    public int queuePairNumber(int index) {
        return queuePairNumbers[checked(index)];
    }

    @Override
    public int sourceQueuePair(int index) {
        return sourceQueuePairs[checked(index)];
    }

    @Override
    public boolean hasGlobalRoute(int index) {
        return QueuePairDescriptor.isDatagram(outcomes[checked(index)]);
    }

    @Override
    public int vendorError(int index) {
        checked(index);
        return 0;
    }

    private int checked(int index) {
        return Objects.checkIndex(index, count);
    }
}
