package io.rdmanet.bw.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A worker process seen from the comparison: starts it, asks it, ends it.
///
/// Belongs to one thread; [#close()] may come from any.
public final class WorkerProcess implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int KEPT_ERROR_LINES = 20;
    private static final String END = "";

    private final String name;
    private final Process process;
    private final Writer commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Deque<String> errors = new ArrayDeque<>();

    private WorkerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        read("answers", process.getInputStream(), answers::add, () -> answers.add(END));
        read("errors", process.getErrorStream(), this::keepError, () -> {});
    }

    /// Starts a worker.
    ///
    /// @param name for error messages
    public static WorkerProcess start(String name, List<String> command) throws IOException {
        return new WorkerProcess(name, new ProcessBuilder(command).start());
    }

    private void read(String what, InputStream stream, Consumer<String> sink, Runnable atEnd) {
        Thread.ofPlatform()
                .daemon()
                .name(name + " " + what)
                .start(() -> {
                    try (BufferedReader lines =
                            new BufferedReader(
                                    new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        lines.lines().forEach(sink);
                    } catch (IOException | java.io.UncheckedIOException e) {
                        // The process has ended.
                    } finally {
                        atEnd.run();
                    }
                });
    }

    private void keepError(String line) {
        synchronized (errors) {
            if (errors.size() == KEPT_ERROR_LINES) {
                errors.removeFirst();
            }
            errors.addLast(line);
        }
    }

    /// Sends a command.
    public void tell(Object... fields) throws IOException {
        try {
            commands.write(WorkerProtocol.line(fields) + "\n");
            commands.flush();
        } catch (IOException e) {
            throw failure("does not take commands any more", e);
        }
    }

    /// Waits for an answer.
    ///
    /// @param word what it begins with
    /// @return its fields, the word among them
    public List<String> await(String word, Duration timeout) throws IOException {
        String line;
        try {
            line = answers.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("was not waited for: interrupted", e);
        }
        if (line == null) {
            throw failure("did not answer within " + Timeouts.seconds(timeout) + " s", null);
        }
        if (line.equals(END)) {
            throw failure("ended" + exitStatus(), null);
        }
        List<String> fields = WorkerProtocol.fields(line);
        if (fields.getFirst().equals(WorkerProtocol.FAILED)) {
            throw failure("failed: " + String.join(" ", fields.subList(1, fields.size())), null);
        }
        if (!fields.getFirst().equals(word)) {
            throw failure("answered '" + line + "' instead of " + word, null);
        }
        return fields;
    }

    /// What the process said of its own accord, or an empty string.
    public String lastWords() {
        StringBuilder words = new StringBuilder();
        for (String line = answers.poll(); line != null; line = answers.poll()) {
            words.append(line.equals(END) ? "" : "; " + name + ": " + line.replace('\t', ' '));
        }
        return words.toString();
    }

    private String exitStatus() {
        try {
            if (process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                return " with status " + process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "";
    }

    private RunFailedException failure(String what, @Nullable Exception cause) {
        StringBuilder detail = new StringBuilder(name).append(' ').append(what);
        synchronized (errors) {
            for (String line : errors) {
                detail.append("; it said: ").append(line);
            }
        }
        return cause == null
                ? new RunFailedException(detail.toString())
                : new RunFailedException(detail.toString(), cause);
    }

    @Override
    public void close() {
        try {
            // The end of its input ends it.
            process.getOutputStream().close();
            if (process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (IOException e) {
            // It has ended already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
