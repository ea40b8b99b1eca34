package io.rdmanet.loopback.link;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// Queue pairs that are still to be woken, each once, in the order they came: what holds wakes back
/// while a socket is full. It grows with the number of queue pairs, and never shrinks, so that it
/// soon allocates no more. Guarded by its owner.
final class WakeSet {
    private static final int INITIAL_CAPACITY = 64;
    private static final int MULTIPLIER = 0x9e37_79b9;

    /// The numbers, in order.
    private int[] numbers = new int[INITIAL_CAPACITY];

    /// Open addressing, twice as large as needed: 1 + the place in `numbers`, 0 for free.
    private int[] table = new int[INITIAL_CAPACITY * 2];

    private int count;
    private int taken;

    boolean isEmpty() {
        return taken == count;
    }

    /// Adds a number unless it is waiting already.
    void add(int number) {
        int slot = slotOf(number);
        if (table[slot] != 0) {
            return;
        }
        if (count == numbers.length) {
            grow();
            slot = slotOf(number);
        }
        numbers[count] = number;
        table[slot] = ++count;
    }

    /// Moves as many as fit into a buffer, as messages, and advances its position.
    void drainTo(ByteBuffer buffer) {
        while (taken < count && buffer.remaining() >= LinkMessageDescriptor.LENGTH) {
            LinkMessageDescriptor.putWake(buffer, buffer.position(), numbers[taken++]);
            buffer.position(buffer.position() + LinkMessageDescriptor.LENGTH);
        }
        if (taken == count) {
            Arrays.fill(table, 0);
            taken = 0;
            count = 0;
        }
    }

    /// The slot that has the number, or the free one where it would go. A number that was taken
    /// already counts as absent: it must be sent again.
    private int slotOf(int number) {
        int mask = table.length - 1;
        int slot = ((number * MULTIPLIER) >>> 16) & mask;
        while (table[slot] != 0 && !isWaiting(table[slot] - 1, number)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private boolean isWaiting(int place, int number) {
        return place >= taken && numbers[place] == number;
    }

    private void grow() {
        int live = count - taken;
        int[] larger = live > numbers.length / 2 ? new int[numbers.length * 2] : numbers;
        System.arraycopy(numbers, taken, larger, 0, live);
        numbers = larger;
        count = 0;
        taken = 0;
        table = table.length == larger.length * 2 ? table : new int[larger.length * 2];
        Arrays.fill(table, 0);
        for (int i = 0; i < live; i++) {
            int slot = slotOf(numbers[i]);
            count = i + 1;
            table[slot] = count;
        }
    }
}
