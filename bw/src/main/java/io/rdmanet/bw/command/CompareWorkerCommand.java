package io.rdmanet.bw.command;

import io.rdmanet.ConnectionSetup;
import io.rdmanet.EndpointOptions;
import io.rdmanet.PollMode;
import io.rdmanet.bw.run.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The processes that `compare` starts. Not for users: it takes its commands from standard input
/// and ends when that ends.
@Command(name = "compare-worker", hidden = true, description = "One end of a comparison.")
final class CompareWorkerCommand implements Callable<Integer> {
    private static final String SERVER = "server";

    private final Terminal terminal;

    @Option(names = "--role", required = true)
    private String role = "";

    @Option(names = "--provider", required = true)
    private String provider = "";

    @Option(names = "--address", required = true)
    private String address = "";

    @Option(names = "--batch", required = true)
    private int batch;

    @Option(names = "--poll", required = true)
    private PollMode pollMode = PollMode.ADAPTIVE;

    @Option(names = "--setup", required = true)
    private ConnectionSetup setup = ConnectionSetup.RDMA_CM;

    @Option(names = "--timeout-nanos", required = true)
    private long timeoutNanos;

    @Option(names = "--run-nanos", required = true)
    private long runNanos;

    @Option(names = "--warmup-nanos", required = true)
    private long warmUpNanos;

    CompareWorkerCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /// The arguments that make a worker.
    static List<String> arguments(String role, Worker.Plan plan) {
        List<String> arguments = new ArrayList<>();
        arguments.add("compare-worker");
        arguments.add("--role=" + role);
        arguments.add("--provider=" + plan.endpoint().provider());
        arguments.add("--address=" + plan.address());
        arguments.add("--batch=" + plan.batch());
        arguments.add("--poll=" + plan.pollMode());
        arguments.add("--setup=" + plan.endpoint().setup());
        arguments.add("--timeout-nanos=" + plan.endpoint().timeout().toNanos());
        arguments.add("--run-nanos=" + plan.runNanos());
        arguments.add("--warmup-nanos=" + plan.warmUpNanos());
        return arguments;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        EndpointOptions endpoint =
                EndpointOptions.defaults()
                        .withProvider(provider)
                        .withSetup(setup)
                        .withTimeout(Duration.ofNanos(timeoutNanos));
        Worker worker =
                new Worker(
                        new Worker.Plan(endpoint, address, batch, pollMode, runNanos, warmUpNanos),
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                        terminal.out());
        if (role.equals(SERVER)) {
            worker.serve();
        } else {
            worker.measure();
        }
        return ExitStatus.FINE;
    }
}
