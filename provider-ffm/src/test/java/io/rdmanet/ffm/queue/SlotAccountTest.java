package io.rdmanet.ffm.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.ReceiveWorkRequestDescriptor;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlotAccountTest {
    private final SlotAccount account =
            new SlotAccount(new FakeOwner("shared receive queue 1"), 3, 2);
    private final RequestChain chain =
            new RequestChain(account, 5, 2, ReceiveWorkRequestDescriptor.SIZE, 0);

    @AfterEach
    void close() {
        chain.close();
    }

    private int slot(int request) {
        return (int) NativeMemory.longAt(chain.request(request));
    }

    @Test
    void givesBackSlotsInAnyOrder() {
        for (int i = 0; i < 5; i++) {
            chain.identifiers()[i] = 100L + i;
        }
        assertThat(account.begin(chain, 0, 5)).isEqualTo(3);
        int first = slot(0);
        int second = slot(1);
        int third = slot(2);
        assertThat(account.outstanding()).isEqualTo(3);

        assertThat(account.complete(second)).isEqualTo(101);
        assertThat(account.begin(chain, 3, 2)).isEqualTo(1);
        assertThat(slot(3)).isEqualTo(second);
        assertThat(account.complete(third)).isEqualTo(102);
        assertThat(account.complete(first)).isEqualTo(100);
        assertThat(account.complete(second)).isEqualTo(103);

        assertThat(account.outstanding()).isZero();
        assertThat(account.begin(chain, 0, 5)).isEqualTo(3);
    }

    @Test
    void takesACompletionThatComesTwiceOnce() {
        account.begin(chain, 0, 1);
        int slot = slot(0);

        account.complete(slot);
        account.complete(slot);

        assertThat(account.begin(chain, 0, 5)).isEqualTo(3);
        assertThat(account.begin(chain, 0, 1)).isZero();
    }

    @Test
    void takesBackWhatWasNotPosted() {
        account.begin(chain, 0, 3);

        account.withdraw(chain, 1, 2);

        assertThat(account.outstanding()).isEqualTo(1);
        assertThat(account.begin(chain, 3, 2)).isEqualTo(2);
    }

    @Test
    void knowsWhichRegionsAreInUse() {
        NamedResource left = new NamedResource();
        NamedResource right = new NamedResource();
        chain.scatterGather(0, 0, left, 1, 1, 1);
        chain.scatterGather(1, 0, left, 1, 1, 1);
        chain.scatterGather(1, 1, right, 1, 1, 1);
        account.begin(chain, 0, 2);

        account.complete(slot(0));
        assertThatThrownBy(() -> left.close("dereg_mr"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shared receive queue 1");
        assertThatThrownBy(() -> right.close("dereg_mr")).isInstanceOf(IllegalStateException.class);
        account.complete(slot(1));

        left.close("dereg_mr");
        right.close("dereg_mr");
    }

    @Test
    void losesNoSlotWhenTwoThreadsCompleteAtOnce() throws Exception {
        SlotAccount large = new SlotAccount(new FakeOwner("srq"), 64, 1);
        RequestChain requests =
                new RequestChain(large, 64, 1, ReceiveWorkRequestDescriptor.SIZE, 0);
        for (int round = 0; round < 2_000; round++) {
            assertThat(large.begin(requests, 0, 64)).as("round %d", round).isEqualTo(64);
            FutureTask<Void> odd =
                    new FutureTask<>(() -> {
                        completeEverySecond(large, 1);
                        return null;
                    });
            Thread.ofVirtual().start(odd);
            completeEverySecond(large, 0);
            odd.get();
        }
        requests.close();
    }

    private static void completeEverySecond(SlotAccount account, int from) {
        for (int slot = from; slot < 64; slot += 2) {
            account.complete(slot);
        }
    }
}
