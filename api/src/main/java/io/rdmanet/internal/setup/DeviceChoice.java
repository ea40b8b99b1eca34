package io.rdmanet.internal.setup;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.ArrayList;
import java.util.List;

/// A device that was asked for by name.
final class DeviceChoice {
    private DeviceChoice() {}

    /// Refuses a device that the provider does not list. Whoever names a card may have got another
    /// provider than the one that reaches cards, so the message says why it was this one.
    static void require(ProviderSelection selection, String name) throws VerbsException {
        VerbsProvider provider = selection.provider();
        if (!provider.capabilities().contains(Capability.DEVICE_LIST)) {
            return;
        }
        List<String> names = new ArrayList<>();
        for (DeviceDescription device : provider.devices()) {
            names.add(device.name());
        }
        if (!names.contains(name)) {
            throw new VerbsException(
                    "choosing the device",
                    "provider "
                            + provider.name()
                            + " has no device "
                            + name
                            + "; it has: "
                            + (names.isEmpty() ? "none" : String.join(", ", names))
                            + "; why "
                            + provider.name()
                            + ": "
                            + selection.reason());
        }
    }
}
