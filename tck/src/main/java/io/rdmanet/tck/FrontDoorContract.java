package io.rdmanet.tck;

import io.rdmanet.ConnectionSetup;
import io.rdmanet.EndpointOptions;
import io.rdmanet.Listener;
import io.rdmanet.RawConn;
import io.rdmanet.RawOptions;
import io.rdmanet.Rdmanet;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.VerbsProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What the contracts of the front door share: they know a provider by its name only, as programs
/// do.
public abstract class FrontDoorContract {
    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();

    /// The name of the provider under test.
    protected abstract String providerName();

    /// The address of the device: the system property `rdmanet.tck.address`, or the loopback
    /// address.
    protected InetAddress address() {
        try {
            return InetAddress.getByName(System.getProperty("rdmanet.tck.address", "127.0.0.1"));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("rdmanet.tck.address is not an address", e);
        }
    }

    /// How long something that must happen may take before a test fails. Slow machines override it.
    protected Duration patience() {
        return Duration.ofSeconds(Long.getLong("rdmanet.tck.patienceSeconds", 20));
    }

    /// A timeout that a test waits for, and within which connecting must succeed all the same.
    protected Duration shortTimeout() {
        return patience().dividedBy(20);
    }

    /// How many messages the long runs send. Slow devices override it.
    protected int manyMessages() {
        return Integer.getInteger("rdmanet.tck.messages", 100_000);
    }

    @BeforeEach
    final void requireUsableProvider() throws Exception {
        String unusable = provider().unusableReason().orElse("");
        VerbsContract.skipUnless(unusable.isEmpty(), providerName() + " is unusable: " + unusable);
    }

    @AfterEach
    final void closeWhatTheTestOpened() {
        Closing closing = new Closing();
        closing.closeAll(open);
        closing.rethrow();
    }

    final VerbsProvider provider() {
        return ProviderSelection.installed().stream()
                .filter(provider -> provider.name().equals(providerName()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no provider " + providerName()));
    }

    /// Skips the test unless the provider has the capability.
    final void assume(Capability capability) {
        VerbsContract.skipUnless(
                provider().capabilities().contains(capability),
                "provider " + providerName() + " lacks " + capability);
    }

    /// Options for a set-up; the test is skipped if the provider does not have it.
    final EndpointOptions endpoint(ConnectionSetup setup) {
        assume(
                setup == ConnectionSetup.TCP
                        ? Capability.QUEUE_PAIR_MODIFY
                        : Capability.CONNECTION_MANAGER);
        return EndpointOptions.defaults()
                .withProvider(providerName())
                .withSetup(setup)
                .withTimeout(patience());
    }

    final RawOptions rawOptions(ConnectionSetup setup) {
        return RawOptions.defaults()
                .withEndpoint(endpoint(setup))
                .withTransmitDepth(16)
                .withMaxMessageBytes(4096);
    }

    /// The device's address with a port that is free.
    final InetSocketAddress freeAddress() {
        return new InetSocketAddress(address(), 0);
    }

    /// Closes it after the test, what was opened last first.
    final <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    /// A raw listener on a free port, closed after the test.
    final Listener<RawConn> listenRaw(RawOptions options) throws Exception {
        return closing(Rdmanet.listenRaw(freeAddress(), options));
    }

    /// Both ends of a raw connection, closed after the test.
    final RawPair connectRaw(RawOptions options) throws Exception {
        Listener<RawConn> listener = listenRaw(options);
        RawConn dialled = closing(Rdmanet.dialRaw(listener.localAddress(), options));
        return new RawPair(dialled, closing(listener.accept(patience())));
    }

    /// Both ends of a raw connection.
    ///
    /// @param sender the end that dialled
    /// @param drainer the end that listened
    record RawPair(RawConn sender, RawConn drainer) {}

    /// Runs something on another thread, which is interrupted after the test if it still runs.
    final <T extends @Nullable Object> VerbsContract.Running<T> start(
            String name, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = Thread.ofPlatform().daemon().name("tck-" + name).start(task);
        return closing(new VerbsContract.Running<>(task, thread, patience()));
    }
}
