package io.rdmanet.internal.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.internal.setup.Fakes.FakeProvider;
import io.rdmanet.internal.setup.Fakes.FakeQueuePair;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

final class DeviceWatchTest {
    private final FakeProvider provider = new FakeProvider();
    private final Context context = provider.context("fake0");

    private void happens(AsyncEvent.Type type) {
        provider.asyncEvents.add(new AsyncEvent(type, 0));
    }

    @Test
    void takesEveryEventAndKnowsTheLossAmongThem() {
        DeviceWatch watch = DeviceWatch.of(context);
        assertThat(watch.isLost(context)).isFalse();
        happens(AsyncEvent.Type.COMPLETION_QUEUE_ERROR);
        happens(AsyncEvent.Type.PORT_ERROR);
        assertThat(watch.isLost(context)).isFalse();
        assertThat(provider.asyncEvents).isEmpty();

        happens(AsyncEvent.Type.DEVICE_FATAL);
        happens(AsyncEvent.Type.PORT_ACTIVE);

        assertThat(watch.isLost(context)).isTrue();
        assertThat(watch.isLost(context)).isTrue();
    }

    @Test
    void tellsAllThatShareAContextAndNobodyElse() {
        Context other = provider.context("mlx5_1");
        happens(AsyncEvent.Type.DEVICE_FATAL);
        assertThat(DeviceWatch.of(context).isLost(context)).isTrue();

        assertThat(DeviceWatch.of(context).isLost(context)).isTrue();
        assertThat(DeviceWatch.of(other).isLost(other)).isFalse();
    }

    @Test
    void asksNoProviderThatHasNoSuchEvents() {
        provider.capabilities = EnumSet.complementOf(EnumSet.of(Capability.ASYNC_EVENTS));
        happens(AsyncEvent.Type.DEVICE_FATAL);

        assertThat(DeviceWatch.of(context).isLost(context)).isFalse();
        assertThat(provider.asyncEvents).hasSize(1);
    }

    /// rdma_cm tells of a device's removal, but not of its failure, and of no overrun.
    @Test
    void isAskedByConnectionsOfTheConnectionManager() throws Exception {
        ConnectionIdentifier identifier =
                Fakes.fake(
                        ConnectionIdentifier.class,
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "context" -> context;
                                    case "portNumber" -> 1;
                                    case "localAddress", "remoteAddress" ->
                                            new InetSocketAddress(
                                                    InetAddress.getLoopbackAddress(), 1);
                                    case "pollEvent", "disconnect", "close" -> null;
                                    default -> throw Fakes.notFaked(method);
                                });
        ConnectionManager manager =
                Fakes.fake(
                        ConnectionManager.class,
                        (proxy, method, arguments) -> {
                            throw Fakes.notFaked(method);
                        });
        try (Link link =
                new ConnectionManagerLink(
                        provider.selection(),
                        new SharedResource<>(manager, () -> {}),
                        identifier,
                        new FakeQueuePair(1).queuePair)) {
            happens(AsyncEvent.Type.COMPLETION_QUEUE_ERROR);
            assertThat(link.isPeerGone()).isFalse();
            assertThat(provider.asyncEvents).isEmpty();
            happens(AsyncEvent.Type.DEVICE_FATAL);
            assertThat(link.isPeerGone()).isTrue();
            assertThat(link.howGone()).contains("fake0");
        }
    }
}
