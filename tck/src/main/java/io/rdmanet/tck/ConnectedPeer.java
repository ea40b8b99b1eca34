package io.rdmanet.tck;

import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.VerbsProvider;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// One end of a connection in a process of its own, which sends. Run by [PeerProcess].
///
/// It prints `queue pair GID-HIGH GID-LOW NUMBER`, connects, waits for the line `go` and sends.
final class ConnectedPeer {
    static final int LENGTH = 500;
    static final int SEQUENCE = 0x123456;

    private static final int DEPTH = 8;

    private ConnectedPeer() {}

    /// Sends messages numbered from 0, for ever if their number is 0.
    ///
    /// @param arguments provider, device, GID of the other end in two decimal halves, its queue
    ///   pair, number, seconds of patience
    public static void main(String[] arguments) throws Exception {
        VerbsProvider provider =
                ProviderSelection.choose(ProviderSelection.installed(), arguments[0]).provider();
        GlobalIdentifier gid =
                new GlobalIdentifier(Long.parseLong(arguments[2]), Long.parseLong(arguments[3]));
        int queuePair = Integer.parseInt(arguments[4]);
        int count = Integer.parseInt(arguments[5]);
        Duration patience = Duration.ofSeconds(Long.parseLong(arguments[6]));
        try (Context context = provider.open(arguments[1]);
                PairEnd end =
                        new PairEnd(
                                context,
                                PairOptions.ofDepth(DEPTH, 1),
                                patience,
                                ProtectionDomain::createQueuePair)) {
            Path path = Path.toItself(context);
            GlobalIdentifier own = path.vector().destinationGid();
            System.out.println(
                    "queue pair " + own.high() + " " + own.low() + " " + end.queuePair().number());
            end.queuePair().modify(path.toInit(end.fullAccess()));
            end.queuePair().modify(path.to(gid).toReadyToReceive(queuePair, SEQUENCE));
            end.queuePair().modify(ConnectedPair.toReadyToSend(SEQUENCE, end.options()));
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            sendAll(end, count);
            System.out.println("sent " + count);
        }
    }

    private static void sendAll(PairEnd end, int count) throws Exception {
        MemoryRegion source = end.memory((long) DEPTH * LENGTH);
        int outstanding = 0;
        for (int i = 0; count == 0 || i < count; i++) {
            if (outstanding == DEPTH) {
                end.sends().takeSuccesses(1);
                outstanding--;
            }
            long offset = (long) (i % DEPTH) * LENGTH;
            Payload.fill(source.segment(), offset, LENGTH, i);
            end.postSend(i, source, offset, LENGTH);
            outstanding++;
        }
        end.sends().takeSuccesses(outstanding);
    }
}
