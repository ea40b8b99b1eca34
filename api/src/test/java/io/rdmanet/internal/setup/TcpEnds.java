package io.rdmanet.internal.setup;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rdmanet.ConnectionSetup;
import io.rdmanet.EndpointOptions;
import io.rdmanet.internal.setup.Acceptor.Inbound;
import io.rdmanet.internal.setup.Fakes.FakeProvider;
import io.rdmanet.internal.setup.Fakes.FakeQueuePair;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/// Two ends of the exchange over real sockets, with queue pairs that only remember.
final class TcpEnds {
    static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    final FakeProvider serverProvider = new FakeProvider();
    final FakeProvider clientProvider = new FakeProvider();
    final FakeQueuePair serverPair = new FakeQueuePair(0x111111);
    final FakeQueuePair clientPair = new FakeQueuePair(0x222222);
    EndpointOptions options =
            EndpointOptions.defaults()
                    .withSetup(ConnectionSetup.TCP)
                    .withTimeout(Duration.ofSeconds(5));

    Acceptor listen(Role role) throws IOException {
        return TcpAcceptor.listen(serverProvider.selection(), ANY_PORT, options, role);
    }

    Rendezvous dial(InetSocketAddress address, Role role, int depth) throws IOException {
        return Dialling.dial(
                List.of(clientProvider),
                new DialRequest(address, options, role, depth, Deadline.after(5 * SECOND)));
    }

    static Link establish(Rendezvous rendezvous, FakeQueuePair pair) throws IOException {
        try {
            rendezvous.createQueuePair(Fakes.domain(pair), Fakes.initialAttributes());
            return rendezvous.establish(5, Deadline.after(5 * SECOND));
        } catch (IOException failure) {
            rendezvous.close();
            throw failure;
        }
    }

    /// What an accepting end does, on another thread.
    CompletableFuture<Link> serve(Acceptor acceptor) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                Inbound inbound = requireNonNull(acceptor.awaitInbound());
                try {
                    Rendezvous rendezvous = inbound.rendezvous(Deadline.after(5 * SECOND));
                    assertThat(rendezvous.announcedReceiveDepth()).isEqualTo(99);
                    return establish(rendezvous, serverPair);
                } catch (IOException failure) {
                    inbound.close();
                    throw failure;
                }
            } catch (IOException failure) {
                throw new java.io.UncheckedIOException(failure);
            }
        });
    }

    static Throwable failureOf(CompletableFuture<Link> server) throws Exception {
        Throwable failure = catchThrowable(() -> server.get(10, TimeUnit.SECONDS));
        assertThat(failure).isInstanceOf(ExecutionException.class);
        Throwable unchecked = requireNonNull(failure.getCause());
        return requireNonNull(unchecked.getCause());
    }

    void assertNoDeviceOpen() {
        assertThat(serverProvider.openContexts).hasValue(0);
        assertThat(clientProvider.openContexts).hasValue(0);
    }
}
