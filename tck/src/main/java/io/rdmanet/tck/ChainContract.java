package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of chains: posting requests together is as posting them one by one, whatever they
/// have in common or not, and however often the same are posted again.
public abstract class ChainContract extends VerbsContract {
    private static final long SEED = 29;
    private static final int DEPTH = 40;
    private static final int SLOT = 9000;
    private static final byte GUARD = 0x5a;

    /// Both sides of what some device may treat alike.
    private static final int[] LENGTHS = {
        0, 1, 8, 63, 64, 64, 64, 65, 1024, 2047, 2048, 4095, 4096, 4097, 8191, 8192, SLOT
    };

    @ParameterizedTest
    @CsvSource({
        "ALLOCATED, ALLOCATED, 1",
        "REGISTERED, ALLOCATED, 1",
        "ALLOCATED, REGISTERED, 1",
        "ALLOCATED, ALLOCATED, 2"
    })
    void deliversMixedLengthsWholeAndInOrder(MemoryKind from, MemoryKind to, int elements)
            throws Exception {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        ConnectedPair pair = connect(PairOptions.ofDepth(DEPTH, DEPTH).withScatterGather(elements));
        MemoryRegion source = pair.left().memory(from, (long) DEPTH * SLOT);
        MemoryRegion target = pair.right().memory(to, (long) DEPTH * SLOT);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, DEPTH);
        PostReceive receive = pair.right().prepareReceive(elements, DEPTH);
        int next = 0;
        for (int round = 0; round < 60; round++) {
            int count = 1 + random.nextInt(DEPTH - next);
            int[] lengths = new int[count];
            for (int i = 0; i < count; i++) {
                int slot = next + i;
                lengths[i] = LENGTHS[random.nextInt(LENGTHS.length)];
                Payload.fill(source.segment(), (long) slot * SLOT, lengths[i], round + i);
                send.request(slot)
                        .workRequestId(slot)
                        .flags(i == count - 1 ? SendFlags.SIGNALED : SendFlags.NONE)
                        .scatterGather(0, source, (long) slot * SLOT, lengths[i]);
                scatter(receive.request(slot).workRequestId(slot), elements, target, slot, random);
            }
            target.segment().fill(GUARD);

            assertThat(receive.execute(next, count)).isEqualTo(count);
            assertThat(send.execute(next, count)).isEqualTo(count);

            List<Completion> received = pair.right().receives().takeSuccesses(count);
            for (int i = 0; i < count; i++) {
                int slot = next + i;
                assertThat(received.get(i).id())
                        .as("round %d, message %d", round, i)
                        .isEqualTo(slot);
                assertThat(received.get(i).byteLength()).isEqualTo(lengths[i]);
                Payload.assertHolds(target.segment(), (long) slot * SLOT, lengths[i], round + i);
                Payload.assertUntouched(
                        target.segment(),
                        (long) slot * SLOT + lengths[i],
                        SLOT - lengths[i],
                        GUARD);
            }
            assertThat(pair.left().sends().takeSuccesses(1).getFirst().id())
                    .isEqualTo(next + count - 1);
            next = next + count == DEPTH ? 0 : next + count;
        }
    }

    /// One element, or two that lie beside each other, over a slot.
    private static void scatter(
            PostReceive receive, int elements, MemoryRegion target, int slot, Random random) {
        int first = elements == 1 ? SLOT : 1 + random.nextInt(SLOT - 1);
        receive.scatterGather(0, target, (long) slot * SLOT, first);
        if (elements > 1) {
            receive.scatterGather(1, target, (long) slot * SLOT + first, SLOT - first);
        }
    }

    /// Receives that are posted again as they are, and then again with one of them changed.
    @Test
    void findsReceivesAsTheyWereWhenTheyWerePostedLast() throws Exception {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        int depth = 8;
        ConnectedPair pair = connect(PairOptions.ofDepth(depth, depth));
        MemoryRegion source = pair.left().memory(64);
        MemoryRegion[] targets = {pair.right().memory(1024), pair.right().memory(1024)};
        Payload.fill(source.segment(), 0, 64, SEED);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, depth);
        PostReceive[] receives = {
            pair.right().prepareReceive(1, depth),
            pair.right().prepareReceive(1, depth - 1),
            pair.right().prepareReceive(1, depth + 3)
        };
        long[][] ids = new long[receives.length][depth + 3];
        MemoryRegion[][] regions = new MemoryRegion[receives.length][depth + 3];
        for (int i = 0; i < depth; i++) {
            send.request(i).flags(SendFlags.SIGNALED).scatterGather(0, source, 0, 64);
        }
        for (int round = 0; round < 400; round++) {
            // Rather the same call several times, round and round, than each in turn.
            int which = round / 40 % receives.length;
            PostReceive receive = receives[which];
            if (ids[which][0] == 0 || random.nextInt(30) == 0) {
                for (int i = 0; i < receive.capacity(); i++) {
                    ids[which][i] = random.nextLong();
                    regions[which][i] = targets[random.nextInt(2)];
                    receive.request(i)
                            .workRequestId(ids[which][i])
                            .scatterGather(0, regions[which][i], 64L * i, 64);
                }
            }
            if (random.nextInt(10) == 0) {
                int changed = random.nextInt(receive.capacity());
                ids[which][changed] = random.nextLong();
                receive.request(changed).workRequestId(ids[which][changed]);
            }
            int first = random.nextInt(receive.capacity());
            int count = 1 + random.nextInt(Math.min(depth, receive.capacity() - first));
            if (random.nextInt(3) > 0) {
                first = 0;
                count = Math.min(depth, receive.capacity());
            }

            for (MemoryRegion target : targets) {
                target.segment().fill(GUARD);
            }

            assertThat(receive.execute(first, count)).isEqualTo(count);
            assertThat(send.execute(0, count)).isEqualTo(count);

            List<Completion> received = pair.right().receives().takeSuccesses(count);
            for (int i = 0; i < count; i++) {
                assertThat(received.get(i).id())
                        .as("round %d, message %d", round, i)
                        .isEqualTo(ids[which][first + i]);
                Payload.assertHolds(
                        regions[which][first + i].segment(), 64L * (first + i), 64, SEED);
            }
            pair.left().sends().takeSuccesses(count);
        }
    }

    /// What comes before it has arrived, and nothing after it does.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 19})
    void endsAtTheMessageThatIsTooLongForItsReceive(int position) throws Exception {
        int count = 20;
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory((long) count * 128);
        MemoryRegion target = pair.right().memory((long) count * 64);
        pair.right().postReceives(count, target, 64);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, count);
        for (int i = 0; i < count; i++) {
            Payload.fill(source.segment(), i * 128L, 128, i);
            send.request(i)
                    .workRequestId(i)
                    .flags(SendFlags.SIGNALED)
                    .scatterGather(0, source, i * 128L, i == position ? 65 : 64);
        }

        assertThat(send.execute(0, count)).isEqualTo(count);

        List<Completion> sent = pair.left().sends().take(count);
        List<Completion> received = pair.right().receives().take(count);
        for (int i = 0; i < count; i++) {
            boolean isBefore = i < position;
            assertThat(sent.get(i).id()).isEqualTo(i);
            assertThat(sent.get(i).succeeded()).as("send %d", i).isEqualTo(isBefore);
            assertThat(received.get(i).id()).isEqualTo(i);
            assertThat(received.get(i).succeeded()).as("receive %d", i).isEqualTo(isBefore);
            if (isBefore) {
                Payload.assertHolds(target.segment(), i * 64L, 64, i);
            }
        }
    }

    @Test
    void goesOnWhereItFoundNoReceive() throws Exception {
        int count = 20;
        ConnectedPair pair = connect(PairOptions.defaults().withRnrRetryCount(7));
        MemoryRegion source = pair.left().memory(64);
        MemoryRegion target = pair.right().memory((long) count * 64);
        pair.right().postReceives(5, target, 64);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, count);
        for (int i = 0; i < count; i++) {
            send.request(i)
                    .workRequestId(i)
                    .flags(SendFlags.SIGNALED)
                    .scatterGather(0, source, 0, i);
        }

        assertThat(send.execute(0, count)).isEqualTo(count);
        for (int i = 5; i < count; i++) {
            pair.right().postReceive(i, target, i * 64L, 64);
        }

        List<Completion> received = pair.right().receives().takeSuccesses(count);
        assertThat(received).extracting(Completion::byteLength).isSorted().doesNotHaveDuplicates();
        assertThat(received).extracting(Completion::id).isSorted().doesNotHaveDuplicates();
        pair.left().sends().takeSuccesses(count);
    }
}
