package io.rdmanet.bench.end;

import io.rdmanet.bw.run.WorkerProtocol;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// One of the two processes of a measurement. It carries out errands that it reads from standard
/// input, one a line, fields separated by tabs, and answers each with one line: the errand's name
/// and the result, or FAILED and the reason.
///
/// It ends when its standard input ends, and so with its parent, however that died.
public final class End {
    /// Ends the process at once: nobody is left to tell.
    private static final int ORPHANED = 3;

    private End() {}

    /// Runs until standard input ends.
    @SuppressWarnings("SystemOut") // that is where the parent reads
    public static void main(String[] arguments) throws InterruptedException {
        Map<String, Errand> errands = new LinkedHashMap<>();
        new TierErrands().addTo(errands);
        new LatencyErrands().addTo(errands);
        new HandoffErrands().addTo(errands);
        new AeronErrands().addTo(errands);
        new IdleErrands().addTo(errands);
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().name("errands").start(() -> read(lines));
        answer(WorkerProtocol.READY);
        while (true) {
            List<String> fields = WorkerProtocol.fields(lines.take());
            answer(carriedOut(fields, errands));
        }
    }

    // All the time, not between errands: an end in the middle of one must notice, too.
    private static void read(BlockingQueue<String> lines) {
        try (BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(ORPHANED);
    }

    private static Object[] carriedOut(List<String> fields, Map<String, Errand> errands) {
        Errand errand = errands.get(fields.getFirst());
        if (errand == null) {
            return new Object[] {WorkerProtocol.FAILED, "no such errand: " + fields};
        }
        try {
            List<Object> answer = new ArrayList<>();
            answer.add(fields.getFirst());
            answer.addAll(errand.carryOut(new Words(fields)));
            return answer.toArray();
        } catch (Exception e) {
            return new Object[] {WorkerProtocol.FAILED, fields.getFirst() + ": " + e};
        }
    }

    @SuppressWarnings("SystemOut") // that is where the parent reads
    private static void answer(Object... fields) {
        System.out.println(WorkerProtocol.line(fields));
        System.out.flush();
    }
}
