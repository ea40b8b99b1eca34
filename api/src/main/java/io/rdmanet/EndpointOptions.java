package io.rdmanet;

import static java.util.Objects.requireNonNull;

import io.rdmanet.verbs.ProviderSelection;
import java.time.Duration;

/// Which provider and device to use, and how to connect. Immutable; each `with` method returns a
/// changed copy.
///
/// @param provider the provider's name, or `auto`
/// @param device the device's name, or an empty string for the one that owns this end's address
///   (over TCP, if none does: for the first)
/// @param portNumber the device's port, from 1
/// @param gidIndex the index of the GID to use, or [#AUTOMATIC]
/// @param setup how the two ends find each other
/// @param timeout how long a blocking call may take; positive
public record EndpointOptions(
        String provider,
        String device,
        int portNumber,
        int gidIndex,
        ConnectionSetup setup,
        Duration timeout) {
    /// Choose for me.
    public static final int AUTOMATIC = -1;

    /// How long a blocking call may take unless told otherwise.
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration MAX_TIMEOUT = Duration.ofDays(365);

    public EndpointOptions {
        requireNonNull(provider, "provider");
        requireNonNull(device, "device");
        requireNonNull(setup, "setup");
        requireNonNull(timeout, "timeout");
        if (portNumber < 1 || portNumber > 255) {
            throw new IllegalArgumentException("portNumber must be 1 to 255, is " + portNumber);
        }
        if (gidIndex < AUTOMATIC || gidIndex > 0xffff) {
            throw new IllegalArgumentException("gidIndex must be 0 to 65535, is " + gidIndex);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be positive, is " + timeout);
        }
        if (timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout is longer than a year: " + timeout);
        }
    }

    /// The best provider and device, rdma_cm, 30 s.
    public static EndpointOptions defaults() {
        return new EndpointOptions(
                ProviderSelection.AUTO, "", 1, AUTOMATIC, ConnectionSetup.RDMA_CM, DEFAULT_TIMEOUT);
    }

    /// A copy with another provider.
    public EndpointOptions withProvider(String name) {
        return new EndpointOptions(name, device, portNumber, gidIndex, setup, timeout);
    }

    /// A copy with another device.
    public EndpointOptions withDevice(String name) {
        return new EndpointOptions(provider, name, portNumber, gidIndex, setup, timeout);
    }

    /// A copy with another port of the device.
    public EndpointOptions withPortNumber(int number) {
        return new EndpointOptions(provider, device, number, gidIndex, setup, timeout);
    }

    /// A copy with another GID.
    public EndpointOptions withGidIndex(int index) {
        return new EndpointOptions(provider, device, portNumber, index, setup, timeout);
    }

    /// A copy with another way of connecting.
    public EndpointOptions withSetup(ConnectionSetup newSetup) {
        return new EndpointOptions(provider, device, portNumber, gidIndex, newSetup, timeout);
    }

    /// A copy with another deadline.
    public EndpointOptions withTimeout(Duration newTimeout) {
        return new EndpointOptions(provider, device, portNumber, gidIndex, setup, newTimeout);
    }
}
