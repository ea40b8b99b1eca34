package io.rdmanet.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.RdmaCmEvent;
import org.junit.jupiter.api.Test;

class CommunicationEventTest {
    @Test
    void knowsEveryEventOfDisnisByItsNumber() {
        int code = 0;
        for (RdmaCmEvent.EventType theirs : RdmaCmEvent.EventType.values()) {
            assertThat("RDMA_CM_EVENT_" + CommunicationEvent.of(code).type())
                    .isEqualTo(theirs.name());
            code++;
        }
    }

    @Test
    void takesOtherNumbersForUnknown() {
        assertThat(CommunicationEvent.of(16).type()).isEqualTo(CommunicationEvent.Type.UNKNOWN);
        assertThat(CommunicationEvent.of(-1).type()).isEqualTo(CommunicationEvent.Type.UNKNOWN);
        assertThat(CommunicationEvent.of(99).describe()).isEqualTo("event UNKNOWN(99)");
    }
}
