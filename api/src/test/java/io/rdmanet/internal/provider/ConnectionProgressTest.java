package io.rdmanet.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.internal.provider.ConnectionProgress.State;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ConnectionProgressTest {
    private static final String EVENT = "rdma_get_cm_event";
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final ConnectionProgress progress =
            new ConnectionProgress("the connection to a peer", State.IDLE);

    @Test
    void goesOnForOneCallerAlone() throws Exception {
        progress.begin("rdma_connect", State.IDLE, State.CONNECTING);

        assertThatThrownBy(() -> progress.begin("rdma_connect", State.IDLE, State.CONNECTING))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("rdma_connect: the connection to a peer must be IDLE, is CONNECTING");
        progress.finish("rdma_connect");
        assertThat(progress.state()).isEqualTo(State.CONNECTED);
    }

    @Test
    void endsOnlyWhatStood() throws Exception {
        assertThat(progress.end()).isEqualTo(State.IDLE);
        assertThat(progress.state()).isEqualTo(State.IDLE);

        progress.finish("rdma_connect");
        assertThat(progress.end()).isEqualTo(State.CONNECTED);
        assertThat(progress.end()).isEqualTo(State.ENDED);
        assertThat(progress.awaitConnection(EVENT, 0)).isTrue();
    }

    @Test
    void staysClosed() {
        assertThatCode(() -> progress.throwIfClosed("rdma_create_qp")).doesNotThrowAnyException();
        assertThat(progress.close()).isEqualTo(State.IDLE);

        assertThatIsClosed(() -> progress.throwIfClosed("rdma_create_qp"));
        assertThatIsClosed(() -> progress.begin("rdma_connect", State.IDLE, State.CONNECTING));
        assertThatIsClosed(() -> progress.finish("rdma_connect"));
        assertThatIsClosed(() -> progress.awaitConnection(EVENT, LONG_NANOS));
        progress.fail();
        assertThat(progress.end()).isEqualTo(State.CLOSED);
        assertThat(progress.close()).isEqualTo(State.CLOSED);
    }

    private static void assertThatIsClosed(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("the connection to a peer was closed");
    }

    @Test
    void saysWhenTheTimeIsUp() throws Exception {
        assertThat(progress.awaitConnection(EVENT, 0)).isFalse();
        assertThat(progress.awaitConnection(EVENT, 1)).isFalse();
    }

    @Test
    void doesNotWaitForWhatHasFailed() {
        progress.fail();

        assertThatThrownBy(() -> progress.awaitConnection(EVENT, LONG_NANOS))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(EVENT)
                .hasMessageContaining("the connection to a peer did not come about");
    }

    @Test
    void wakesWhoeverWaitsWhenTheConnectionStands() throws Exception {
        FutureTask<Boolean> waiting = awaitElsewhere();

        progress.finish("rdma_connect");

        assertThat(waiting.get()).isTrue();
    }

    @Test
    void wakesWhoeverWaitsWhenItIsClosed() {
        FutureTask<Boolean> waiting = awaitElsewhere();

        progress.close();

        assertThatThrownBy(waiting::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("was closed");
    }

    private FutureTask<Boolean> awaitElsewhere() {
        FutureTask<Boolean> waiting =
                new FutureTask<>(() -> progress.awaitConnection(EVENT, LONG_NANOS));
        Thread.ofVirtual().start(waiting);
        return waiting;
    }

    @Test
    void keepsTheInterruptThatEndsTheWait() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> progress.awaitConnection(EVENT, LONG_NANOS))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(ErrorNumber.EINTR));
        assertThat(Thread.interrupted()).isTrue();
    }
}
