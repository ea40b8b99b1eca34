package io.rdmanet.verbs;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An open device (`struct ibv_context`).
///
/// Whoever opened it closes it, after everything made from it; a context that belongs to a
/// [ConnectionIdentifier] is closed by its connection manager. Safe for use by any thread.
public interface Context extends AutoCloseable {
    /// The provider that opened it.
    VerbsProvider provider();

    /// The device's name.
    String deviceName();

    /// The device's limits.
    DeviceAttributes queryDevice() throws VerbsException;

    /// A port's state.
    ///
    /// @param portNumber 1 to [DeviceAttributes#physicalPorts()]
    PortAttributes queryPort(int portNumber) throws VerbsException;

    /// The used entries of a port's GID table, by index.
    ///
    /// @throws UnsupportedCapabilityException without [Capability#GID_CHOICE]
    List<GidEntry> gidTable(int portNumber) throws VerbsException;

    /// What the device counted since it was opened or the driver loaded, by the driver's name for
    /// it (`rcvd_rnr_err`); empty if it counts nothing.
    Map<String, Long> hardwareCounters() throws VerbsException;

    /// A new protection domain, to be closed by the caller.
    ProtectionDomain allocateProtectionDomain() throws VerbsException;

    /// A new completion channel, to be closed by the caller.
    ///
    /// @throws UnsupportedCapabilityException without [Capability#COMPLETION_CHANNEL]
    CompletionChannel createCompletionChannel() throws VerbsException;

    /// A new completion queue, to be closed by the caller.
    ///
    /// @param capacity completions it must hold, at least 1; more than that without a poll is an
    ///   overrun, which puts its queue pairs into the error state
    /// @param channel where it reports events, or null to be polled only
    CompletionQueue createCompletionQueue(int capacity, @Nullable CompletionChannel channel)
            throws VerbsException;

    /// The oldest event of device, ports and queue pairs that nobody has taken, or null. Never
    /// blocks.
    ///
    /// @throws UnsupportedCapabilityException without [Capability#ASYNC_EVENTS]
    @Nullable AsyncEvent pollAsyncEvent() throws VerbsException;

    /// Closes the device.
    ///
    /// @throws IllegalStateException while anything made from it is open
    @Override
    void close();
}
