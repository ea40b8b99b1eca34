package io.rdmanet.internal.provider;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The accounts of a device's queues, by the numbers in the identifiers that the device gets. Owned
/// by the device's context, and has nothing to release.
///
/// **Safe for use by any thread.** Polling threads read it without a lock; adding and removing take
/// the monitor for as long as copying takes.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | accounts | any thread under the monitor | volatile | volatile | pollers; copy on write |
/// | generations, nextIndex | any thread under the monitor | plain | plain | monitor |
///
/// @param <A> the provider's accounts
public final class AccountTable<A extends Account> {
    private static final int INDEX_BITS = 20;
    private static final int MAX_ACCOUNTS = 1 << INDEX_BITS;
    private static final int INDEX_MASK = MAX_ACCOUNTS - 1;
    private static final int FIRST_SIZE = 64;

    private final int capacity;
    private volatile @Nullable A[] accounts;
    private int[] generations;

    /// Where the search for a free place begins: a place rests as long as possible, so that a late
    /// completion meets another generation.
    private int nextIndex;

    public AccountTable() {
        this(MAX_ACCOUNTS);
    }

    /// As of a device with fewer work queues, for tests: filling it takes time by the square.
    ///
    /// @param capacity a power of two
    @SuppressWarnings("unchecked") // an array of what A is erased to, and it never leaves here
    AccountTable(int capacity) {
        this.capacity = capacity;
        int size = Math.min(FIRST_SIZE, capacity);
        accounts = (@Nullable A[]) new Account[size];
        generations = new int[size];
    }

    /// Gives an account its number.
    ///
    /// @throws VerbsException if no more accounts fit; those that are there stay
    public synchronized void add(A account) throws VerbsException {
        int index = freeIndex();
        account.number((generations[index] << INDEX_BITS) | index);
        @Nullable A[] changed = accounts.clone();
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
        if (size == capacity) {
            throw new VerbsException(
                    "create_qp",
                    ErrorNumber.ENOMEM,
                    "the device has " + capacity + " work queues open; close queue pairs first");
        }
        accounts = Arrays.copyOf(accounts, 2 * size);
        generations = Arrays.copyOf(generations, 2 * size);
        return size;
    }

    /// Forgets an account: completions that carry its number are nobody's from now on.
    @SuppressWarnings("ReferenceEquality") // an account equals itself only
    public synchronized void remove(A account) {
        account.retire();
        int index = account.number() & INDEX_MASK;
        if (accounts[index] == account) {
            @Nullable A[] changed = accounts.clone();
            changed[index] = null;
            accounts = changed;
            generations[index]++;
        }
    }

    /// The account of a number, or null if its queue is no more.
    public @Nullable A find(int number) {
        @Nullable A[] current = accounts;
        int index = number & INDEX_MASK;
        if (index >= current.length) {
            return null;
        }
        A account = current[index];
        return account != null && account.number() == number ? account : null;
    }
}
