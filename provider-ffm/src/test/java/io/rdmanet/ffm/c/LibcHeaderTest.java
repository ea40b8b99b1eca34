package io.rdmanet.ffm.c;

import io.rdmanet.verbs.ErrorNumber;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Everything that this provider takes for granted of the C library's headers.
class LibcHeaderTest {
    @TempDir Path directory;

    @Test
    void structsAndNumbersAreTheHeaders() throws Exception {
        HeaderComparison headers =
                HeaderComparison.including(
                        "errno.h",
                        "fcntl.h",
                        "poll.h",
                        "sys/eventfd.h",
                        "sys/mman.h",
                        "sys/resource.h");
        headers.struct(PollDescriptor.class, "struct pollfd")
                .size("SIZE")
                .field("FD", "fd")
                .field("EVENTS", "events")
                .field("REVENTS", "revents")
                .constant("POLLIN", "POLLIN");
        headers.struct(ResourceLimitDescriptor.class, "struct rlimit")
                .size("SIZE")
                .field("CURRENT", "rlim_cur");
        headers.constant("O_NONBLOCK", Libc.O_NONBLOCK)
                .constant("F_GETFL", Libc.F_GETFL)
                .constant("F_SETFL", Libc.F_SETFL)
                .constant("EFD_CLOEXEC | EFD_NONBLOCK", Libc.EFD_CLOEXEC_NONBLOCK)
                .constant("PROT_READ | PROT_WRITE", Libc.PROT_READ_WRITE)
                .constant("MAP_PRIVATE | MAP_ANONYMOUS", Libc.MAP_PRIVATE_ANONYMOUS)
                .constant("RLIMIT_MEMLOCK", Libc.RLIMIT_MEMLOCK)
                .constant("EPERM", ErrorNumber.EPERM)
                .constant("EAGAIN", ErrorNumber.EAGAIN)
                .constant("ENOMEM", ErrorNumber.ENOMEM)
                .constant("EACCES", ErrorNumber.EACCES)
                .constant("EINVAL", ErrorNumber.EINVAL)
                .constant("ENOSYS", ErrorNumber.ENOSYS)
                .constant("EOPNOTSUPP", ErrorNumber.EOPNOTSUPP);

        headers.assertEqual(directory);
    }
}
