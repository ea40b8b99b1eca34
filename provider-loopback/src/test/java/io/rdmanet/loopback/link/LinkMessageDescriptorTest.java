package io.rdmanet.loopback.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class LinkMessageDescriptorTest {
    private static final int OFFSET = LinkMessageDescriptor.LENGTH;

    private final ByteBuffer buffer = ByteBuffer.allocate(3 * LinkMessageDescriptor.LENGTH);

    @Test
    void carriesAnIdentity() {
        LinkMessageDescriptor.putIdentify(buffer, OFFSET, 0x8123_4567_89ab_cdefL);
        assertThat(LinkMessageDescriptor.type(buffer, OFFSET))
                .isEqualTo(LinkMessageDescriptor.IDENTIFY);
        assertThat(LinkMessageDescriptor.magic(buffer, OFFSET)).isEqualTo(0x7264_6d6c);
        assertThat(LinkMessageDescriptor.version(buffer, OFFSET))
                .isEqualTo(LinkMessageDescriptor.VERSION);
        assertThat(LinkMessageDescriptor.id(buffer, OFFSET)).isEqualTo(0x8123_4567_89ab_cdefL);
    }

    @Test
    void carriesAWake() {
        LinkMessageDescriptor.putWake(buffer, OFFSET, 0xff_ffff);
        assertThat(LinkMessageDescriptor.type(buffer, OFFSET))
                .isEqualTo(LinkMessageDescriptor.WAKE);
        assertThat(LinkMessageDescriptor.queuePairNumber(buffer, OFFSET)).isEqualTo(0xff_ffff);
    }

    @Test
    void carriesARequestWithAllItsFields() {
        RemoteOperation operation =
                new RemoteOperation(65_535, 7, -2, Long.MIN_VALUE, 3, -4, Long.MAX_VALUE);
        LinkMessageDescriptor.putRequest(buffer, OFFSET, 99, operation);
        assertThat(LinkMessageDescriptor.operation(buffer, OFFSET)).isEqualTo(operation);
        assertThat(LinkMessageDescriptor.id(buffer, OFFSET)).isEqualTo(99);
    }

    @Test
    void carriesAReply() {
        LinkMessageDescriptor.putReply(buffer, OFFSET, 99, 5, -1);
        assertThat(LinkMessageDescriptor.type(buffer, OFFSET))
                .isEqualTo(LinkMessageDescriptor.REPLY);
        assertThat(LinkMessageDescriptor.id(buffer, OFFSET)).isEqualTo(99);
        assertThat(LinkMessageDescriptor.status(buffer, OFFSET)).isEqualTo(5);
        assertThat(LinkMessageDescriptor.value(buffer, OFFSET)).isEqualTo(-1);
    }

    @Test
    void leavesNothingOfAFormerMessageAndTouchesNoNeighbour() {
        LinkMessageDescriptor.putRequest(
                buffer, OFFSET, -1, new RemoteOperation(65_535, -1, -1, -1, -1, -1, -1));
        LinkMessageDescriptor.putWake(buffer, OFFSET, 1);
        ByteBuffer fresh = ByteBuffer.allocate(buffer.capacity());
        LinkMessageDescriptor.putWake(fresh, OFFSET, 1);
        assertThat(buffer.array()).isEqualTo(fresh.array());
        for (int i = 0; i < OFFSET; i++) {
            assertThat(buffer.get(i)).isZero();
            assertThat(buffer.get(2 * OFFSET + i)).isZero();
        }
    }
}
