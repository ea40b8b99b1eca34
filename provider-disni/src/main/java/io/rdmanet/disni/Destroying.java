package io.rdmanet.disni;

import io.rdmanet.verbs.ErrorNumber;

/// What to do when a native object does not let itself be destroyed: it stays, with the memory that
/// the device may still write to, and its parents refuse to close. Only of a device that was
/// removed the kernel has destroyed everything already; being refused with EIO is as good as done.
final class Destroying {
    private Destroying() {}

    /// What is thrown when a thread is inside a call and does not leave: destroying what it uses
    /// would be the end of the process.
    static IllegalStateException inUse(String verb, String what) {
        return new IllegalStateException(
                verb
                        + " refused: a thread has been inside a call on "
                        + what
                        + " for seconds; it stays open: end that thread's call, and close it then");
    }

    /// Throws unless a destroying function has destroyed something, or found it destroyed.
    ///
    /// @param result what it gave: 0, or an error number, negative or not
    /// @param what what was to be destroyed
    static void require(String verb, int result, String what) {
        int errno = Math.abs(result);
        if (errno != 0 && !isLost(errno)) {
            throw new IllegalStateException(
                    verb
                            + " failed: "
                            + what
                            + ": errno="
                            + ErrorNumber.describe(errno)
                            + "; it stays as it is, and its memory is not freed");
        }
    }

    /// Whether it was not destroyed, but found destroyed together with its device.
    static boolean isLost(int result) {
        int errno = Math.abs(result);
        return errno == ErrorNumber.EIO || errno == ErrorNumber.ENODEV;
    }

    /// As [#require], for the channel of queues some of which were lost: libibverbs has not counted
    /// those as destroyed (rdma-core 44) and keeps the channel for busy, though nobody has a queue
    /// any more.
    ///
    /// @return false if the channel is left behind for that
    static boolean requireChannel(int result, boolean hasLostQueues, String what) {
        if (hasLostQueues && Math.abs(result) == ErrorNumber.EBUSY) {
            return false;
        }
        require("destroy_comp_channel", result, what);
        return true;
    }
}
