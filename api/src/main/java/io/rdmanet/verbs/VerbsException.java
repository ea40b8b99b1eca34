package io.rdmanet.verbs;

import java.io.IOException;

/// An operating error: a verb that the provider, the system or the device refused.
///
/// The message names the verb, the object, the errno with its name, and a hint where one is known:
/// `post_send failed on queue pair 0x1a: errno=12 (ENOMEM); raise the send queue's capacity`.
public class VerbsException extends IOException {
    private static final long serialVersionUID = 1L;

    /// The errno of an error that has none.
    public static final int NO_ERRNO = 0;

    private final String verb;
    private final int errno;

    /// An error of a verb that has no errno.
    ///
    /// @param verb what was tried, in the specification's words (`create_qp`)
    /// @param detail on what, what was answered, and what to do
    public VerbsException(String verb, String detail) {
        this(verb, NO_ERRNO, detail);
    }

    /// An error with the system's number.
    ///
    /// @param verb what was tried
    /// @param errno the system's positive error number, or [#NO_ERRNO]
    /// @param detail on what, and what to do
    public VerbsException(String verb, int errno, String detail) {
        super(message(verb, errno, detail));
        this.verb = verb;
        this.errno = errno;
    }

    /// An error with a cause.
    public VerbsException(String verb, String detail, Throwable cause) {
        super(message(verb, NO_ERRNO, detail), cause);
        this.verb = verb;
        this.errno = NO_ERRNO;
    }

    /// What was tried, in the specification's words.
    public final String verb() {
        return verb;
    }

    /// The system's positive error number, or [#NO_ERRNO].
    public final int errno() {
        return errno;
    }

    private static String message(String verb, int errno, String detail) {
        return errno == NO_ERRNO
                ? verb + " failed: " + detail
                : verb + " failed: " + detail + ": errno=" + ErrorNumber.describe(errno);
    }
}
