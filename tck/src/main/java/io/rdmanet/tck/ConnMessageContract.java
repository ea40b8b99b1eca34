package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.Conn;
import io.rdmanet.MessageTooLargeException;
import io.rdmanet.ReceiveBufferTooSmallException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages arrive whole, once, in order, whatever their length and whichever call carries them.
public abstract class ConnMessageContract extends ConnVerbsContract {
    private static final int CAP = 10 * SLOT;

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                7,
                8,
                9,
                63,
                64,
                65,
                SLOT - 9,
                SLOT - 8,
                SLOT - 1,
                SLOT,
                SLOT + 1,
                2 * SLOT - 1,
                2 * SLOT,
                2 * SLOT + 1,
                20 * SLOT,
                200 * SLOT + 3
            })
    void carriesEveryLengthAroundSlotBoundariesByEachCall(int length) throws Exception {
        Ends ends = open(options());
        Running<Void> sending =
                start(
                        "send",
                        () -> {
                            byte[] message = message(length, length);
                            MemorySegment memory =
                                    openArena().allocate(Math.max(1, length)).asSlice(0, length);
                            memory.copyFrom(MemorySegment.ofArray(message));
                            for (int i = 0; i < 3; i++) {
                                ends.dialler().sendMsg(message);
                                ends.dialler().sendMsg(memory);
                                ends.dialler().sendBatch(List.of(message, message));
                                ends.dialler().sendBatch(new MemorySegment[] {memory}, 1);
                            }
                            return null;
                        });
        int perRound = 5;

        for (int i = 0; i < perRound; i++) {
            assertMessage(ends.listener().recvMsg(), length, length);
        }
        MemorySegment buffer = openArena().allocate(length + 1L);
        for (int i = 0; i < perRound; i++) {
            assertThat(ends.listener().recvMsg(buffer)).isEqualTo(length);
            Payload.assertHolds(buffer, 0, length, length);
        }
        for (int i = 0; i < perRound; i++) {
            try (var lease = lease(ends.listener())) {
                assertThat(lease.length()).isEqualTo(length);
                Payload.assertHolds(lease.segment(), 0, length, length);
            }
        }
        sending.join();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 32, 300})
    void carriesBatchesOfMixedSizesLargerThanTheWindow(int batch) throws Exception {
        Ends ends = open(options());
        int count = 900;
        Running<Void> sending =
                start(
                        "send",
                        () -> {
                            List<byte[]> messages = new ArrayList<>();
                            for (int i = 0; i < count; i++) {
                                messages.add(message(variedLength(i), i));
                                if (messages.size() == batch || i == count - 1) {
                                    ends.dialler().sendBatch(messages);
                                    messages.clear();
                                }
                            }
                            return null;
                        });
        int received = 0;
        while (received < count) {
            List<byte[]> messages = ends.listener().recvBatch(batch);
            assertThat(messages).hasSizeBetween(1, batch);
            for (byte[] message : messages) {
                assertMessage(message, variedLength(received), received);
                received++;
            }
        }
        sending.join();
    }

    @Test
    void receivesBatchesIntoBuffers() throws Exception {
        Ends ends = open(options());
        int count = 500;
        Running<Void> sending =
                start(
                        "send",
                        () -> {
                            sendNumbered(ends.dialler(), count);
                            ends.dialler().close();
                            return null;
                        });
        MemorySegment[] buffers = new MemorySegment[5];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = openArena().allocate(4 * SLOT);
        }
        int[] lengths = new int[buffers.length];
        int received = 0;
        while (true) {
            int taken = ends.listener().recvBatch(buffers, lengths, buffers.length);
            if (taken == Conn.END_OF_STREAM) {
                break;
            }
            for (int i = 0; i < taken; i++) {
                assertThat(lengths[i]).isEqualTo(variedLength(received));
                Payload.assertHolds(buffers[i], 0, lengths[i], received);
                received++;
            }
        }
        assertThat(received).isEqualTo(count);
        sending.join();
    }

    @Test
    void keepsAMessageThatDoesNotFitTheBuffer() throws Exception {
        Ends ends = open(options());
        for (int length : new int[] {100, SLOT, 3 * SLOT + 1}) {
            ends.dialler().sendMsg(message(length, length));
            MemorySegment small = openArena().allocate(length - 1L);
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> ends.listener().recvMsg(small))
                        .isInstanceOfSatisfying(
                                ReceiveBufferTooSmallException.class,
                                e -> assertThat(e.requiredBytes()).isEqualTo(length));
            }
            MemorySegment fitting = openArena().allocate(length);
            assertThat(ends.listener().recvMsg(fitting)).isEqualTo(length);
            Payload.assertHolds(fitting, 0, length, length);
        }
        ends.dialler().sendMsg(message(5, 5));
        assertMessage(ends.listener().recvMsg(), 5, 5);
    }

    @Test
    void returnsThoseBeforeAMessageOfABatchThatDoesNotFit() throws Exception {
        Ends ends = open(options());
        ends.dialler().sendBatch(List.of(message(3, 0), message(50, 1), message(4, 2)));
        MemorySegment[] buffers = {
            openArena().allocate(10), openArena().allocate(10), openArena().allocate(10)
        };
        int[] lengths = new int[3];
        int taken = 0;
        while (taken == 0) {
            taken = ends.listener().recvBatch(buffers, lengths, 3);
        }
        assertThat(taken).isEqualTo(1);
        assertThat(lengths[0]).isEqualTo(3);
        assertThatThrownBy(() -> ends.listener().recvBatch(buffers, lengths, 3))
                .isInstanceOf(ReceiveBufferTooSmallException.class);
        assertMessage(ends.listener().recvMsg(), 50, 1);
        assertMessage(ends.listener().recvMsg(), 4, 2);
    }

    @Test
    void takesMessagesOfTheCapAndRefusesLongerOnesBeforeSending() throws Exception {
        Ends ends =
                open(options().withMaxMessageBytes(CAP), options().withMaxMessageBytes(2 * CAP));
        assertThat(ends.dialler().maxSendBytes()).isEqualTo(CAP);
        assertThat(ends.listener().maxSendBytes()).isEqualTo(CAP);
        Running<byte[]> receiving = start("receive", () -> ends.listener().recvMsg());
        ends.dialler().sendMsg(message(CAP, 1));
        assertMessage(receiving.join(), CAP, 1);

        assertThatThrownBy(() -> ends.dialler().sendMsg(message(CAP + 1, 1)))
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessageContaining("this end");
        assertThatThrownBy(() -> ends.listener().sendMsg(message(CAP + 1, 1)))
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessageContaining("the peer");
        assertThatThrownBy(() ->
                        ends.listener().sendBatch(List.of(message(1, 1), message(CAP + 1, 1))))
                .isInstanceOf(MessageTooLargeException.class);

        ends.listener().sendMsg(message(2, 2));
        assertMessage(ends.dialler().recvMsg(), 2, 2);
    }

    @Test
    void refusesMessagesLongerThanACapBelowTheSlot() throws Exception {
        Ends ends = open(options().withMaxMessageBytes(100));

        assertThat(ends.dialler().sendSlotBytes()).isEqualTo(100);
        assertThatThrownBy(() -> ends.dialler().sendMsg(message(101, 1)))
                .isInstanceOf(MessageTooLargeException.class);
        ends.dialler().sendMsg(message(100, 1));
        assertMessage(ends.listener().recvMsg(), 100, 1);
    }

    @Test
    void carriesStreamsOfBytes() throws Exception {
        Ends ends = open(options());
        int length = 100_000;
        byte[] bytes = message(length, 3);
        Running<Void> sending =
                start(
                        "send",
                        () -> {
                            try (OutputStream out = ends.dialler().outputStream()) {
                                int position = 0;
                                for (int i = 1; position < length; i++) {
                                    int count = Math.min(i * 37 % 3000, length - position);
                                    out.write(bytes, position, count);
                                    position += count;
                                    if (i % 5 == 0) {
                                        out.flush();
                                    }
                                }
                            }
                            return null;
                        });
        InputStream in = ends.listener().inputStream();
        byte[] received = in.readAllBytes();

        assertThat(received).isEqualTo(bytes);
        assertThat(in.read()).isEqualTo(-1);
        sending.join();
    }

    @Test
    void carriesBytesThroughChannels() throws Exception {
        Ends ends = open(options());
        ByteBuffer source = ByteBuffer.wrap(message(5000, 4));
        Running<Integer> sending = start("send", () -> ends.dialler().byteChannel().write(source));
        ByteBuffer target = ByteBuffer.allocateDirect(5000);
        while (target.hasRemaining()) {
            assertThat(ends.listener().byteChannel().read(target)).isPositive();
        }

        assertThat(sending.join()).isEqualTo(5000);
        assertThat(source.hasRemaining()).isFalse();
        Payload.assertHolds(MemorySegment.ofBuffer(target.flip()), 0, 5000, 4);
        ends.dialler().byteChannel().close();
        assertThat(ends.listener().byteChannel().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
}
