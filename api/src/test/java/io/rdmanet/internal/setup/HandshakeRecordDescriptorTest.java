package io.rdmanet.internal.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.setup.HandshakeRecord.Offer;
import io.rdmanet.internal.setup.HandshakeRecord.Ready;
import io.rdmanet.internal.setup.HandshakeRecord.Reason;
import io.rdmanet.internal.setup.HandshakeRecord.Refusal;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class HandshakeRecordDescriptorTest {
    private static QueuePairEnd end(
            int number, int psn, int gidIndex, int lid, int port, int reads) {
        return new QueuePairEnd(
                number,
                psn,
                new GlobalIdentifier(0x0123456789abcdefL, 0xfedcba9876543210L),
                gidIndex,
                GidType.ROCE_V2,
                lid,
                port,
                PathMtu.MTU_1024,
                LinkLayer.ETHERNET,
                reads);
    }

    private static byte[] offer() {
        return HandshakeRecordDescriptor.encode(
                new Offer(Role.RAW, 128, end(0x123456, 0xabcdef, 3, 7, 1, 16)));
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void bringsEveryFieldOfAnOfferAcross(Role role) throws Exception {
        Offer smallest = new Offer(role, 0, end(0, 0, 0, 0, 1, 0));
        Offer largest =
                new Offer(
                        role, Integer.MAX_VALUE, end(0xffffff, 0xffffff, 0xffff, 0xffff, 255, 255));
        for (Offer offer : new Offer[] {smallest, largest}) {
            byte[] bytes = HandshakeRecordDescriptor.encode(offer);
            assertThat(bytes).hasSize(HandshakeRecordDescriptor.LENGTH);
            assertThat(HandshakeRecordDescriptor.decode(bytes)).isEqualTo(offer);
        }
    }

    @Test
    void bringsEveryEnumValueAcross() throws Exception {
        for (GidType type : GidType.values()) {
            for (LinkLayer layer : LinkLayer.values()) {
                for (PathMtu mtu : PathMtu.values()) {
                    Offer offer =
                            new Offer(
                                    Role.MESSAGE,
                                    1,
                                    new QueuePairEnd(
                                            1,
                                            2,
                                            new GlobalIdentifier(1, 2),
                                            0,
                                            type,
                                            0,
                                            1,
                                            mtu,
                                            layer,
                                            1));
                    assertThat(
                                    HandshakeRecordDescriptor.decode(
                                            HandshakeRecordDescriptor.encode(offer)))
                            .isEqualTo(offer);
                }
            }
        }
    }

    @Test
    void bringsReadyAndRefusalAcross() throws Exception {
        Ready ready = new Ready(Role.MESSAGE);
        assertThat(HandshakeRecordDescriptor.decode(HandshakeRecordDescriptor.encode(ready)))
                .isEqualTo(ready);
        for (Reason reason : Reason.values()) {
            Refusal refusal = new Refusal(77, 200, reason, "no room, größer");
            assertThat(HandshakeRecordDescriptor.decode(HandshakeRecordDescriptor.encode(refusal)))
                    .isEqualTo(refusal);
        }
    }

    @Test
    void cutsALongRefusalAndMakesItPrintable() throws Exception {
        Refusal refusal = new Refusal(1, 1, Reason.FAILED, "\u001b[2J" + "x".repeat(1000));
        Refusal decoded =
                (Refusal)
                        HandshakeRecordDescriptor.decode(HandshakeRecordDescriptor.encode(refusal));
        assertThat(decoded.text()).startsWith("?[2Jxxx").hasSize(236);
    }

    @Test
    void knowsAStrangerByItsFirstByte() {
        byte[] bytes = offer();
        for (int count = 0; count <= bytes.length; count++) {
            assertThat(HandshakeRecordDescriptor.mayBegin(bytes, count)).isTrue();
        }
        assertThat(HandshakeRecordDescriptor.mayBegin(new byte[] {'G'}, 1)).isFalse();
        for (int wrong = 0; wrong < 8; wrong++) {
            byte[] garbled = bytes.clone();
            garbled[wrong] ^= 1;
            assertThat(HandshakeRecordDescriptor.mayBegin(garbled, wrong)).isTrue();
            assertThat(HandshakeRecordDescriptor.mayBegin(garbled, wrong + 1)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10, 0, unknown kind 0",
        "10, 4, unknown kind 4",
        "11, 9, unknown role 9",
        "13, 1, says that it has",
        "16, 1, queuePairNumber must be 0 to 16777215",
        "20, -1, packetSequence must be",
        "44, 0, portNumber must be 1 to 255",
        "45, 0, MTU code 0",
        "45, 6, MTU code 6",
        "46, 3, unknown GID type 3",
        "47, 4, unknown link layer 4",
        "48, 1, maxReadAtomic must be 0 to 255",
        "52, -128, receive depth -",
    })
    void refusesAFieldOutOfRangeByName(int offset, int value, String text) {
        byte[] bytes = offer();
        bytes[offset] = (byte) value;
        assertThatThrownBy(() -> HandshakeRecordDescriptor.decode(bytes))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining(text);
    }

    @Test
    void neverThrowsAnythingElseOnGarbage() {
        Random random = new Random(42);
        int decoded = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = offer();
            for (int j = random.nextInt(8); j >= 0; j--) {
                bytes[8 + random.nextInt(48)] = (byte) random.nextInt();
            }
            try {
                HandshakeRecordDescriptor.decode(bytes);
                decoded++;
            } catch (ProtocolViolationException expected) {
                assertThat(expected).hasMessageContaining("handshake record");
            }
        }
        assertThat(decoded).isPositive();
    }

    @Test
    void keepsPrefixAndRefusalWhereEveryVersionExpectsThem() {
        byte[] bytes = HandshakeRecordDescriptor.encode(new Refusal(0x0203, 4, Reason.ROLE, "abc"));
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        assertThat(new String(bytes, 0, 8, java.nio.charset.StandardCharsets.US_ASCII))
                .isEqualTo("rdmanet\n");
        assertThat(buffer.getShort(8)).isEqualTo((short) 0x0203);
        assertThat(bytes[10]).isEqualTo((byte) 3);
        assertThat(bytes[11]).isEqualTo((byte) 4);
        assertThat(buffer.getShort(16)).isEqualTo((short) 2);
        assertThat(buffer.getShort(18)).isEqualTo((short) 3);
        assertThat(bytes[20]).isEqualTo((byte) 'a');
        assertThat(HandshakeRecordDescriptor.isRefusal(bytes)).isTrue();
        assertThat(HandshakeRecordDescriptor.version(bytes)).isEqualTo(0x0203);
        assertThat(HandshakeRecordDescriptor.roleCode(bytes)).isEqualTo(4);
    }
}
