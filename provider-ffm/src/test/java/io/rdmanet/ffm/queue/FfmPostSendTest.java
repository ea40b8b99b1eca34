package io.rdmanet.ffm.queue;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.internal.provider.AccountTable;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Inline data of no region, as the driver gets it.
class FfmPostSendTest {
    private static final int MOST = 32;

    private final AccountTable<WorkQueueAccount> accounts = new AccountTable<>();
    private final FakeOwner owner = new FakeOwner("queue pair");

    @TempDir Path directory;
    private FakeDriver driver;
    private FfmPostSend send;

    @BeforeEach
    @SuppressWarnings("NullAway") // the domain is asked about regions only
    void open() throws Exception {
        driver = FakeDriver.load(directory);
        OrderedAccount account = new OrderedAccount(owner, 8);
        accounts.add(account);
        WorkQueue queue =
                WorkQueue.ofSends(
                        driver.post(),
                        driver.queuePair(QueuePairState.READY_TO_SEND),
                        owner,
                        account);
        send = new FfmPostSend(null, queue, new SendShape(SendOpcode.SEND, 2), 2, false, MOST);
    }

    @AfterEach
    void close() {
        if (driver != null) {
            send.close();
            driver.close();
        }
    }

    private static MemorySegment bytes(int first, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (first + i);
        }
        return MemorySegment.ofArray(bytes);
    }

    @SuppressWarnings("restricted") // what the driver was given
    private byte[] dataOf(int request, int element) {
        List<Long> given = driver.element(request, element);
        assertThat(given.get(2)).as("key").isZero();
        return MemorySegment.ofAddress(given.get(0)).reinterpret(given.get(1)).toArray(JAVA_BYTE);
    }

    @Test
    void givesTheDriverACopyOfEachElement() throws Exception {
        MemorySegment data = bytes(10, MOST);
        for (int i = 0; i < 2; i++) {
            send.request(i)
                    .flags(SendFlags.INLINE)
                    .inlineData(0, data, i, 5)
                    .inlineData(1, data, 20, 7 + i);
        }
        data.fill((byte) 0);

        assertThat(send.execute(0, 2)).isEqualTo(2);

        assertThat(dataOf(0, 0)).containsExactly(10, 11, 12, 13, 14);
        assertThat(dataOf(0, 1)).containsExactly(30, 31, 32, 33, 34, 35, 36);
        assertThat(dataOf(1, 0)).containsExactly(11, 12, 13, 14, 15);
        assertThat(dataOf(1, 1)).containsExactly(30, 31, 32, 33, 34, 35, 36, 37);
    }

    @Test
    void leavesOutEmptyElements() throws Exception {
        send.request(0)
                .flags(SendFlags.INLINE)
                .inlineData(0, bytes(1, 1), 1, 0)
                .inlineData(1, bytes(1, 3), 0, 3);

        assertThat(send.execute(0, 1)).isEqualTo(1);

        assertThat(driver.elementCount(0)).isEqualTo(1);
        assertThat(dataOf(0, 0)).containsExactly(1, 2, 3);
    }

    @Test
    void refusesWhatTheDriverCannotTake() throws Exception {
        send.request(0).flags(SendFlags.NONE).inlineData(0, bytes(0, 8), 0, 8);
        assertThatThrownBy(() -> send.execute(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("INLINE");
        assertThatThrownBy(() -> send.inlineData(0, bytes(0, MOST + 1), 0, MOST + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the most is " + MOST);
        send.request(1)
                .flags(SendFlags.INLINE)
                .inlineData(0, bytes(0, MOST), 0, MOST)
                .inlineData(1, bytes(0, 1), 0, 1);
        assertThatThrownBy(() -> send.execute(1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining((MOST + 1) + " bytes of inline data");

        assertThat(driver.notedCount()).isZero();
    }
}
