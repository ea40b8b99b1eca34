package io.rdmanet.ffm.queue;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The accounts of a device's queues, by the numbers in the identifiers that the device gets.
/// Polling threads read it without a lock.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | accounts | any thread under the monitor | volatile | volatile | pollers; copy on write |
/// | generations, nextIndex | any thread under the monitor | plain | plain | monitor |
final class AccountTable {
    private static final int INDEX_BITS = 20;
    private static final int MAX_ACCOUNTS = 1 << INDEX_BITS;
    private static final int INDEX_MASK = MAX_ACCOUNTS - 1;
    private static final int FIRST_SIZE = 64;

    private volatile @Nullable WorkQueueAccount[] accounts = new WorkQueueAccount[FIRST_SIZE];
    private int[] generations = new int[FIRST_SIZE];

    /// Where the search for a free place begins: a place rests as long as possible, so that a late
    /// completion meets another generation.
    private int nextIndex;

    /// Gives an account its number.
    synchronized void add(WorkQueueAccount account) throws VerbsException {
        int index = freeIndex();
        account.number((generations[index] << INDEX_BITS) | index);
        @Nullable WorkQueueAccount[] changed = accounts.clone();
        changed[index] = account;
        accounts = changed;
        nextIndex = index + 1;
    }

    private int freeIndex() throws VerbsException {
        int size = accounts.length;
        for (int i = 0; i < size; i++) {
            int index = (nextIndex + i) & (size - 1);
            if (accounts[index] == null) {
                return index;
            }
        }
        if (size == MAX_ACCOUNTS) {
            throw new VerbsException(
                    "create_qp",
                    ErrorNumber.ENOMEM,
                    "the device has " + MAX_ACCOUNTS + " work queues open");
        }
        accounts = Arrays.copyOf(accounts, 2 * size);
        generations = Arrays.copyOf(generations, 2 * size);
        return size;
    }

    /// Forgets an account: completions that carry its number are nobody's from now on.
    synchronized void remove(WorkQueueAccount account) {
        account.retire();
        int index = account.number() & INDEX_MASK;
        if (accounts[index] == account) {
            @Nullable WorkQueueAccount[] changed = accounts.clone();
            changed[index] = null;
            accounts = changed;
            generations[index]++;
        }
    }

    /// The account of a number, or null if its queue is no more.
    @Nullable WorkQueueAccount find(int number) {
        @Nullable WorkQueueAccount[] current = accounts;
        int index = number & INDEX_MASK;
        if (index >= current.length) {
            return null;
        }
        WorkQueueAccount account = current[index];
        return account != null && account.number() == number ? account : null;
    }
}
