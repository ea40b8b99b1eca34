package io.rdmanet.tck;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What all contracts of the verbs share. A provider runs a contract by a class of a few lines:
///
/// ```
/// final class LoopbackSendReceiveTest extends SendReceiveContract {
///     @Override
///     protected VerbsProvider provider() {
///         return new LoopbackProvider();
///     }
/// }
/// ```
///
/// Contracts assert what the verbs specification and the SPI's Javadoc promise, and nothing about
/// speed. What a provider declares not to be capable of is skipped, with the capability's name as
/// the printed reason.
public abstract class VerbsContract {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /// The provider under test; a fresh one or the same each time.
    protected abstract VerbsProvider provider();

    /// How queue pairs are to be connected.
    protected Pairing pairing() {
        return provider().capabilities().contains(Capability.QUEUE_PAIR_MODIFY)
                        && provider().capabilities().contains(Capability.GID_CHOICE)
                ? Pairing.MODIFY
                : Pairing.CONNECTION_MANAGER;
    }

    /// The address of the device, for the connection manager: the system property
    /// `rdmanet.tck.address`, or the loopback address.
    protected InetAddress address() {
        return InetAddress.ofLiteral(System.getProperty("rdmanet.tck.address", "127.0.0.1"));
    }

    /// How long something that must happen may take before a test fails. Slow machines override it.
    protected Duration patience() {
        return Duration.ofSeconds(Long.getLong("rdmanet.tck.patienceSeconds", 20));
    }

    /// How long to look before concluding that something does not happen.
    protected Duration quiet() {
        return Duration.ofMillis(100);
    }

    /// How many messages the long runs send. Slow devices override it.
    protected int manyMessages() {
        return Integer.getInteger("rdmanet.tck.messages", 100_000);
    }

    @BeforeEach
    final void requireUsableProvider() {
        Optional<String> reason = provider().unusableReason();
        skipUnless(
                reason.isEmpty(),
                "provider " + provider().name() + " is not usable here: " + reason.orElse(""));
    }

    @AfterEach
    final void closeWhatTheTestOpened() {
        Closing closing = new Closing();
        closing.closeAll(open);
        closing.rethrow();
    }

    /// Closes it after the test, what was opened last first.
    final <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    /// Memory of the test's own, freed after it.
    @SuppressWarnings("MustBeClosedChecker") // closed with everything else
    final Arena openArena() {
        return closing(Arena.ofShared());
    }

    /// Skips the test unless the provider is capable of everything.
    final void assume(Capability... capabilities) {
        for (Capability capability : capabilities) {
            skipUnless(
                    provider().capabilities().contains(capability),
                    "provider "
                            + provider().name()
                            + " lacks "
                            + capability
                            + " ("
                            + capability.description()
                            + ")");
        }
    }

    /// Skips the test and prints why, unless a condition holds.
    static void skipUnless(boolean condition, String reason) {
        if (!condition) {
            System.out.println("skipped: " + reason);
        }
        assumeTrue(condition, reason);
    }

    /// Whether the way between the ends may lose packets: the system property `rdmanet.tck.lossy`.
    static boolean losesPackets() {
        return Boolean.getBoolean("rdmanet.tck.lossy");
    }

    /// What a request may end with that the peer refuses. The peer says so once, and then is in
    /// error and answers no retry: where packets are lost, that may have been the one.
    static Set<CompletionStatus> orUnanswered(Set<CompletionStatus> refusals) {
        Set<CompletionStatus> allowed = EnumSet.copyOf(refusals);
        if (losesPackets()) {
            allowed.add(CompletionStatus.RETRY_EXCEEDED_ERROR);
        }
        return allowed;
    }

    /// A device, closed after the test: the first, or that of the system property
    /// `rdmanet.tck.device`. Without a choice of devices it is the one the connection manager finds
    /// behind [#address()].
    final Context openContext() throws Exception {
        if (canOpenByName()) {
            return closing(provider().open(firstDevice()));
        }
        ConnectionManager manager = closing(provider().openConnectionManager());
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        return closing(manager.resolve(listener.localAddress(), null, patience().toNanos()))
                .context();
    }

    /// The device of the other end: the system property `rdmanet.tck.peerDevice`, or the same.
    private Context openPeerContext(Context own) throws VerbsException {
        String name = System.getProperty("rdmanet.tck.peerDevice", "");
        return name.isEmpty() || name.equals(own.deviceName())
                ? own
                : closing(provider().open(name));
    }

    final boolean canOpenByName() {
        return provider().capabilities().contains(Capability.DEVICE_LIST)
                && provider().capabilities().contains(Capability.DEVICE_CHOICE);
    }

    final String firstDevice() throws VerbsException {
        String name = System.getProperty("rdmanet.tck.device", "");
        if (!name.isEmpty()) {
            return name;
        }
        return provider().devices().stream()
                .map(DeviceDescription::name)
                .findFirst()
                .orElseThrow(() -> new AssertionError("a usable provider lists no device"));
    }

    /// [#address()] with a port that is free.
    final InetSocketAddress socketAddress() {
        return new InetSocketAddress(address(), 0);
    }

    /// Two connected queue pairs with the default options, closed after the test.
    final ConnectedPair connect() throws Exception {
        return connect(PairOptions.defaults());
    }

    /// Two connected queue pairs, closed after the test.
    final ConnectedPair connect(PairOptions options) throws Exception {
        if (options.layout().hasChannel()) {
            assume(Capability.COMPLETION_CHANNEL);
        }
        if (pairing() == Pairing.MODIFY) {
            Context context = openContext();
            return closing(
                    ConnectedPair.byModify(
                            context, openPeerContext(context), options, patience(), null));
        }
        assume(Capability.CONNECTION_MANAGER);
        ConnectionManager manager = closing(provider().openConnectionManager());
        return closing(
                ConnectedPair.byConnectionManager(manager, socketAddress(), options, patience()));
    }

    /// Two more connected queue pairs, which use the domains and completion queues of `host`.
    final ConnectedPair connectBeside(ConnectedPair host) throws Exception {
        assume(Capability.QUEUE_PAIR_MODIFY, Capability.GID_CHOICE);
        skipUnless(pairing() == Pairing.MODIFY, "two pairs of one domain need Pairing.MODIFY");
        return closing(
                ConnectedPair.byModify(
                        host.left().context(),
                        host.right().context(),
                        host.left().options(),
                        patience(),
                        host));
    }

    /// Runs something on another thread, which is interrupted after the test if it still runs.
    final <T extends @Nullable Object> Running<T> start(String name, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = Thread.ofPlatform().daemon().name("tck-" + name).start(task);
        return closing(new Running<>(task, thread, patience()));
    }

    /// Work on another thread.
    record Running<T extends @Nullable Object>(FutureTask<T> task, Thread thread, Duration patience)
            implements AutoCloseable {
        /// Its result, or what it threw.
        T join() throws Exception {
            return join(patience);
        }

        T join(Duration limit) throws Exception {
            try {
                return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            } catch (java.util.concurrent.ExecutionException e) {
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw e.getCause() instanceof Exception cause ? cause : e;
            } catch (TimeoutException e) {
                AssertionError error =
                        new AssertionError(thread.getName() + " has not ended within " + limit, e);
                error.setStackTrace(thread.getStackTrace());
                throw error;
            }
        }

        /// Whether it sleeps or waits, so that what ends its wait can be tried.
        boolean isBlocked() {
            return switch (thread.getState()) {
                case WAITING, TIMED_WAITING, BLOCKED -> true;
                default -> false;
            };
        }

        @Override
        public void close() {
            thread.interrupt();
            try {
                thread.join(patience);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
