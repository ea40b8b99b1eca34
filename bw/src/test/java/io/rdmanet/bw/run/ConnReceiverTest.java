package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.Conn;
import io.rdmanet.PeerGoneException;
import io.rdmanet.ProbeReport;
import io.rdmanet.bw.run.ControlRecord.Run;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class ConnReceiverTest {
    private static final int SIZE = 100;
    private static final long SEED = 7;

    private final Deque<MemorySegment> arriving = new ArrayDeque<>();

    /// A connection on which what is in the queue arrives, then the end of the stream.
    private final Conn conn =
            (Conn)
                    Proxy.newProxyInstance(
                            Conn.class.getClassLoader(),
                            new Class<?>[] {Conn.class},
                            (self, method, arguments) ->
                                    switch (method.getName()) {
                                        case "probe" -> ProbeReport.NONE;
                                        case "remoteAddress" ->
                                                new InetSocketAddress(
                                                        InetAddress.getLoopbackAddress(), 1);
                                        case "recvMsg" -> receive((MemorySegment) arguments[0]);
                                        case "recvBatch" -> {
                                            int length =
                                                    receive(((MemorySegment[]) arguments[0])[0]);
                                            ((int[]) arguments[1])[0] = length;
                                            yield length == Conn.END_OF_STREAM ? length : 1;
                                        }
                                        default ->
                                                throw new UnsupportedOperationException(
                                                        method.getName());
                                    });

    private int receive(MemorySegment buffer) {
        MemorySegment next = arriving.poll();
        if (next == null) {
            return Conn.END_OF_STREAM;
        }
        MemorySegment.copy(next, 0, buffer, 0, next.byteSize());
        return (int) next.byteSize();
    }

    private static MemorySegment message(long index, int size) {
        MemorySegment message = MemorySegment.ofArray(new byte[size]);
        PayloadPattern.fill(message, size, SEED, index);
        return message;
    }

    private void endOfRun() {
        arriving.add(MemorySegment.ofArray(new byte[0]));
    }

    private RunOutcome receive(Mode mode) throws Exception {
        Run run = new Run(mode, SIZE, 4, 0, SEED, 0, false, true);
        try (ConnReceiver receiver = new ConnReceiver(conn, run, new RunMonitor())) {
            return receiver.receive();
        }
    }

    @Test
    void countsMessagesUntilTheEndMarker() throws Exception {
        for (Mode mode : new Mode[] {Mode.MSG, Mode.BATCH}) {
            arriving.add(message(0, SIZE));
            arriving.add(message(1, SIZE));
            endOfRun();

            RunOutcome outcome = receive(mode);

            assertThat(outcome.rate().messages()).isEqualTo(2);
            assertThat(outcome.rate().bytes()).isEqualTo(2 * SIZE);
            assertThat(outcome.badMessages()).isZero();
        }
    }

    @Test
    void countsMessagesThatAreLostDoubledShortenedOrChanged() throws Exception {
        MemorySegment changed = message(4, SIZE);
        changed.fill((byte) 0);
        arriving.add(message(0, SIZE));
        arriving.add(message(0, SIZE));
        arriving.add(message(2, SIZE));
        arriving.add(message(3, SIZE - 1));
        arriving.add(changed);
        arriving.add(message(6, SIZE));
        endOfRun();

        RunOutcome outcome = receive(Mode.MSG);

        assertThat(outcome.rate().messages()).isEqualTo(6);
        assertThat(outcome.badMessages()).isEqualTo(4);
    }

    @Test
    void failsWhenTheClientClosesInTheMiddleOfARun() {
        arriving.add(message(0, SIZE));

        assertThatThrownBy(() -> receive(Mode.MSG))
                .isInstanceOf(PeerGoneException.class)
                .hasMessageContaining("in the middle of a run, after 1 messages");
    }
}
