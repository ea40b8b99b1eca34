package io.rdmanet.ffm.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// `OrderedAccount.completed`: polling thread's release, posting thread's acquire; with a queue of
/// one.
///
/// Without the pair the next request's identifier could overwrite that of the request which is
/// being completed: the caller would be told of the second request twice and of the first never.
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "posted too early: full")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "completed, then posted into its place")
@Outcome(expect = Expect.FORBIDDEN, desc = "the place was re-used while it was read")
@State
public class OrderedAccountStress {
    private static final OrderedAccount ANY = new OrderedAccount(NoDevice.OWNER, 1);
    private static final RequestChain FIRST = NoDevice.chain(ANY, 1, 1);
    private static final RequestChain SECOND = NoDevice.chain(ANY, 1, 2);

    private final OrderedAccount account = new OrderedAccount(NoDevice.OWNER, 1);

    public OrderedAccountStress() {
        account.begin(FIRST, 0, 1);
    }

    @Actor
    public void poller(II_Result result) {
        result.r1 = (int) account.complete(0);
        account.freeThrough(0);
    }

    @Actor
    public void poster(II_Result result) {
        result.r2 = account.begin(SECOND, 0, 1);
    }
}
