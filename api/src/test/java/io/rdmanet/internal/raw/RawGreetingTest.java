package io.rdmanet.internal.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.RawOptions;
import io.rdmanet.internal.frame.HelloDescriptor;
import io.rdmanet.internal.frame.HelloDescriptor.RawHello;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.internal.setup.Rendezvous;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.VerbsProvider;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What each end makes of the other's HELLO, over a device that is made up: what is sent goes
/// nowhere, and the tests write what arrives.
final class RawGreetingTest {
    private static final int DEPTH = 16;
    private static final RawOptions OPTIONS =
            RawOptions.defaults().withTransmitDepth(DEPTH).withMaxMessageBytes(4096);

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static MemoryRegion region(long bytes) {
        MemorySegment segment = MemorySegment.ofArray(new byte[(int) bytes]);
        return fake(
                MemoryRegion.class,
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "segment" -> segment;
                            case "length" -> segment.byteSize();
                            case "address" -> 0x1000L;
                            case "remoteKey" -> 5;
                            default -> null;
                        });
    }

    private static PollCompletions poll() {
        return fake(
                PollCompletions.class,
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "execute" -> 1;
                            case "succeeded" -> true;
                            case "byteLength" -> HelloDescriptor.LENGTH;
                            case "hasImmediate" -> true;
                            case "immediate" -> HelloDescriptor.HEADER;
                            default -> throw new UnsupportedOperationException(method.toString());
                        });
    }

    /// Takes whatever is posted.
    private static <T> T post(Class<T> type) {
        return fake(
                type,
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "execute" -> 1;
                            case "close" -> null;
                            default -> proxy;
                        });
    }

    private static RawQueues queues(boolean isDialling) throws IOException {
        VerbsProvider provider = fake(VerbsProvider.class, (proxy, method, arguments) -> Set.of());
        CompletionQueue queue = fake(CompletionQueue.class, (proxy, method, arguments) -> poll());
        ProtectionDomain domain =
                fake(
                        ProtectionDomain.class,
                        (proxy, method, arguments) ->
                                method.getName().equals("allocate")
                                        ? region((Long) arguments[0])
                                        : null);
        QueuePair queuePair =
                fake(
                        QueuePair.class,
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "preparePostSend" -> post(PostSend.class);
                                    case "preparePostReceive" -> post(PostReceive.class);
                                    default -> null;
                                });
        DeviceAttributes device = new DeviceAttributes(0, "", 1, 99, 1, 1, 99, 9, 1 << 20, 0, 1, 1);
        Context context =
                fake(
                        Context.class,
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "queryDevice" -> device;
                                    case "allocateProtectionDomain" -> domain;
                                    case "createCompletionQueue" -> queue;
                                    default -> "fake0";
                                });
        Rendezvous rendezvous =
                fake(
                        Rendezvous.class,
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "selection" -> new ProviderSelection(provider, "a test's");
                                    case "context" -> context;
                                    case "createQueuePair" -> queuePair;
                                    default -> null;
                                });
        return RawQueues.create(rendezvous, DEPTH, isDialling, new RawProbe(false));
    }

    private static RawGreeting greeting(RawQueues queues) {
        Link link =
                fake(
                        Link.class,
                        (proxy, method, arguments) ->
                                method.getName().equals("remoteAddress")
                                        ? new InetSocketAddress(1)
                                        : false);
        return new RawGreeting(queues, link, Deadline.after(Duration.ofSeconds(5)));
    }

    private static void arrive(RawQueues queues, RawHello hello) {
        HelloDescriptor.write(queues.control().segment(), RawQueues.CONTROL_RECEIVE_OFFSET, hello);
    }

    private static RawHello sent(RawQueues queues) {
        return HelloDescriptor.readRaw(queues.control().segment(), 0);
    }

    private static RawHello hello(int depth, int bytes, int buffers, boolean keeps) {
        return new RawHello(0, 0x2000, 6, 1 << 20, depth, bytes, buffers, keeps, 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tellsTheListeningEndWhetherMessagesAreKept(boolean keeps) throws IOException {
        RawQueues queues = queues(true);
        arrive(queues, hello(DEPTH, 4096, DEPTH, keeps));

        RawOptions options = OPTIONS.withKeepsMessages(keeps);
        assertThat(greeting(queues).dial(options).options()).isEqualTo(options);
        assertThat(sent(queues).keepsMessages()).isEqualTo(keeps);
        assertThat(sent(queues).transmitDepth()).isEqualTo(DEPTH);
    }

    @ParameterizedTest
    @CsvSource({
        "17, 4096, 16, true",
        "16, 4097, 16, true",
        "16, 4096, 15, true",
        "16, 4096, 16, false"
    })
    void refusesAnAnswerToWhatItDidNotAsk(int depth, int bytes, int buffers, boolean keeps)
            throws IOException {
        RawQueues queues = queues(true);
        arrive(queues, hello(depth, bytes, buffers, keeps));

        assertThatThrownBy(() -> greeting(queues).dial(OPTIONS))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("answered what it was not asked");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void followsTheDiallingEnd(boolean keeps) throws IOException {
        RawQueues queues = queues(false);
        arrive(queues, hello(DEPTH, 100, DEPTH, keeps));
        RawOptions own = OPTIONS.withKeepsMessages(!keeps).withProbesTime(true);

        RawGreeting greeting = greeting(queues);
        RawGreeting.Outcome asked = greeting.hear(own);
        greeting.answer(asked);

        assertThat(asked.options())
                .isEqualTo(own.withMaxMessageBytes(100).withKeepsMessages(keeps));
        assertThat(asked.region().length()).isEqualTo((keeps ? DEPTH + 2 : DEPTH) * 128L);
        assertThat(sent(queues).keepsMessages()).isEqualTo(keeps);
        assertThat(sent(queues).regionLength()).isEqualTo(asked.region().length());
    }

    @Test
    void answersADepthThatItsQueuesDoNotHaveWithANo() throws IOException {
        RawQueues queues = queues(false);
        arrive(queues, hello(DEPTH + 1, 100, 1, false));

        assertThatThrownBy(() -> greeting(queues).hear(OPTIONS))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("a transmit depth of 17 is more than was announced");
        assertThat(sent(queues).regionLength()).isZero();
    }
}
