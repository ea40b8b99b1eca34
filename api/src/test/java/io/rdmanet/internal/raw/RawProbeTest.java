package io.rdmanet.internal.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.ProbeReport;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.VerbsException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A probe between made-up verbs and who calls them.
final class RawProbeTest {
    private final List<String> calls = new ArrayList<>();
    private int answer;

    private <T> T fake(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            calls.add(method.getName());
                            return switch (method.getName()) {
                                case "execute" -> answer;
                                case "workRequestId" -> arguments[0] instanceof Long ? proxy : 77L;
                                case "close" -> null;
                                default -> proxy;
                            };
                        }));
    }

    @Test
    void doesNotStandInTheWayIfItIsOff() {
        RawProbe probe = new RawProbe(false);
        PostSend send = fake(PostSend.class);
        PostReceive receive = fake(PostReceive.class);
        PollCompletions poll = fake(PollCompletions.class);

        assertThat((Object) probe.timed(send)).isSameAs(send);
        assertThat((Object) probe.timed(receive)).isSameAs(receive);
        assertThat((Object) probe.timed(poll, true)).isSameAs(poll);
        assertThat(probe.report()).isEqualTo(ProbeReport.NONE);
    }

    @Test
    void countsWorkRequestsThatWereAccepted() throws VerbsException {
        RawProbe probe = new RawProbe(true);
        PostSend send = probe.timed(fake(PostSend.class));
        PostReceive receive = probe.timed(fake(PostReceive.class));

        answer = 3;
        assertThat(send.execute(0, 5)).isEqualTo(3);
        answer = 4;
        assertThat(receive.execute(0, 4)).isEqualTo(4);

        assertThat(probe.report().workRequests()).isEqualTo(7);
    }

    @Test
    void passesRequestsOnAndReturnsItself() {
        PostSend send = new RawProbe(true).timed(fake(PostSend.class));

        assertThat((Object) send.request(1).workRequestId(2).flags(3)).isSameAs(send);

        assertThat(calls).containsExactly("request", "workRequestId", "flags");
    }

    @Test
    void takesTimeWithoutCompletionsForAWait() throws Exception {
        RawProbe probe = new RawProbe(true);
        PollCompletions sends = probe.timed(fake(PollCompletions.class), true);
        PollCompletions receives = probe.timed(fake(PollCompletions.class), false);

        answer = 0;
        assertThat(sends.execute()).isZero();
        Thread.sleep(1);
        assertThat(sends.execute()).isZero();
        assertThat(probe.report()).isEqualTo(ProbeReport.NONE);

        answer = 2;
        assertThat(sends.execute()).isEqualTo(2);
        assertThat(receives.execute()).isEqualTo(2);
        assertThat(sends.workRequestId(1)).isEqualTo(77);

        assertThat(probe.report().completionWaitNanos()).isPositive();
        assertThat(probe.report().receiveWaitNanos()).isZero();
    }
}
