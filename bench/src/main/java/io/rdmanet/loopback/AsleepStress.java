package io.rdmanet.loopback;

import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// `DeviceThread.isAsleep` against `SendQueue.posted`: the poster posts, and after a full fence
/// looks whether the device's thread sleeps; that thread says that it sleeps, and after a full
/// fence looks for work. The field stands here for the device's, whose thread cannot be had in
/// thousands.
///
/// Without either fence both could miss each other: a send that met no posted receive would be
/// tried again by nobody.
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "woken")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "found before sleeping")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "asleep with work to do")
@State
public class AsleepStress {
    private final SendQueue queue = new SendQueue(1, 0, 0, false);
    private final LoopbackPostSend send = Prepared.sends(1, 1);
    private volatile boolean isAsleep;

    @Actor
    public void poster(II_Result result) {
        queue.post(send.requests(), 0, 1, false);
        VarHandle.fullFence();
        result.r1 = isAsleep ? 1 : 0;
    }

    @Actor
    public void device(II_Result result) {
        isAsleep = true;
        VarHandle.fullFence();
        result.r2 = queue.hasUnfinished() ? 1 : 0;
    }
}
