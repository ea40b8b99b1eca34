package io.rdmanet.tck.fault;

import io.rdmanet.verbs.VerbsProvider;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Makes a faulty provider available to code that chooses its provider by name: while this is open,
/// the name `faulty` stands for it.
///
/// ```
/// FaultPlan plan = new FaultPlan();
/// try (FaultInjection injection = FaultInjection.install(provider, plan)) {
///     Conn conn = Rdmanet.dial(address, optionsWithProvider(FaultInjection.PROVIDER_NAME));
/// }
/// ```
///
/// At most one is open in a program at a time. Close it after everything made through it.
public final class FaultInjection implements AutoCloseable {
    /// The name to ask for.
    public static final String PROVIDER_NAME = "faulty";

    private static final AtomicReference<@Nullable FaultyProvider> INSTALLED =
            new AtomicReference<>();

    private final FaultyProvider provider;

    private FaultInjection(FaultyProvider provider) {
        this.provider = provider;
    }

    /// Installs a provider with the faults of a plan.
    ///
    /// @throws IllegalStateException if another is installed
    public static FaultInjection install(VerbsProvider target, FaultPlan plan) {
        FaultyProvider provider = new FaultyProvider(target, plan);
        if (!INSTALLED.compareAndSet(null, provider)) {
            throw new IllegalStateException("another faulty provider is installed; close it first");
        }
        return new FaultInjection(provider);
    }

    static @Nullable VerbsProvider installed() {
        return INSTALLED.get();
    }

    /// The provider itself.
    public VerbsProvider provider() {
        return provider;
    }

    @Override
    public void close() {
        INSTALLED.compareAndSet(provider, null);
    }
}
