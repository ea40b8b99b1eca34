package io.rdmanet.internal.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.internal.setup.HandshakeRecord.Reason;
import io.rdmanet.internal.setup.HandshakeRecord.Refusal;
import io.rdmanet.verbs.ConnectionParameters;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class PrivateDataDescriptorTest {
    @Test
    void bringsRoleAndDepthAcrossPaddedOrNot() {
        byte[] request = PrivateDataDescriptor.encodeRequest(Role.RAW, 16384);
        assertThat(request.length)
                .isLessThanOrEqualTo(ConnectionParameters.MAX_REQUEST_PRIVATE_DATA);
        for (byte[] arrived : new byte[][] {request, Arrays.copyOf(request, 56)}) {
            assertThat(PrivateDataDescriptor.isAbsent(arrived)).isFalse();
            assertThat(PrivateDataDescriptor.isRequest(arrived)).isTrue();
            assertThat(PrivateDataDescriptor.version(arrived)).isEqualTo(3);
            assertThat(PrivateDataDescriptor.roleCode(arrived)).isEqualTo(Role.RAW.code());
            assertThat(PrivateDataDescriptor.receiveDepth(arrived)).isEqualTo(16384);
        }
    }

    @Test
    void takesNothingAndZerosForAbsent() {
        assertThat(PrivateDataDescriptor.isAbsent(new byte[0])).isTrue();
        assertThat(PrivateDataDescriptor.isAbsent(new byte[56])).isTrue();
    }

    @Test
    void doesNotTakeAnotherProgramsDataForARequest() {
        byte[] foreign = new byte[56];
        foreign[0] = 1;
        assertThat(PrivateDataDescriptor.isRequest(foreign)).isFalse();
        byte[] request = PrivateDataDescriptor.encodeRequest(Role.RAW, 1);
        for (int length = 0; length < request.length; length++) {
            assertThat(PrivateDataDescriptor.isRequest(Arrays.copyOf(request, length))).isFalse();
        }
    }

    @Test
    void bringsARefusalAcrossPaddedCutOrEmpty() {
        for (int textLength : new int[] {0, 1, 139, 140, 141, 1000}) {
            Refusal refusal = new Refusal(1, 2, Reason.ROLE, "x".repeat(textLength));
            byte[] rejection = PrivateDataDescriptor.encodeRejection(refusal);
            assertThat(rejection.length).isLessThanOrEqualTo(148);
            Refusal decoded = PrivateDataDescriptor.decodeRejection(Arrays.copyOf(rejection, 148));
            assertThat(decoded)
                    .isEqualTo(
                            new Refusal(1, 2, Reason.ROLE, "x".repeat(Math.min(140, textLength))));
        }
    }

    @Test
    void findsNoRefusalInAnotherProgramsData() {
        assertThat(PrivateDataDescriptor.decodeRejection(new byte[0])).isNull();
        assertThat(PrivateDataDescriptor.decodeRejection(new byte[148])).isNull();
    }
}
