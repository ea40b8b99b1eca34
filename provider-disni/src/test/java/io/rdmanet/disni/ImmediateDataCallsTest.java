package io.rdmanet.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import com.ibm.disni.verbs.SVCPostSend;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Immediate data that changes with every execution, though DiSNI has frozen it: what is prepared
/// for it, and what is not.
class ImmediateDataCallsTest {
    private static final int DEPTH = 8192;

    private final MockedDisni disni;
    private final List<SVCPostSend> sends = new ArrayList<>();
    private final List<Integer> sendLengths = new ArrayList<>();
    private MockedDisni.Connection connection;
    private MemoryRegion region;

    ImmediateDataCallsTest() throws Exception {
        disni = new MockedDisni();
    }

    @BeforeEach
    void connect() throws Exception {
        doAnswer(
                        call -> {
                            SVCPostSend made = mock(SVCPostSend.class, RETURNS_DEEP_STUBS);
                            sends.add(made);
                            sendLengths.add(call.<List<?>>getArgument(1).size());
                            return made;
                        })
                .when(disni.verbs)
                .postSend(any(), any(), any());
        connection = disni.connected(QueuePairCapacity.of(DEPTH, 1));
        region = connection.domain().allocate(4096, Set.of(AccessFlag.LOCAL_WRITE));
    }

    private PostSend withImmediate(int capacity) throws Exception {
        PostSend send =
                connection
                        .queuePair()
                        .preparePostSend(SendShape.of(SendOpcode.SEND_WITH_IMMEDIATE), capacity);
        for (int i = 0; i < capacity; i++) {
            send.request(i).scatterGather(0, region, 64L * i, 64);
        }
        return send;
    }

    @Test
    void preparesEachImmediateDataOnceWhicheverRequestHasIt() throws Exception {
        PostSend send = withImmediate(2);
        for (int round = 0; round < 5; round++) {
            for (int immediate = 1; immediate <= 3; immediate++) {
                int request = (round + immediate) % 2;
                send.request(request).immediate(immediate).scatterGather(0, region, 0, 8);
                assertThat(send.execute(request, 1)).isEqualTo(1);
                send.request(request).scatterGather(0, region, 0, 0);
                assertThat(send.execute(request, 1)).isEqualTo(1);
            }
        }
        assertThat(sendLengths).containsExactly(1, 1, 1, 1, 1, 1);
        send.close();
        for (SVCPostSend each : sends) {
            verify(each, times(5)).execute();
            verify(each).free();
        }
    }

    @Test
    void writesTheWholeRequestWhereAPreparedOneServesAnother() throws Exception {
        PostSend send = withImmediate(2);
        send.request(0).immediate(7);
        send.request(1).immediate(7).flags(SendFlags.SIGNALED);
        assertThat(send.execute(0, 1)).isEqualTo(1);
        SVCPostSend.SendWRMod work = sends.getFirst().getWrMod(0);
        SVCPostSend.SgeMod element = work.getSgeMod(0);
        clearInvocations(work, element);

        assertThat(send.execute(1, 1)).isEqualTo(1);

        verify(work).setSend_flags(SendFlags.SIGNALED);
        verify(element).setAddr(region.address() + 64);
        assertThat(sends).hasSize(1);
    }

    @Test
    void cutsARunInWhichImmediateDataHasChangedAndPreparesItAfreshAfterAWhile() throws Exception {
        PostSend send = withImmediate(8);
        assertThat(send.execute(0, 8)).isEqualTo(8);
        for (int i = 1; i <= 16; i++) {
            send.request(0).immediate(i);
            assertThat(send.execute(0, 8)).isEqualTo(8);
            send.request(0).immediate(0);
            assertThat(send.execute(0, 8)).isEqualTo(8);
        }
        verify(sends.getFirst(), times(17)).execute();
        verify(sends.getFirst(), never()).free();
        // [0 .. 3] and [0 1] hold another number each, until [0] has them all.
        assertThat(sendLengths.subList(0, 7)).containsExactly(8, 4, 4, 2, 2, 1, 1);
        assertThat(sendLengths.subList(7, sendLengths.size())).hasSize(13).containsOnly(1);

        int before = sends.size();
        send.request(0).immediate(1);
        assertThat(send.execute(0, 8)).isEqualTo(8);
        verify(sends.getFirst()).free();
        assertThat(sendLengths.subList(before, sends.size())).containsExactly(8);
        for (int i = 0; i < 32; i++) {
            send.request(0).immediate(2);
            assertThat(send.execute(0, 8)).isEqualTo(8);
        }
        verify(sends.get(before), never()).free();
        assertThat(send.execute(0, 8)).isEqualTo(8);
        verify(sends.get(before)).free();
    }

    @Test
    void keepsNoMoreThanSoManyImmediateData() throws Exception {
        PostSend send = withImmediate(1);
        for (int i = 0; i < 2000; i++) {
            send.request(0).immediate(i);
            assertThat(send.execute(0, 1)).isEqualTo(1);
        }
        long freed = sends.stream().filter(ImmediateDataCallsTest::isFreed).count();
        assertThat(sends.size() - freed).isBetween(512L, 1024L);
        send.close();
        assertThat(sends).allMatch(ImmediateDataCallsTest::isFreed);
    }

    private static boolean isFreed(SVCPostSend call) {
        return mockingDetails(call).getInvocations().stream()
                .anyMatch(each -> each.getMethod().getName().equals("free"));
    }
}
