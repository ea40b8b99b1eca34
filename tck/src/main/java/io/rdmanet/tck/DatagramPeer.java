package io.rdmanet.tck;

import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.VerbsProvider;
import java.time.Duration;

/// A sender of datagrams in a process of its own. Run by [PeerProcess].
final class DatagramPeer {
    static final int LENGTH = 200;

    private static final int DEPTH = 16;

    private DatagramPeer() {}

    /// Sends datagrams, each of which must be echoed before the next, or floods the receiver until
    /// it is killed if their number is 0.
    ///
    /// @param arguments provider, device, GID in two decimal halves, queue pair, number, seconds of
    ///   patience
    public static void main(String[] arguments) throws Exception {
        VerbsProvider provider =
                ProviderSelection.choose(ProviderSelection.installed(), arguments[0]).provider();
        GlobalIdentifier gid =
                new GlobalIdentifier(Long.parseLong(arguments[2]), Long.parseLong(arguments[3]));
        int queuePair = Integer.parseInt(arguments[4]);
        int count = Integer.parseInt(arguments[5]);
        Duration patience = Duration.ofSeconds(Long.parseLong(arguments[6]));
        try (Context context = provider.open(arguments[1]);
                DatagramEnd end =
                        DatagramEnd.open(context, PairOptions.ofDepth(DEPTH, DEPTH), patience)) {
            if (count == 0) {
                flood(end, gid, queuePair);
            } else {
                converse(end, gid, queuePair, count);
            }
        }
    }

    private static void converse(DatagramEnd end, GlobalIdentifier gid, int queuePair, int count)
            throws Exception {
        MemoryRegion source = end.memory(1, LENGTH);
        MemoryRegion target = end.memory(1, LENGTH);
        for (int i = 0; i < count; i++) {
            Payload.fill(source.segment(), 0, LENGTH, i);
            end.postReceives(1, target, LENGTH);
            end.send(i, source, 0, LENGTH, gid, queuePair, DatagramEnd.QUEUE_KEY);
            end.sends().takeSuccesses(1);
            end.receives().takeSuccesses(1);
            Payload.assertHolds(target.segment(), DatagramEnd.ROUTE, LENGTH, i);
        }
        System.out.println("echoed " + count);
    }

    private static void flood(DatagramEnd end, GlobalIdentifier gid, int queuePair)
            throws Exception {
        MemoryRegion source = end.memory(1, LENGTH);
        Payload.fill(source.segment(), 0, LENGTH, 0);
        for (int i = 0; true; i++) {
            end.send(i, source, 0, LENGTH, gid, queuePair, DatagramEnd.QUEUE_KEY);
            end.sends().takeSuccesses(1);
            if (i == 100) {
                System.out.println("running");
            }
        }
    }
}
