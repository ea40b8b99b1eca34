package io.rdmanet.internal.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.PeerGoneException;
import io.rdmanet.RawOptions;
import io.rdmanet.RawProgress;
import io.rdmanet.RawVerb;
import io.rdmanet.internal.frame.HelloDescriptor.RawHello;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.internal.setup.Rendezvous;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import io.rdmanet.verbs.WorkCompletionException;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The sending loops over a queue pair that is made up: it takes as many sends as a test says, and
/// completes them in irregular portions.
final class RawSenderTest {
    private static final long SEED = 20261129;

    private final Random random = new Random(SEED);
    private final Deque<Sent> inFlight = new ArrayDeque<>();
    private final List<Sent> completed = new ArrayList<>();
    private final List<Integer> slots = new ArrayList<>();
    private int queueLength = Integer.MAX_VALUE;
    private int mostInFlight;
    private boolean isCutOff;
    private long failAt = -1;
    private long polledSends;

    /// A send as it was posted.
    private record Sent(int slot, long identifier, int flags) {}

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private PostSend postSend() {
        Map<Integer, Sent> requests = new HashMap<>();
        int[] cursor = new int[1];
        return fake(
                PostSend.class,
                (proxy, method, arguments) -> {
                    Sent now = requests.getOrDefault(cursor[0], new Sent(cursor[0], 0, 0));
                    switch (method.getName()) {
                        case "request" -> cursor[0] = (Integer) arguments[0];
                        case "flags" ->
                                requests.put(
                                        cursor[0],
                                        new Sent(
                                                cursor[0],
                                                now.identifier(),
                                                (Integer) arguments[0]));
                        case "workRequestId" ->
                                requests.put(
                                        cursor[0],
                                        new Sent(cursor[0], (Long) arguments[0], now.flags()));
                        case "execute" -> {
                            return execute(
                                    requests, (Integer) arguments[0], (Integer) arguments[1]);
                        }
                        case "close" -> {
                            return null;
                        }
                        default -> {}
                    }
                    return proxy;
                });
    }

    private int execute(Map<Integer, Sent> requests, int first, int count) {
        int accepted = 0;
        while (accepted < count && inFlight.size() < queueLength) {
            int slot = first + accepted;
            inFlight.add(requests.getOrDefault(slot, new Sent(slot, 0, 0)));
            slots.add(slot);
            accepted++;
        }
        mostInFlight = Math.max(mostInFlight, inFlight.size());
        return accepted;
    }

    private PollCompletions poll() {
        return fake(
                PollCompletions.class,
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "execute" -> complete();
                            case "workRequestId" ->
                                    completed.get((Integer) arguments[0]).identifier();
                            case "succeeded" -> failAt < 0 || polledSends < failAt;
                            case "status" -> CompletionStatus.LOCAL_PROTECTION_ERROR;
                            case "statusCode" -> 4;
                            case "vendorError", "queuePairNumber" -> 0;
                            default -> throw new UnsupportedOperationException(method.toString());
                        });
    }

    /// Unsignaled sends complete unseen, and give their room back with the next signaled one.
    private int complete() {
        completed.clear();
        if (isCutOff) {
            return 0;
        }
        int portion = random.nextInt(4);
        while (completed.size() < portion
                && inFlight.stream().anyMatch(sent -> (sent.flags() & SendFlags.SIGNALED) != 0)) {
            Sent sent = inFlight.remove();
            polledSends++;
            if ((sent.flags() & SendFlags.SIGNALED) != 0) {
                completed.add(sent);
            }
        }
        return completed.size();
    }

    private RawSender sender(int depth, int buffers) throws IOException {
        RawOptions options =
                RawOptions.defaults().withTransmitDepth(depth).withBufferCount(buffers);
        QueuePair queuePair =
                fake(
                        QueuePair.class,
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "preparePostSend" -> {
                                        assertThat(arguments[0]).isInstanceOf(SendShape.class);
                                        yield postSend();
                                    }
                                    case "preparePostReceive" -> postReceive();
                                    case "capacity" -> QueuePairCapacity.of(1, 1);
                                    case "number" -> 7;
                                    default -> null;
                                });
        RawQueues queues =
                RawQueues.create(rendezvous(queuePair), depth, true, new RawProbe(false));
        RawGate gate = new RawGate();
        IdleWatch watch = new IdleWatch(link(), gate, 5_000_000_000L);
        RawGreeting.Outcome greeting =
                new RawGreeting.Outcome(
                        options, region(), new RawHello(0, 0, 0, 0, depth, 1, buffers, true, 7));
        return new RawSender(queues, greeting, new RawLayout(options), watch, gate);
    }

    private static PostReceive postReceive() {
        return fake(
                PostReceive.class,
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "execute" -> 1;
                            case "close" -> null;
                            default -> proxy;
                        });
    }

    private static MemoryRegion region() {
        return fake(MemoryRegion.class, (proxy, method, arguments) -> null);
    }

    private Link link() {
        return fake(
                Link.class,
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "isPeerGone" -> false;
                            case "isPortDown" -> isCutOff;
                            case "route" -> "sent by port 1 (now DOWN)";
                            case "remoteAddress" -> new InetSocketAddress(1);
                            default -> null;
                        });
    }

    private Rendezvous rendezvous(QueuePair queuePair) {
        VerbsProvider provider = fake(VerbsProvider.class, (proxy, method, arguments) -> Set.of());
        CompletionQueue queue = fake(CompletionQueue.class, (proxy, method, arguments) -> poll());
        ProtectionDomain domain =
                fake(ProtectionDomain.class, (proxy, method, arguments) -> region());
        DeviceAttributes device =
                new DeviceAttributes(0, "", 1, 1 << 20, 1, 1, 1 << 20, 9, 1 << 20, 0, 1, 1);
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
        return fake(
                Rendezvous.class,
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "selection" -> new ProviderSelection(provider, "a test's");
                            case "context" -> context;
                            case "createQueuePair" -> queuePair;
                            default -> null;
                        });
    }

    private void assertSlotsGoRound(int ringLength) {
        for (int i = 0; i < slots.size(); i++) {
            assertThat(slots.get(i)).isEqualTo(i % ringLength);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1",
        "1, 1, 10",
        "2, 1, 7",
        "3, 3, 100",
        "4, 3, 100",
        "5, 4, 99",
        "16, 16, 1000",
        "16, 5, 1000",
        "127, 100, 1000",
        "128, 128, 127",
        "128, 128, 128",
        "128, 128, 129"
    })
    void sendsEveryMessageFromItsSlotAndKeepsToTheDepth(int depth, int buffers, int count)
            throws IOException {
        int ringLength = (depth + buffers - 1) / buffers * buffers;
        for (boolean isChained : new boolean[] {false, true}) {
            slots.clear();
            mostInFlight = 0;
            long[] told = new long[2];
            RawProgress progress =
                    (done, posted) -> {
                        assertThat(done).isGreaterThan(told[0]).isLessThanOrEqualTo(posted);
                        told[0] = done;
                        told[1] = posted;
                        return true;
                    };
            RawSender sender = sender(depth, buffers);
            long sent =
                    isChained
                            ? sender.pipelineBatch(RawVerb.SEND, count, 1, progress)
                            : sender.pipeline(RawVerb.SEND, 0, count, 1, progress);
            assertThat(sent).as("seed %d", SEED).isEqualTo(count);
            assertThat(told).containsExactly(count, count);
            assertThat(inFlight).isEmpty();
            assertThat(slots).hasSize(count);
            assertSlotsGoRound(ringLength);
            assertThat(mostInFlight).isLessThanOrEqualTo(depth);
        }
    }

    @ParameterizedTest
    @CsvSource({"16, 1", "16, 4", "16, 5", "16, 7", "16, 15", "5, 1", "128, 33"})
    void takesAFullQueueForBackPressure(int depth, int room) throws IOException {
        queueLength = room;
        assertThat(sender(depth, depth).pipeline(RawVerb.SEND, 0, 500, 1, RawProgress.NONE))
                .isEqualTo(500);
        assertThat(mostInFlight).isLessThanOrEqualTo(room);
    }

    @ParameterizedTest
    @CsvSource({"16, 4", "16, 8", "16, 12", "5, 1", "128, 64"})
    void takesAFullQueueForBackPressureBetweenChains(int depth, int room) throws IOException {
        queueLength = room;
        assertThat(sender(depth, depth).pipelineBatch(RawVerb.SEND, 500, 1, RawProgress.NONE))
                .isEqualTo(500);
        assertThat(mostInFlight).isLessThanOrEqualTo(room);
    }

    @Test
    void failsRatherThanWaitForNothingIfTheQueueIsFullOfUnsignaledSends() throws IOException {
        queueLength = 3;
        RawSender sender = sender(16, 16);
        assertThatThrownBy(() -> sender.pipelineBatch(RawVerb.SEND, 500, 1, RawProgress.NONE))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("smaller than it says");
    }

    @Test
    void endsEarlyOnlyWhenWhatIsInFlightHasCompleted() throws IOException {
        RawSender sender = sender(16, 16);
        long sent = sender.pipelineBatch(RawVerb.SEND, 1_000_000, 1, (done, posted) -> done < 100);
        assertThat(sent).isBetween(100L, 132L).isEqualTo(slots.size());
        assertThat(inFlight).isEmpty();
    }

    @Test
    void failsWithTheFirstFailedCompletion() throws IOException {
        failAt = 50;
        RawSender sender = sender(16, 16);
        assertThatThrownBy(() -> sender.pipeline(RawVerb.SEND, 0, 500, 1, RawProgress.NONE))
                .isInstanceOf(WorkCompletionException.class)
                .hasMessageContaining("LOCAL_PROTECTION_ERROR");
    }

    @Test
    void givesUpBeforeItsDeadlineWhenItsPortIsDownAndNothingIsAnswered() throws IOException {
        isCutOff = true;
        RawSender sender = sender(16, 16);
        assertThatThrownBy(() -> sender.pipeline(RawVerb.SEND, 0, 500, 1, RawProgress.NONE))
                .isInstanceOf(PeerGoneException.class)
                .hasMessageContaining("is cut off")
                .hasMessageContaining("(now DOWN)");
    }
}
