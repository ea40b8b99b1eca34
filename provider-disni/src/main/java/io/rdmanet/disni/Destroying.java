package io.rdmanet.disni;

import io.rdmanet.verbs.ErrorNumber;

/// What to do when a native object does not let itself be destroyed: it stays, with the memory that
/// the device may still write to, and its parents refuse to close. Only of a device that was
/// removed the kernel has destroyed everything already; being refused with EIO is as good as done.
final class Destroying {
    private Destroying() {}

    /// Throws unless a destroying function has destroyed something, or found it destroyed.
    ///
    /// @param result what it gave: 0, or an error number, negative or not
    /// @param what what was to be destroyed
    static void require(String verb, int result, String what) {
        int errno = Math.abs(result);
        boolean isDone = errno == 0 || errno == ErrorNumber.EIO || errno == ErrorNumber.ENODEV;
        if (!isDone) {
            throw new IllegalStateException(
                    verb
                            + " failed: "
                            + what
                            + ": errno="
                            + ErrorNumber.describe(errno)
                            + "; it stays as it is, and its memory is not freed");
        }
    }
}
