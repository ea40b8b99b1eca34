package io.rdmanet.bench.run;

import java.io.IOException;
import java.util.List;

/// Something to be measured: a tier of ours, or a reference. Belongs to one thread.
///
/// A run may leave the subject broken; [#reset()] makes it usable again.
public interface Subject extends AutoCloseable {
    /// Its name in tables and for `--only`.
    String label();

    /// The sizes it is measured with.
    List<Integer> sizes();

    /// What its figures are in.
    Unit unit();

    /// How often it is measured.
    ///
    /// @param planned how often the others are
    default int repeats(int planned) {
        return planned;
    }

    /// Runs with payloads that are all checked.
    Verdict gate(int size) throws IOException;

    /// Runs for a figure.
    ///
    /// @param isRehearsal whether the sample will count for nothing
    Sample measure(int size, long nanos, boolean isRehearsal) throws IOException;

    /// Ends its processes; the next run starts new ones.
    void reset();

    @Override
    default void close() {
        reset();
    }
}
