package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.VerbsException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of [Context]: a device, its limits, ports and GIDs, and what is made from it.
public abstract class ContextContract extends VerbsContract {
    @Test
    void namesItsProviderAndDevice() throws Exception {
        Context context = openContext();

        assertThat(context.provider().name()).isEqualTo(provider().name());
        assertThat(context.deviceName()).isNotBlank();
    }

    @Test
    void tellsLimitsThatAllowWork() throws Exception {
        DeviceAttributes device = openContext().queryDevice();

        assertThat(device.maxQueuePairs()).isPositive();
        assertThat(device.maxWorkRequests()).isPositive();
        assertThat(device.maxScatterGather()).isPositive();
        assertThat(device.maxCompletionQueues()).isPositive();
        assertThat(device.maxCompletionQueueEntries()).isPositive();
        assertThat(device.maxMemoryRegions()).isPositive();
        assertThat(device.maxMemoryRegionBytes()).isPositive();
        assertThat(device.maxInlineData()).isNotNegative();
        assertThat(device.physicalPorts()).isPositive();
        assertThat(device.firmware()).isNotNull();
        if (provider().capabilities().contains(Capability.ONE_SIDED)) {
            assertThat(device.maxReadAtomic()).isPositive();
        }
        if (provider().capabilities().contains(Capability.INLINE_DATA)) {
            assertThat(device.maxInlineData()).isPositive();
        }
    }

    @Test
    void tellsTheStateOfEachPort() throws Exception {
        Context context = openContext();
        for (int port = 1; port <= context.queryDevice().physicalPorts(); port++) {
            PortAttributes attributes = context.queryPort(port);

            assertThat(attributes.linkLayer()).isNotNull();
            assertThat(PathMtu.min(attributes.activeMtu(), attributes.maxMtu()))
                    .isEqualTo(attributes.activeMtu());
            assertThat(attributes.gidTableLength()).isNotNegative();
            assertThat(attributes.maxMessageBytes()).isPositive();
            assertThat(attributes.linkGigabitsPerSecond()).isNotNegative();
        }
    }

    @Test
    void hasAnActiveFirstPort() throws Exception {
        assertThat(openContext().queryPort(1).state()).isEqualTo(PortState.ACTIVE);
    }

    @Test
    void refusesPortsThatDoNotExist() throws Exception {
        Context context = openContext();
        int beyond = context.queryDevice().physicalPorts() + 1;

        assertRefused(() -> context.queryPort(0));
        assertRefused(() -> context.queryPort(beyond));
    }

    @Test
    void listsTheUsedEntriesOfTheGidTable() throws Exception {
        assume(Capability.GID_CHOICE);
        Context context = openContext();

        List<GidEntry> table = context.gidTable(1);

        assertThat(table).isNotEmpty();
        assertThat(table).extracting(GidEntry::index).doesNotHaveDuplicates().isSorted();
        assertThat(table)
                .allMatch(entry -> !entry.gid().isZero())
                .allMatch(entry -> entry.index() >= 0)
                .allMatch(entry -> entry.index() < tableLength(context));
        assertThat(context.gidTable(1)).isEqualTo(table);
    }

    private static int tableLength(Context context) {
        try {
            return context.queryPort(1).gidTableLength();
        } catch (VerbsException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void countsNothingNegative() throws Exception {
        assertThat(openContext().hardwareCounters().values())
                .allMatch(count -> count >= 0, "not negative");
    }

    @Test
    void hasNoAsyncEventAtFirst() throws Exception {
        assume(Capability.ASYNC_EVENTS, Capability.DEVICE_CHOICE);

        assertThat(openContext().pollAsyncEvent()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16, 100, 1000})
    void createsCompletionQueuesOfAtLeastTheCapacityAskedFor(int capacity) throws Exception {
        Context context = openContext();

        CompletionQueue queue = closing(context.createCompletionQueue(capacity, null));

        assertThat(queue.capacity()).isGreaterThanOrEqualTo(capacity);
        assertThat(queue.channel()).isNull();
        assertThat(queue.context()).isSameAs(context);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesCompletionQueuesWithoutCapacity(int capacity) throws Exception {
        Context context = openContext();

        assertThatThrownBy(() -> context.createCompletionQueue(capacity, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesACompletionQueueBeyondTheDevicesLimit() throws Exception {
        Context context = openContext();
        int limit = context.queryDevice().maxCompletionQueueEntries();
        skipUnless(limit < Integer.MAX_VALUE, "the device has no limit of entries");

        assertRefused(() -> context.createCompletionQueue(limit + 1, null));
    }

    @Test
    void refusesToCloseWhileAProtectionDomainIsOpen() throws Exception {
        assume(Capability.DEVICE_LIST, Capability.DEVICE_CHOICE);
        Context context = openContext();
        ProtectionDomain domain = closing(context.allocateProtectionDomain());

        assertThatThrownBy(context::close).isInstanceOf(IllegalStateException.class);

        assertThat(context.queryDevice().physicalPorts()).isPositive();
        domain.close();
        context.close();
    }

    @Test
    void refusesToCloseWhileACompletionQueueIsOpen() throws Exception {
        assume(Capability.DEVICE_LIST, Capability.DEVICE_CHOICE);
        Context context = openContext();
        CompletionQueue queue = closing(context.createCompletionQueue(1, null));

        assertThatThrownBy(context::close).isInstanceOf(IllegalStateException.class);

        queue.close();
        context.close();
    }

    @Test
    void refusesToCloseWhileACompletionChannelIsOpen() throws Exception {
        assume(Capability.DEVICE_LIST, Capability.DEVICE_CHOICE, Capability.COMPLETION_CHANNEL);
        Context context = openContext();
        CompletionChannel channel = closing(context.createCompletionChannel());

        assertThatThrownBy(context::close).isInstanceOf(IllegalStateException.class);

        channel.close();
        context.close();
    }

    @Test
    void closesAnyNumberOfTimes() throws Exception {
        assume(Capability.DEVICE_LIST, Capability.DEVICE_CHOICE);
        Context context = openContext();

        context.close();
        context.close();
    }

    @Test
    void failsLoudlyAfterItWasClosed() throws Exception {
        assume(Capability.DEVICE_LIST, Capability.DEVICE_CHOICE);
        Context context = openContext();

        context.close();

        assertThatThrownBy(context::allocateProtectionDomain)
                .isInstanceOfAny(IllegalStateException.class, VerbsException.class);
        assertThatThrownBy(() -> context.createCompletionQueue(1, null))
                .isInstanceOfAny(IllegalStateException.class, VerbsException.class);
    }

    private static void assertRefused(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable attempt) {
        assertThatThrownBy(attempt)
                .isInstanceOfAny(IllegalArgumentException.class, VerbsException.class);
    }
}
