package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The contract of [VerbsProvider].
public abstract class VerbsProviderContract extends VerbsContract {
    @Test
    void hasALowerCaseName() {
        assertThat(provider().name()).matches("[a-z][a-z0-9-]*").isNotEqualTo("auto");
    }

    @Test
    void isFoundByServiceLoader() {
        assertThat(ProviderSelection.installed())
                .extracting(VerbsProvider::name)
                .containsOnlyOnce(provider().name());
    }

    @Test
    void isChosenByName() throws Exception {
        ProviderSelection selection =
                ProviderSelection.choose(ProviderSelection.installed(), provider().name());

        assertThat(selection.provider().name()).isEqualTo(provider().name());
        assertThat(selection.reason()).isNotBlank();
    }

    @Test
    void answersTheSameEachTime() {
        VerbsProvider provider = provider();

        assertThat(provider.unusableReason()).isEqualTo(provider.unusableReason());
        assertThat(provider.capabilities()).isEqualTo(provider().capabilities());
        assertThat(provider.priority()).isEqualTo(provider().priority());
    }

    @Test
    void keepsItsCapabilitiesFromBeingChanged() {
        VerbsProvider provider = provider();
        Set<Capability> before = EnumSet.noneOf(Capability.class);
        before.addAll(provider.capabilities());

        try {
            provider.capabilities().clear();
        } catch (UnsupportedOperationException expected) {
            // an unmodifiable set; a fresh copy is as good
        }

        assertThat(provider.capabilities()).isEqualTo(before);
    }

    @Test
    void requireNamesProviderCapabilityAndAlternative() {
        VerbsProvider provider = provider();
        for (Capability missing : EnumSet.complementOf(copyOf(provider.capabilities()))) {
            assertThatThrownBy(() -> provider.require(missing))
                    .isInstanceOfSatisfying(
                            UnsupportedCapabilityException.class,
                            e -> {
                                assertThat(e.provider()).isEqualTo(provider.name());
                                assertThat(e.capability()).isEqualTo(missing);
                            })
                    .hasMessageContaining(provider.name())
                    .hasMessageContaining(missing.description())
                    .hasMessageContaining(provider.alternativeTo(missing));
        }
    }

    @Test
    void requireAcceptsWhatTheProviderHas() throws Exception {
        for (Capability capability : provider().capabilities()) {
            provider().require(capability);
        }
    }

    @Test
    void listsDevicesByDistinctNamesIfItCan() throws Exception {
        List<DeviceDescription> devices = provider().devices();

        assertThat(devices.isEmpty())
                .as("no device, of %s", devices)
                .isNotEqualTo(provider().capabilities().contains(Capability.DEVICE_LIST));
        assertThat(devices).extracting(DeviceDescription::name).doesNotHaveDuplicates();
        assertThat(devices).allMatch(device -> !device.name().isBlank());
    }

    @Test
    void opensEachListedDeviceByName() throws Exception {
        assume(Capability.DEVICE_LIST, Capability.DEVICE_CHOICE);
        for (DeviceDescription device : provider().devices()) {
            try (Context context = provider().open(device.name())) {
                assertThat(context.deviceName()).isEqualTo(device.name());
                assertThat(context.provider().name()).isEqualTo(provider().name());
            }
        }
    }

    @Test
    void opensOneDeviceTwice() throws Exception {
        assume(Capability.DEVICE_LIST, Capability.DEVICE_CHOICE);
        Context first = closing(provider().open(firstDevice()));
        Context second = closing(provider().open(firstDevice()));

        first.close();

        assertThat(second.queryDevice().physicalPorts()).isPositive();
    }

    @Test
    void refusesADeviceThatDoesNotExistNamingIt() {
        assume(Capability.DEVICE_CHOICE);

        assertThatThrownBy(() -> provider().open("no-such-device"))
                .isInstanceOf(VerbsException.class)
                .isNotInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("no-such-device");
    }

    @Test
    void opensConnectionManagersSideBySide() throws Exception {
        assume(Capability.CONNECTION_MANAGER);
        ConnectionManager first = closing(provider().openConnectionManager());
        ConnectionManager second = closing(provider().openConnectionManager());

        assertThat(first.provider().name()).isEqualTo(provider().name());
        first.close();
        first.close();

        closing(second.listen(socketAddress(), 1));
    }

    private static EnumSet<Capability> copyOf(Set<Capability> capabilities) {
        EnumSet<Capability> copy = EnumSet.noneOf(Capability.class);
        copy.addAll(capabilities);
        return copy;
    }
}
