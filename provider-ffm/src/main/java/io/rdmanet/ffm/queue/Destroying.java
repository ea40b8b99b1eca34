package io.rdmanet.ffm.queue;

import io.rdmanet.verbs.ErrorNumber;

/// What to do when a native object does not let itself be destroyed.
///
/// That is a mistake in the order of closing, which parents and children here exclude, or a broken
/// device. The object stays, with the memory that the device may still write to, and its parents
/// refuse to close.
final class Destroying {
    private Destroying() {}

    /// Throws unless a destroying function gave 0.
    ///
    /// @param what what was to be destroyed
    static void require(String verb, int errno, String what) {
        if (errno != 0) {
            throw new IllegalStateException(
                    verb
                            + " failed: "
                            + what
                            + ": errno="
                            + ErrorNumber.describe(Math.abs(errno))
                            + "; it stays as it is, and its memory is not freed");
        }
    }
}
