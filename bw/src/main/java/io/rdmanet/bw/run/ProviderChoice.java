package io.rdmanet.bw.run;

import io.rdmanet.bw.run.ComparisonResult.LeftOut;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which providers a comparison measures, and where each can be reached.
///
/// @param usable those to be measured
/// @param leftOut those that cannot be, and why
record ProviderChoice(List<VerbsProvider> usable, List<LeftOut> leftOut) {
    private static final String LOOPBACK_ADDRESS = "127.0.0.1";

    /// Those that were named come in the order of their names.
    ///
    /// @param installed what there is
    /// @param names what is wanted; empty for all
    /// @throws IllegalArgumentException if a name is not among them
    static ProviderChoice of(List<VerbsProvider> installed, List<String> names) {
        List<String> known = installed.stream().map(VerbsProvider::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no provider "
                                + name
                                + "; there are: "
                                + String.join(", ", known));
            }
        }
        List<VerbsProvider> usable = new ArrayList<>();
        List<LeftOut> leftOut = new ArrayList<>();
        for (VerbsProvider provider : wanted(installed, names)) {
            Optional<String> reason = reasonAgainst(provider);
            if (reason.isPresent()) {
                leftOut.add(new LeftOut(provider.name(), reason.get()));
            } else {
                usable.add(provider);
            }
        }
        return new ProviderChoice(usable, leftOut);
    }

    private static List<VerbsProvider> wanted(List<VerbsProvider> installed, List<String> names) {
        return names.isEmpty()
                ? installed
                : names.stream()
                        .distinct()
                        .flatMap(name ->
                                installed.stream().filter(provider -> provider.name().equals(name)))
                        .toList();
    }

    private static Optional<String> reasonAgainst(VerbsProvider provider) {
        Optional<String> unusable = provider.unusableReason();
        if (unusable.isPresent()) {
            return unusable;
        }
        try {
            return provider.capabilities().contains(Capability.DEVICE_LIST)
                            && provider.devices().isEmpty()
                    ? Optional.of("no device")
                    : Optional.empty();
        } catch (VerbsException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// An IP address of the provider's first device, for both ends on this machine. A provider that
    /// does not tell gets that of another one's device, since both may drive the same; else it is
    /// the loopback address.
    static String addressOf(VerbsProvider provider, List<VerbsProvider> installed) {
        String own = addressOf(provider);
        if (!own.equals(LOOPBACK_ADDRESS)
                || provider.capabilities().contains(Capability.GID_CHOICE)) {
            return own;
        }
        return installed.stream()
                .filter(other -> reasonAgainst(other).isEmpty())
                .map(ProviderChoice::addressOf)
                .filter(address -> !address.equals(LOOPBACK_ADDRESS))
                .findFirst()
                .orElse(LOOPBACK_ADDRESS);
    }

    private static String addressOf(VerbsProvider provider) {
        if (!provider.capabilities().contains(Capability.GID_CHOICE)) {
            return LOOPBACK_ADDRESS;
        }
        try (Context context = provider.open(provider.devices().getFirst().name())) {
            for (GidEntry entry : context.gidTable(1)) {
                if (entry.gid().isIpv4Mapped() && !entry.gid().isLoopback()) {
                    return entry.gid().toAddress().getHostAddress();
                }
            }
        } catch (VerbsException e) {
            // The run itself will say what is wrong.
        }
        return LOOPBACK_ADDRESS;
    }
}
