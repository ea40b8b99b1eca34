package io.rdmanet.internal.setup;

import static java.util.Objects.requireNonNull;

import io.rdmanet.EndpointOptions;
import java.net.InetSocketAddress;

/// What somebody who dials wants.
///
/// @param address whom to dial
/// @param options provider, device and way of connecting
/// @param role what the connection will carry
/// @param receiveDepth receives that the peer is asked to keep posted; 0 if it need not know
/// @param deadline when it must be done
public record DialRequest(
        InetSocketAddress address,
        EndpointOptions options,
        Role role,
        int receiveDepth,
        Deadline deadline) {
    public DialRequest {
        requireNonNull(address, "address");
        requireNonNull(options, "options");
        requireNonNull(role, "role");
        requireNonNull(deadline, "deadline");
    }
}
