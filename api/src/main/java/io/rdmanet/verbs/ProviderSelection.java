package io.rdmanet.verbs;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// The provider that was chosen, and why.
///
/// @param provider the provider
/// @param reason why this one, in words
public record ProviderSelection(VerbsProvider provider, String reason) {
    /// The name that stands for "choose for me".
    public static final String AUTO = "auto";

    public ProviderSelection {
        requireNonNull(provider, "provider");
        requireNonNull(reason, "reason");
    }

    /// All providers that the running program contains, best first.
    public static List<VerbsProvider> installed() {
        List<VerbsProvider> providers = new ArrayList<>();
        ServiceLoader.load(VerbsProvider.class).forEach(providers::add);
        providers.sort(
                Comparator.comparingInt(VerbsProvider::priority)
                        .reversed()
                        .thenComparing(VerbsProvider::name));
        return providers;
    }

    /// Chooses a provider.
    ///
    /// @param providers what there is, best first
    /// @param name a provider's name, which forces it; or [#AUTO] for the first usable one that has
    ///   a device
    /// @throws VerbsException if the named provider is not there or not usable, or none is usable;
    ///   the message says what each one lacks
    public static ProviderSelection choose(List<VerbsProvider> providers, String name)
            throws VerbsException {
        return name.equals(AUTO) ? chooseBest(providers) : chooseNamed(providers, name);
    }

    private static ProviderSelection chooseNamed(List<VerbsProvider> providers, String name)
            throws VerbsException {
        List<String> names = new ArrayList<>();
        for (VerbsProvider provider : providers) {
            if (provider.name().equals(name)) {
                Optional<String> unusable = provider.unusableReason();
                if (unusable.isPresent()) {
                    throw new VerbsException(
                            "choosing a provider", name + " is not usable: " + unusable.get());
                }
                return new ProviderSelection(provider, "asked for by name");
            }
            names.add(provider.name());
        }
        throw new VerbsException(
                "choosing a provider",
                "there is no provider " + name + "; there are: " + String.join(", ", names));
    }

    private static ProviderSelection chooseBest(List<VerbsProvider> providers)
            throws VerbsException {
        List<String> passedOver = new ArrayList<>();
        for (VerbsProvider provider : providers) {
            Optional<String> unusable = provider.unusableReason();
            if (unusable.isPresent()) {
                passedOver.add(provider.name() + ": " + unusable.get());
            } else if (provider.capabilities().contains(Capability.DEVICE_LIST)
                    && provider.devices().isEmpty()) {
                passedOver.add(provider.name() + ": no device");
            } else {
                String why =
                        passedOver.isEmpty()
                                ? "the best provider with a device"
                                : "passed over " + String.join("; ", passedOver);
                return new ProviderSelection(provider, why);
            }
        }
        throw new VerbsException(
                "choosing a provider",
                passedOver.isEmpty()
                        ? "the program contains no provider"
                        : "none is usable: " + String.join("; ", passedOver));
    }
}
