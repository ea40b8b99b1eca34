package io.rdmanet.verbs;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A way to reach RDMA devices, found by [java.util.ServiceLoader].
///
/// Instantiating a provider must cost nothing and never fail: a provider that cannot work on this
/// machine says so through [#unusableReason()]. Implementations are safe for use by any thread.
public interface VerbsProvider {

    /// The name by which users choose this provider, lower case: `loopback`, `ffm`, `disni`.
    String name();

    /// Among usable providers with a device, the one of highest priority is chosen when the user
    /// names none. Real devices come before software: ffm 100, disni 50, loopback 0.
    int priority();

    /// Empty if the provider works here; else one sentence that says why not, and what to install
    /// or load to mend it.
    Optional<String> unusableReason();

    /// What this provider can do. A call that needs a missing capability fails with
    /// [UnsupportedCapabilityException]; nothing asked for is silently ignored.
    Set<Capability> capabilities();

    /// The nearest way that works for somebody who asked for a missing capability, or an empty
    /// string if there is none. It becomes part of the exception's message.
    default String alternativeTo(Capability capability) {
        return "";
    }

    /// The devices that can be opened now, best first; empty if there is none or the provider has
    /// no [Capability#DEVICE_LIST].
    ///
    /// @throws VerbsException if the device list cannot be read
    List<DeviceDescription> devices() throws VerbsException;

    /// Opens a device by name. The caller closes the context.
    ///
    /// @throws VerbsException if there is no such device or it cannot be opened
    /// @throws UnsupportedCapabilityException without [Capability#DEVICE_CHOICE]
    Context open(String deviceName) throws VerbsException;

    /// Opens the provider's connection manager. The caller closes it.
    ///
    /// @throws UnsupportedCapabilityException without [Capability#CONNECTION_MANAGER]
    ConnectionManager openConnectionManager() throws VerbsException;

    /// Throws unless this provider has the capability.
    ///
    /// @throws UnsupportedCapabilityException naming provider, capability and the nearest way
    default void require(Capability capability) throws UnsupportedCapabilityException {
        if (!capabilities().contains(capability)) {
            throw new UnsupportedCapabilityException(name(), capability, alternativeTo(capability));
        }
    }
}
