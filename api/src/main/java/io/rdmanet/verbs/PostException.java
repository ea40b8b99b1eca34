package io.rdmanet.verbs;

/// A chain of work requests of which one was refused.
public final class PostException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final int acceptedCount;

    /// @param verb `post_send` or `post_recv`
    /// @param errno the system's number
    /// @param acceptedCount how many requests before the refused one were posted
    /// @param detail on what, and what to do
    public PostException(String verb, int errno, int acceptedCount, String detail) {
        super(verb, errno, detail + ", accepted before it: " + acceptedCount);
        this.acceptedCount = acceptedCount;
    }

    /// How many requests before the refused one were posted: they will complete.
    public int acceptedCount() {
        return acceptedCount;
    }
}
