package io.rdmanet.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A protection domain (`struct ibv_pd`): queue pairs reach only memory of their own domain.
///
/// The caller closes it, after everything made from it. Safe for use by any thread.
public interface ProtectionDomain extends AutoCloseable {
    /// The device it belongs to.
    Context context();

    /// Registers memory of the caller's, which stays the caller's: it must be native, and its arena
    /// must stay open until the region is closed.
    ///
    /// @param segment native memory of at least 1 byte; what lies on the Java heap is refused
    /// @param access what may be done to it; remote write and atomics imply local write, which must
    ///   be given too
    /// @return the region, to be closed by the caller
    /// @throws IllegalArgumentException if the segment is on the heap, empty or confined to one
    ///   thread, or the access flags contradict themselves
    MemoryRegion register(MemorySegment segment, Set<AccessFlag> access) throws VerbsException;

    /// Allocates and registers memory of the kind that suits the provider best. It is zeroed,
    /// aligned to a page, and freed by closing the region.
    ///
    /// @param bytes at least 1
    /// @return the region, to be closed by the caller
    MemoryRegion allocate(long bytes, Set<AccessFlag> access) throws VerbsException;

    /// Creates a queue pair in the RESET state, to be closed by the caller.
    ///
    /// @throws UnsupportedCapabilityException for a type the provider does not have
    QueuePair createQueuePair(QueuePairInitialAttributes attributes) throws VerbsException;

    /// Creates a receive queue that several queue pairs take their receives from, to be closed by
    /// the caller.
    ///
    /// @param maxReceives receives that can be outstanding, at least 1
    /// @param maxScatterGather elements per receive, at least 1
    /// @throws UnsupportedCapabilityException without [Capability#SHARED_RECEIVE_QUEUE]
    SharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxScatterGather)
            throws VerbsException;

    /// Creates the way to the receivers of datagrams at one port, to be closed by the caller.
    ///
    /// @throws VerbsException if the device finds no way there
    /// @throws UnsupportedCapabilityException without [Capability#UNRELIABLE_DATAGRAM]
    AddressHandle createAddressHandle(AddressVector address) throws VerbsException;

    /// Frees the domain.
    ///
    /// @throws IllegalStateException while anything made from it is open
    @Override
    void close();
}
