package io.rdmanet.bw.run;

import io.rdmanet.bw.run.ComparisonResult.CellCost;
import io.rdmanet.bw.run.ComparisonResult.CopyResult;
import io.rdmanet.bw.run.ComparisonResult.LeftOut;
import io.rdmanet.verbs.VerbsProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Measures every provider x mode x size side by side.
///
/// Each provider has two processes, a server and a client, that live as long as the comparison, so
/// that their code stays compiled. The repeats are the outer loop and the cells the inner one: a
/// machine that slows down for a while slows down all cells, not one. The copy limit is measured in
/// the same rounds. The first round is a warm-up and counts for nothing. In one more round probes
/// take the time of posting and polling; its rates count for nothing either.
///
/// Belongs to one thread; [#soFar()] and [#end()] may come from any.
public final class Comparison implements AutoCloseable {
    /// A Java process until it listens, or its first messages: a second, or half a minute on an
    /// emulated processor. One that ends or fails instead is noticed at once, so nobody waits this
    /// long but for one that hangs.
    private static final Duration START_UP = Duration.ofMinutes(2);

    private final ComparisonPlan plan;
    private final Class<?> mainClass;
    private final WorkerLauncher launcher;
    private final Consumer<String> progress;
    private final List<LeftOut> leftOut = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<ProviderRun> providers = new ArrayList<>();
    private final List<CopyLimit> limits = new ArrayList<>();

    // Guarded by this, for soFar().
    private final Map<Cell, List<CellResult>> results = new LinkedHashMap<>();
    private final Map<Integer, List<Rate>> copies = new LinkedHashMap<>();
    private final List<CellCost> costs = new ArrayList<>();
    private boolean isClosed;

    /// Starts a worker process.
    @FunctionalInterface
    public interface WorkerLauncher {
        /// The arguments of the program that make it a worker.
        ///
        /// @param role `server` or `client`
        List<String> arguments(String role, Worker.Plan plan);
    }

    private record Cell(String provider, Mode mode, int size) {}

    private record ProviderRun(
            String name, WorkerProcess server, WorkerProcess client, int messagePort, int rawPort) {
        int port(Mode mode) {
            return mode == Mode.RAW ? rawPort : messagePort;
        }
    }

    /// @param mainClass where the program begins
    /// @param launcher how to make it a worker
    /// @param progress is shown a word or two before each cell
    public Comparison(
            ComparisonPlan plan,
            Class<?> mainClass,
            WorkerLauncher launcher,
            Consumer<String> progress) {
        this.plan = plan;
        this.mainClass = mainClass;
        this.launcher = launcher;
        this.progress = progress;
    }

    /// Measures.
    ///
    /// @param installed the providers there are
    /// @throws IllegalArgumentException if the plan names a provider that is not among them
    public ComparisonResult measure(List<VerbsProvider> installed) {
        ProviderChoice choice = ProviderChoice.of(installed, plan.providers());
        leftOut.addAll(choice.leftOut());
        for (VerbsProvider provider : choice.usable()) {
            progress.accept("starting " + provider.name());
            try {
                start(provider, installed);
            } catch (IOException e) {
                drop(provider.name(), e);
            }
        }
        try {
            for (int size : plan.sizes()) {
                limits.add(new CopyLimit(size, copyBuffers(size)));
            }
            for (int round = 0; round <= plan.repeats(); round++) {
                measureRound(round);
            }
            measureCosts();
        } finally {
            limits.forEach(CopyLimit::close);
        }
        return soFar();
    }

    private void start(VerbsProvider provider, List<VerbsProvider> installed) throws IOException {
        String address =
                plan.address().isEmpty()
                        ? ProviderChoice.addressOf(provider, installed)
                        : plan.address();
        Worker.Plan worker = Worker.Plan.of(plan, provider.name(), address);
        Duration startUp = plan.timeout().compareTo(START_UP) > 0 ? plan.timeout() : START_UP;
        WorkerProcess server = startWorker("server", worker);
        WorkerProcess client = null;
        try {
            client = startWorker("client", worker);
            List<String> ready = server.await(WorkerProtocol.READY, startUp);
            client.await(WorkerProtocol.READY, startUp);
            add(
                    new ProviderRun(
                            provider.name(),
                            server,
                            client,
                            Integer.parseInt(ready.get(1)),
                            Integer.parseInt(ready.get(2))));
        } catch (IOException e) {
            server.close();
            if (client != null) {
                client.close();
            }
            throw e;
        }
    }

    private WorkerProcess startWorker(String role, Worker.Plan worker) throws IOException {
        return WorkerProcess.start(
                worker.endpoint().provider() + "'s " + role,
                JavaCommand.of(mainClass, launcher.arguments(role, worker)));
    }

    private synchronized void add(ProviderRun run) throws RunFailedException {
        if (isClosed) {
            throw new RunFailedException("the comparison was ended");
        }
        providers.add(run);
    }

    private void measureRound(int round) {
        String label = round == 0 ? "warming up" : "round " + round + "/" + plan.repeats();
        for (int i = 0; i < limits.size(); i++) {
            int size = plan.sizes().get(i);
            progress.accept(label + ": copy limit, " + size + " bytes");
            Rate rate = limits.get(i).measure(plan.runNanos() / 2);
            if (round > 0) {
                note(size, rate);
            }
        }
        for (Mode mode : plan.modes()) {
            for (int size : plan.sizes()) {
                for (ProviderRun provider : running()) {
                    progress.accept(
                            label
                                    + ": "
                                    + provider.name()
                                    + " "
                                    + mode.label()
                                    + ", "
                                    + size
                                    + " bytes");
                    try {
                        Duration more = round == 0 ? START_UP : Duration.ZERO;
                        CellResult result = measureCell(provider, mode, size, false, more);
                        if (round > 0) {
                            note(new Cell(provider.name(), mode, size), result);
                        }
                    } catch (IOException e) {
                        drop(provider, e);
                    }
                }
            }
        }
    }

    private void measureCosts() {
        for (Mode mode : plan.modes()) {
            for (int size : plan.sizes()) {
                for (ProviderRun provider : running()) {
                    progress.accept(
                            "probing: " + provider.name() + " " + mode.label() + ", " + size);
                    try {
                        CellResult result = measureCell(provider, mode, size, true, START_UP);
                        note(
                                new CellCost(
                                        provider.name(),
                                        mode,
                                        size,
                                        result.repeats().getFirst().probe()));
                    } catch (IOException e) {
                        drop(provider, e);
                    }
                }
            }
        }
    }

    /// @param more patience than the timeout, for code that has not run before
    private CellResult measureCell(
            ProviderRun provider, Mode mode, int size, boolean probes, Duration more)
            throws IOException {
        provider.client()
                .tell(WorkerProtocol.CELL, mode.label(), size, provider.port(mode), probes);
        Duration patience =
                plan.timeout().plus(more).plusNanos(plan.warmUpNanos() + plan.runNanos());
        return WorkerProtocol.parseDone(
                provider.client().await(WorkerProtocol.DONE, patience),
                provider.name(),
                mode,
                size);
    }

    private int copyBuffers(int size) {
        return Buffers.count(ComparisonPlan.DEPTH, size);
    }

    private synchronized List<ProviderRun> running() {
        return List.copyOf(providers);
    }

    private synchronized void note(int size, Rate rate) {
        copies.computeIfAbsent(size, key -> new ArrayList<>()).add(rate);
    }

    private synchronized void note(CellCost cost) {
        costs.add(cost);
    }

    private synchronized void note(Cell cell, CellResult result) {
        results.computeIfAbsent(cell, key -> new ArrayList<>()).add(result);
    }

    /// A provider that failed is measured no further.
    private void drop(ProviderRun provider, IOException failure) {
        synchronized (this) {
            providers.remove(provider);
        }
        provider.client().close();
        provider.server().close();
        String words = provider.server().lastWords();
        drop(
                provider.name(),
                words.isEmpty() ? failure : new RunFailedException(failure.getMessage() + words));
    }

    private synchronized void drop(String provider, IOException failure) {
        if (!isClosed) {
            leftOut.add(new LeftOut(provider, "failed: " + failure.getMessage()));
            failures.add(String.valueOf(failure.getMessage()));
        }
    }

    /// What was measured up to now.
    public synchronized ComparisonResult soFar() {
        List<CellResult> cells = new ArrayList<>();
        results.values().forEach(repeats -> cells.add(joined(repeats)));
        List<CopyResult> copyResults = new ArrayList<>();
        copies.forEach((size, rates) ->
                copyResults.add(new CopyResult(size, copyBuffers(size), List.copyOf(rates))));
        return new ComparisonResult(cells, copyResults, costs, leftOut, failures);
    }

    private static CellResult joined(List<CellResult> repeats) {
        return new CellResult(
                repeats.getFirst().setting(),
                repeats.stream().flatMap(repeat -> repeat.repeats().stream()).toList());
    }

    /// Ends all workers; the comparison measures no more.
    public void end() {
        List<ProviderRun> running;
        synchronized (this) {
            isClosed = true;
            running = List.copyOf(providers);
            providers.clear();
        }
        for (ProviderRun provider : running) {
            provider.client().close();
            provider.server().close();
        }
    }

    @Override
    public void close() {
        end();
    }
}
