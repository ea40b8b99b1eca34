package io.rdmanet.ffm.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// `SlotAccount.freed`: two polling threads push, the posting thread takes all.
///
/// Were the push not atomic, a slot could be lost, and the shared receive queue would shrink for
/// good; were it not a release, the posting thread could follow a chain that is not there yet, and
/// hand out a slot twice.
@JCStressTest
@Outcome(id = "1, 2, 2", expect = Expect.ACCEPTABLE, desc = "both slots came back, once each")
@Outcome(expect = Expect.FORBIDDEN, desc = "a slot was lost, or given twice")
@State
public class SlotAccountStress {
    private static final int COUNT = 2;
    private static final SlotAccount ANY = new SlotAccount(NoDevice.OWNER, COUNT, 0);
    private static final RequestChain FIRST = NoDevice.chain(ANY, COUNT, 1);
    private static final RequestChain REST = NoDevice.chain(ANY, COUNT, 10);

    private final SlotAccount account = new SlotAccount(NoDevice.OWNER, COUNT, 0);
    private int early;

    public SlotAccountStress() {
        account.begin(FIRST, 0, COUNT);
    }

    @Actor
    public void leftPoller(III_Result result) {
        result.r1 = (int) account.complete(0);
    }

    @Actor
    public void rightPoller(III_Result result) {
        result.r2 = (int) account.complete(1);
    }

    @Actor
    public void poster() {
        early = account.begin(REST, 0, COUNT);
    }

    @Arbiter
    public void count(III_Result result) {
        result.r3 = early + account.begin(REST, 0, COUNT);
    }
}
