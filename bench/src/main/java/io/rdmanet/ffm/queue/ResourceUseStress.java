package io.rdmanet.ffm.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// [NamedResource]: the posting thread notes that a request names the resource and looks whether it
/// is closed; the closing thread does the reverse, with the handshake between.
///
/// Without the handshake both could miss the other's note: memory would be freed that a posted
/// request still names.
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "closed first: the post is refused")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "posted first: closing is refused")
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "at once: both are refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "closed while it is in use")
@State
public class ResourceUseStress {
    private final NamedResource resource = new NamedResource();
    private final ResourceUse use = resource.useBy(new OrderedAccount(NoDevice.OWNER, 1));

    @Actor
    public void poster(II_Result result) {
        use.noteAt(0);
        result.r1 = resource.isClosed() ? 0 : 1;
    }

    @Actor
    public void closer(II_Result result) {
        try {
            resource.close("dereg_mr");
            result.r2 = 1;
        } catch (IllegalStateException inUse) {
            result.r2 = 0;
        }
    }
}
