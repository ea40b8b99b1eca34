package io.rdmanet.disni;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.mockito.stubbing.Answer;

/// A connected queue pair on a mocked DiSNI, which notes the calls that are prepared there.
final class PreparedCalls {
    static final int DEPTH = 16;

    final MockedDisni disni = new MockedDisni();
    final List<SVCPostSend> sends = new ArrayList<>();
    final List<Integer> sendLengths = new ArrayList<>();
    final List<SVCPostRecv> receives = new ArrayList<>();
    final List<Integer> receiveLengths = new ArrayList<>();
    final MockedDisni.Connection connection;
    final MemoryRegion region;

    PreparedCalls() throws Exception {
        answerSends(call -> {
            SVCPostSend made = mock(SVCPostSend.class, RETURNS_DEEP_STUBS);
            sends.add(made);
            sendLengths.add(call.<List<?>>getArgument(1).size());
            return made;
        });
        answerReceives(call -> {
            SVCPostRecv made = mock(SVCPostRecv.class);
            receives.add(made);
            receiveLengths.add(call.<List<?>>getArgument(1).size());
            return made;
        });
        connection = disni.connected(QueuePairCapacity.of(DEPTH, DEPTH));
        region = connection.domain().allocate(4096, Set.of(AccessFlag.LOCAL_WRITE));
    }

    void answerSends(Answer<SVCPostSend> answer) throws IOException {
        doAnswer(answer).when(disni.verbs).postSend(any(), any(), any());
    }

    void answerReceives(Answer<SVCPostRecv> answer) throws IOException {
        doAnswer(answer).when(disni.verbs).postRecv(any(), any(), any());
    }

    PostSend prepared(int capacity) throws Exception {
        PostSend send =
                connection.queuePair().preparePostSend(SendShape.of(SendOpcode.SEND), capacity);
        for (int i = 0; i < capacity; i++) {
            send.request(i).workRequestId(i).scatterGather(0, region, 64L * i, 64);
        }
        return send;
    }
}
