package io.rdmanet.internal.provider;

import io.rdmanet.verbs.ErrorNumber;

/// What to do when a native object does not let itself be destroyed.
///
/// That is a mistake in the order of closing, which parents and children here exclude, or a broken
/// device. The object stays, with the memory that the device may still write to, and its parents
/// refuse to close. Only of a device that was removed the kernel has destroyed everything already;
/// then destroying is refused with EIO, and that is as good as done.
public final class Destroying {
    private Destroying() {}

    /// What is thrown when a thread is inside a call and does not leave: destroying what it uses
    /// would be the end of the process.
    public static IllegalStateException inUse(String verb, String what) {
        return new IllegalStateException(
                verb
                        + " refused: a thread has been inside a call on "
                        + what
                        + " for seconds; it stays open: end that thread's call, and close it then");
    }

    /// Throws unless a destroying function has destroyed something, or found it destroyed.
    ///
    /// @param errno what it gave: 0, or an error number, negative or not
    /// @param what what was to be destroyed
    public static void require(String verb, int errno, String what) {
        if (errno != 0 && !isLost(errno)) {
            throw new IllegalStateException(
                    verb
                            + " failed: "
                            + what
                            + ": errno="
                            + ErrorNumber.describe(Math.abs(errno))
                            + "; it stays as it is, and its memory is not freed");
        }
    }

    /// Whether it was not destroyed, but found destroyed together with its device.
    public static boolean isLost(int errno) {
        int number = Math.abs(errno);
        return number == ErrorNumber.EIO || number == ErrorNumber.ENODEV;
    }

    /// As [#require], for the channel of queues some of which were lost: libibverbs has not counted
    /// those as destroyed (rdma-core 44) and keeps the channel for busy, though nobody has a queue
    /// any more.
    ///
    /// @return false if the channel is left behind for that
    public static boolean requireChannel(int errno, boolean hasLostQueues, String what) {
        if (hasLostQueues && Math.abs(errno) == ErrorNumber.EBUSY) {
            return false;
        }
        require("destroy_comp_channel", errno, what);
        return true;
    }
}
