package io.rdmanet.bw.run;

import io.rdmanet.ConnectionSetup;
import io.rdmanet.EndpointOptions;
import io.rdmanet.PollMode;
import io.rdmanet.RawVerb;
import io.rdmanet.bw.run.ClientPlan.RawPosting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// What a worker process of a comparison does: serve for ever, or measure the cells it is told.
/// [WorkerProtocol] has the lines.
public final class Worker {
    /// Ends the process at once: nobody is left to tell.
    private static final int ORPHANED = 3;

    private static final int FAILED = 1;

    private final Plan plan;
    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private final PrintStream answers;

    /// What all cells of a worker have in common.
    ///
    /// @param endpoint provider, set-up and deadline
    /// @param address where to listen or connect
    /// @param batch messages per call, in the modes that have batches
    /// @param pollMode how threads wait
    /// @param runNanos how long a cell is measured
    /// @param warmUpNanos how long it runs before
    public record Plan(
            EndpointOptions endpoint,
            String address,
            int batch,
            PollMode pollMode,
            long runNanos,
            long warmUpNanos) {
        static Plan of(ComparisonPlan comparison, String provider, String address) {
            return new Plan(
                    EndpointOptions.defaults()
                            .withProvider(provider)
                            .withSetup(
                                    comparison.usesTcpHandshake()
                                            ? ConnectionSetup.TCP
                                            : ConnectionSetup.RDMA_CM)
                            .withTimeout(comparison.timeout()),
                    address,
                    comparison.batch(),
                    comparison.pollMode(),
                    comparison.runNanos(),
                    comparison.warmUpNanos());
        }
    }

    /// @param input commands; its end ends the process
    /// @param answers where to answer
    public Worker(Plan plan, BufferedReader input, PrintStream answers) {
        this.plan = plan;
        this.answers = answers;
        Thread.ofPlatform().daemon().name("commands").start(() -> readCommands(input));
    }

    // Not between cells but all the time: a worker in the middle of one must notice, too.
    private void readCommands(BufferedReader input) {
        try {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                commands.add(line);
            }
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(ORPHANED);
    }

    /// Serves clients of both kinds until the process ends.
    public void serve() throws IOException, InterruptedException {
        Observer silent = new Observer() {};
        InetSocketAddress anyPort = new InetSocketAddress(plan.address(), 0);
        try (Server messages = Server.listen(serverPlan(anyPort, false), silent, new RunMonitor());
                Server raw = Server.listen(serverPlan(anyPort, true), silent, new RunMonitor())) {
            Thread.ofPlatform().daemon().name("raw server").start(() -> serve(raw));
            Thread.ofPlatform().daemon().name("message server").start(() -> serve(messages));
            answer(WorkerProtocol.READY, messages.address().getPort(), raw.address().getPort());
            // The reader of commands ends the process; there is nothing else to wait for.
            Thread.currentThread().join();
        }
    }

    private void serve(Server server) {
        try {
            server.serve();
        } catch (IOException | RuntimeException e) {
            // Without one of its servers a worker is of no use, and its peer must not wait for it.
            answer(WorkerProtocol.FAILED, e);
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private ServerPlan serverPlan(InetSocketAddress address, boolean isRaw) {
        return new ServerPlan(address, plan.endpoint(), isRaw, 0, 0, plan.pollMode(), true, false);
    }

    /// Measures the cells it is told until the process ends.
    public void measure() throws InterruptedException {
        answer(WorkerProtocol.READY);
        while (true) {
            List<String> fields = WorkerProtocol.fields(commands.take());
            try {
                measureCell(
                        Mode.ofLabel(fields.get(1)),
                        Integer.parseInt(fields.get(2)),
                        Integer.parseInt(fields.get(3)),
                        Boolean.parseBoolean(fields.get(4)));
            } catch (IOException | RuntimeException e) {
                answer(WorkerProtocol.FAILED, e.getMessage() == null ? e : e.getMessage());
            }
        }
    }

    private void measureCell(Mode mode, int size, int port, boolean probes) throws IOException {
        boolean hasBatches = mode == Mode.BATCH || mode == Mode.ZERO_COPY;
        ClientPlan cell =
                new ClientPlan(
                        new InetSocketAddress(plan.address(), port),
                        plan.endpoint(),
                        mode,
                        List.of(size),
                        0,
                        plan.runNanos(),
                        hasBatches ? plan.batch() : 1,
                        ComparisonPlan.DEPTH,
                        plan.pollMode(),
                        RawPosting.CHAINED,
                        RawVerb.SEND,
                        false,
                        plan.warmUpNanos(),
                        1,
                        false,
                        probes,
                        0);
        CellResult result =
                new Client(cell, new Observer() {}, new RunMonitor()).measure().getFirst();
        synchronized (answers) {
            answers.println(WorkerProtocol.done(result));
            answers.flush();
        }
    }

    private void answer(Object... fields) {
        synchronized (answers) {
            answers.println(WorkerProtocol.line(fields));
            answers.flush();
        }
    }
}
