package io.rdmanet;

import io.rdmanet.internal.engine.MessageConnection;
import io.rdmanet.internal.raw.RawConnection;
import io.rdmanet.internal.setup.Acceptor;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.internal.setup.DialRequest;
import io.rdmanet.internal.setup.Dialling;
import io.rdmanet.internal.setup.ListenerLoop;
import io.rdmanet.internal.setup.Opener;
import io.rdmanet.internal.setup.Rendezvous;
import io.rdmanet.internal.setup.Role;
import io.rdmanet.verbs.ProviderSelection;
import java.io.IOException;
import java.net.InetSocketAddress;

/// The front door: dials and listens.
///
/// ```
/// try (Listener<Conn> listener = Rdmanet.listen(address, ConnOptions.defaults());
///         Conn conn = listener.accept(Duration.ofSeconds(10))) {
///     byte[] message = conn.recvMsg();
/// }
/// ```
public final class Rdmanet {
    private Rdmanet() {}

    /// Connects to a listener and completes the handshake, within [EndpointOptions#timeout()].
    ///
    /// @return the connection, to be closed by the caller
    /// @throws io.rdmanet.verbs.ConnectionException if nobody listens there, there is no way there,
    ///   or the listener said no
    /// @throws ProtocolViolationException if the listener is not rdmanet, of another version, or
    ///   raw
    /// @throws DeadlineException if it took too long
    /// @throws io.rdmanet.verbs.UnsupportedCapabilityException if the provider lacks something that
    ///   the options ask for
    public static Conn dial(InetSocketAddress address, ConnOptions options) throws IOException {
        Deadline deadline = Deadline.after(options.endpoint().timeout());
        return dial(
                new DialRequest(address, options.endpoint(), Role.MESSAGE, 0, deadline),
                (rendezvous, whole) -> MessageConnection.open(rendezvous, options, whole));
    }

    /// Listens for message connections.
    ///
    /// @param address a local address or the wildcard; port 0 takes a free one
    /// @return the listener, to be closed by the caller
    /// @throws io.rdmanet.verbs.ConnectionException if the address is in use or not local
    /// @throws io.rdmanet.verbs.UnsupportedCapabilityException if the provider lacks something that
    ///   the options ask for
    public static Listener<Conn> listen(InetSocketAddress address, ConnOptions options)
            throws IOException {
        return listen(
                address,
                options.endpoint(),
                Role.MESSAGE,
                (rendezvous, whole) -> MessageConnection.open(rendezvous, options, whole));
    }

    /// Connects to a raw listener, tells it the options, and waits until it is ready. Fails as
    /// [#dial] does.
    ///
    /// @return the connection, to be closed by the caller
    public static RawConn dialRaw(InetSocketAddress address, RawOptions options)
            throws IOException {
        Deadline deadline = Deadline.after(options.endpoint().timeout());
        return dial(
                new DialRequest(
                        address, options.endpoint(), Role.RAW, options.transmitDepth(), deadline),
                (rendezvous, whole) -> RawConnection.open(rendezvous, options, true, whole));
    }

    private static <C> C dial(DialRequest request, Opener<C> opener) throws IOException {
        Rendezvous rendezvous = Dialling.dial(ProviderSelection.installed(), request);
        try {
            return opener.open(rendezvous, request.deadline());
        } catch (IOException | RuntimeException | Error failure) {
            rendezvous.close();
            throw failure;
        }
    }

    /// Listens for raw connections. Fails as [#listen] does.
    ///
    /// @return the listener, to be closed by the caller
    public static Listener<RawConn> listenRaw(InetSocketAddress address, RawOptions options)
            throws IOException {
        return listen(
                address,
                options.endpoint(),
                Role.RAW,
                (rendezvous, whole) -> RawConnection.open(rendezvous, options, false, whole));
    }

    private static <C extends AutoCloseable> Listener<C> listen(
            InetSocketAddress address,
            EndpointOptions options,
            Role role,
            Opener<? extends C> opener)
            throws IOException {
        Acceptor acceptor = Acceptor.listen(ProviderSelection.installed(), address, options, role);
        return ListenerLoop.start(acceptor, opener, options.timeout());
    }
}
