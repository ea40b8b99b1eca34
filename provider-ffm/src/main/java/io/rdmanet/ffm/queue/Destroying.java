package io.rdmanet.ffm.queue;

import io.rdmanet.verbs.ErrorNumber;

/// What to do when a native object does not let itself be destroyed.
///
/// That is a mistake in the order of closing, which parents and children here exclude, or a broken
/// device. The object stays, with the memory that the device may still write to, and its parents
/// refuse to close. Only of a device that was removed the kernel has destroyed everything already;
/// then destroying is refused with EIO, and that is as good as done.
final class Destroying {
    private Destroying() {}

    /// Throws unless a destroying function has destroyed something, or found it destroyed.
    ///
    /// @param errno what it gave: 0, or an error number
    /// @param what what was to be destroyed
    static void require(String verb, int errno, String what) {
        boolean isDone = errno == 0 || errno == ErrorNumber.EIO || errno == ErrorNumber.ENODEV;
        if (!isDone) {
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
