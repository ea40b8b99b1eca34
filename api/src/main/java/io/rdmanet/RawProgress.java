package io.rdmanet;

/// Is told how a raw run goes on, on the running thread. It must not block or throw, since it runs
/// between polls.
@FunctionalInterface
public interface RawProgress {
    /// Never stops.
    RawProgress NONE = (completed, posted) -> true;

    /// Something completed.
    ///
    /// @param completed messages completed in this run so far
    /// @param posted messages posted in this run so far
    /// @return whether to post more; after false the run completes what is in flight and ends
    boolean onCompleted(long completed, long posted);
}
