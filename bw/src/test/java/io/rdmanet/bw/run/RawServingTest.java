package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.DeadlineException;
import io.rdmanet.PeerGoneException;
import io.rdmanet.ProbeReport;
import io.rdmanet.RawConn;
import io.rdmanet.RawDrain;
import io.rdmanet.RawOptions;
import io.rdmanet.RawVerb;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A raw server whose client has announced a run that does not show, and then says nothing.
class RawServingTest {
    private final List<String> written = new ArrayList<>();
    private int drains;

    /// @param livesFor how many empty writes the client's device acknowledges
    private RawConn conn(int livesFor) {
        RawOptions options = RawOptions.defaults();
        return (RawConn)
                Proxy.newProxyInstance(
                        RawConn.class.getClassLoader(),
                        new Class<?>[] {RawConn.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "options" -> options;
                                    case "buffer" -> MemorySegment.NULL;
                                    case "probe" -> ProbeReport.NONE;
                                    case "recvDrain" -> drain();
                                    case "pipeline" -> write(arguments, livesFor);
                                    case "close" -> null;
                                    default -> throw new AssertionError(method);
                                });
    }

    private RawDrain drain() throws IOException {
        if (drains++ == 0) {
            int tag = RunTagDescriptor.tag(RunTagDescriptor.ANNOUNCE_SILENCE, 0, false, false);
            return new RawDrain(0, 0, 0, 0, tag);
        }
        throw new DeadlineException("nothing came");
    }

    private long write(Object[] arguments, int livesFor) throws IOException {
        written.add(arguments[0] + " " + arguments[1] + " x " + arguments[2]);
        if (written.size() > livesFor) {
            throw new PeerGoneException("the peer did not acknowledge");
        }
        return 1;
    }

    @Test
    void endsOnceTheDeviceOfASilentClientAnswersNoMore() {
        RunMonitor monitor = new RunMonitor();
        Observer observer = new Observer() {};
        try (RawServing.Drainer drainer =
                new RawServing.Drainer(conn(3), observer, new CellCollector(observer), monitor)) {
            assertThatThrownBy(drainer::drain)
                    .isInstanceOf(PeerGoneException.class)
                    .hasMessageContaining("did not acknowledge");
        }
        assertThat(written).hasSize(4).containsOnly(RawVerb.WRITE + " 1 x 0");
    }
}
