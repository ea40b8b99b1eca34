package io.rdmanet.internal.provider;

/// What a provider knows of the work that is outstanding on one queue, as far as the [AccountTable]
/// is concerned: its number there, and whether the queue is no more. Owned by the queue, and has
/// nothing to release.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | number | the table, once, before anybody finds the account | plain | plain | the table's accounts |
/// | isRetired | the table | volatile | volatile | whoever asks what is outstanding |
public abstract class Account {
    private int number;
    private volatile boolean isRetired;

    protected Account() {}

    /// The number it has in the [AccountTable].
    public final int number() {
        return number;
    }

    final void number(int assigned) {
        number = assigned;
    }

    /// Nothing is outstanding any more, whatever was: the queue was destroyed or reset.
    final void retire() {
        isRetired = true;
    }

    public final boolean isRetired() {
        return isRetired;
    }
}
