package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.GlobalIdentifier;

/// A process that begins to deliver a datagram and does not end.
final class ClaimingChild {
    private ClaimingChild() {}

    /// Takes the claim of a queue pair and, unless told otherwise, a receive; and waits to be
    /// killed.
    ///
    /// @param arguments the receiver's GID in two halves, its number, `claim` or `take`
    public static void main(String[] arguments) throws Exception {
        GlobalIdentifier gid =
                new GlobalIdentifier(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]));
        int number = Integer.parseInt(arguments[2]);
        LoopbackContext context = LoopbackContext.open(new LoopbackProvider());
        RemoteQueuePair receiver = RemoteQueuePair.attach(context.hub().peer(gid), gid, number);
        if (!receiver.claim().tryBegin(context.hub().instance().id())) {
            throw new AssertionError("somebody has the claim");
        }
        receiver.resumeDatagrams();
        if (arguments[3].equals("take")) {
            long entry = receiver.nextDatagramReceive(0);
            System.out.println("taken " + Words.intAt(entry + 8));
        } else {
            System.out.println("claimed");
        }
        Thread.sleep(60_000);
    }
}
