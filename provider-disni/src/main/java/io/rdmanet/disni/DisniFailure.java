package io.rdmanet.disni;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.util.Map;

/// Finds the error number in DiSNI's exceptions. Theirs is a sentence that ends in what
/// `strerror(3)` says: `j2c::listen: rdma_listen failed: Address already in use`. It says so in the
/// language of the process, which must be English (`LC_MESSAGES=C`, see the README): in another one
/// the text is passed on, but no number is found.
final class DisniFailure {
    /// By glibc's words to the letter, however they sound: they are compared.
    private static final Map<String, Integer> NUMBERS =
            Map.ofEntries(
                    Map.entry("Operation not permitted", ErrorNumber.EPERM),
                    Map.entry("No such file or directory", ErrorNumber.ENOENT),
                    Map.entry("Interrupted system call", ErrorNumber.EINTR),
                    Map.entry("Input/output error", ErrorNumber.EIO),
                    Map.entry("Resource temporarily unavailable", ErrorNumber.EAGAIN),
                    Map.entry("Cannot allocate memory", ErrorNumber.ENOMEM),
                    Map.entry("Permission denied", ErrorNumber.EACCES),
                    Map.entry("Bad address", ErrorNumber.EFAULT),
                    Map.entry("Device or resource busy", ErrorNumber.EBUSY),
                    Map.entry("No such device", ErrorNumber.ENODEV),
                    Map.entry("Invalid argument", ErrorNumber.EINVAL),
                    Map.entry("Too many open files", ErrorNumber.EMFILE),
                    Map.entry("No space left on device", ErrorNumber.ENOSPC),
                    Map.entry("Function not implemented", ErrorNumber.ENOSYS),
                    Map.entry("Operation not supported", ErrorNumber.EOPNOTSUPP),
                    Map.entry("Address already in use", ErrorNumber.EADDRINUSE),
                    Map.entry("Cannot assign requested address", ErrorNumber.EADDRNOTAVAIL),
                    Map.entry("Network is unreachable", ErrorNumber.ENETUNREACH),
                    Map.entry("Connection reset by peer", ErrorNumber.ECONNRESET),
                    Map.entry("Connection timed out", ErrorNumber.ETIMEDOUT),
                    Map.entry("Connection refused", ErrorNumber.ECONNREFUSED),
                    Map.entry("No route to host", ErrorNumber.EHOSTUNREACH));

    private DisniFailure() {}

    /// DiSNI's failure in our words.
    ///
    /// @param verb what was tried (`reg_mr`)
    /// @param detail on what
    static VerbsException of(String verb, IOException failure, String detail) {
        int errno = errno(failure);
        VerbsException own =
                errno == VerbsException.NO_ERRNO
                        ? new VerbsException(verb, detail + " (" + text(failure) + ")")
                        : new VerbsException(verb, errno, detail);
        own.initCause(failure);
        return own;
    }

    /// The error number, or [VerbsException#NO_ERRNO] if the text names none that is known.
    static int errno(IOException failure) {
        String text = text(failure);
        int colon = text.lastIndexOf(": ");
        return NUMBERS.getOrDefault(text.substring(colon < 0 ? 0 : colon + 2), 0);
    }

    /// What DiSNI says, on one line.
    static String text(IOException failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message.strip();
    }
}
