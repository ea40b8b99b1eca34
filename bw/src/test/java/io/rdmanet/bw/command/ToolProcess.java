package io.rdmanet.bw.command;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The tool as a user starts it: a process of its own, on the module path.
final class ToolProcess implements AutoCloseable {
    /// Long enough for a machine that is busy with other things.
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Pattern LISTENING = Pattern.compile("listening on .*:(\\d+)");

    /// What a test has on its paths beside the tool.
    private static final Pattern NOT_THE_TOOL =
            Pattern.compile(
                    "(junit|assertj|archunit|apiguardian|opentest4j|byte-buddy|surefire|"
                            + "rdmanet-tck|plexus|test-classes).*");

    private final String name;
    private final Process process;
    private final Thread[] readers;
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();

    private ToolProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        readers =
                new Thread[] {
                    read(process.getInputStream(), out), read(process.getErrorStream(), err)
                };
    }

    /// Starts the tool.
    ///
    /// @param commandLine its arguments, separated by spaces
    static ToolProcess start(String commandLine) throws IOException {
        return start(List.of(), commandLine);
    }

    /// Starts the tool.
    ///
    /// @param javaOptions what RDMANET_JAVA_OPTS would hold
    /// @param commandLine its arguments, separated by spaces
    static ToolProcess start(List<String> javaOptions, String commandLine) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                System.getProperty("java.home") + "/bin/java",
                                "-XX:+UseSerialGC",
                                "-Xmx512m",
                                // Starts sooner; these tests do not look at speed.
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=io.rdmanet.loopback",
                                "--illegal-native-access=deny"));
        command.addAll(javaOptions);
        command.addAll(
                List.of(
                        "--module-path",
                        modulePath(),
                        "-m",
                        "io.rdmanet.bw/" + Main.class.getName()));
        command.addAll(List.of(commandLine.split(" ")));
        return new ToolProcess("rdmanet-bw " + commandLine, new ProcessBuilder(command).start());
    }

    private static String modulePath() {
        return Stream.of("jdk.module.path", "surefire.test.class.path", "java.class.path")
                .map(property -> System.getProperty(property, ""))
                .flatMap(path -> Arrays.stream(path.split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .filter(Files::exists)
                .filter(entry -> !NOT_THE_TOOL.matcher(entry.getFileName().toString()).matches())
                .map(Path::toString)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Thread read(InputStream stream, List<String> lines) {
        return Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try (BufferedReader reader =
                            new BufferedReader(
                                    new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        for (String line = reader.readLine();
                                line != null;
                                line = reader.readLine()) {
                            synchronized (lines) {
                                lines.add(line);
                                lines.notifyAll();
                            }
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /// Lines of standard output up to now.
    List<String> out() {
        synchronized (out) {
            return List.copyOf(out);
        }
    }

    /// Lines of standard error up to now.
    List<String> err() {
        synchronized (err) {
            return List.copyOf(err);
        }
    }

    /// The process as the operating system has it.
    ProcessHandle handle() {
        return process.toHandle();
    }

    /// Waits until the server says where it listens.
    int awaitPort() throws InterruptedException {
        return Integer.parseInt(awaitLine(LISTENING).group(1));
    }

    /// Waits for a line of standard output that contains something.
    Matcher awaitLine(Pattern pattern) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        synchronized (out) {
            while (true) {
                for (String line : out) {
                    Matcher matcher = pattern.matcher(line);
                    if (matcher.find()) {
                        return matcher;
                    }
                }
                long millis = (deadline - System.nanoTime()) / 1_000_000;
                if (millis <= 0 || !process.isAlive()) {
                    throw new AssertionError("no line with " + pattern + "; " + this);
                }
                out.wait(Math.min(millis, 100));
            }
        }
    }

    /// Waits for the end and all output.
    ///
    /// @return the exit status
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("did not end within " + PATIENCE + "; " + this);
        }
        for (Thread reader : readers) {
            reader.join(PATIENCE.toMillis());
        }
        return process.exitValue();
    }

    /// What kill -9 does.
    void kill() {
        process.destroyForcibly();
    }

    /// Ends it as Ctrl-C does, but by SIGTERM: Java takes no SIGINT in a process that inherited it
    /// ignored, as everything does that a shell started in the background.
    void interrupt() {
        // Process.destroy() would close the streams, and with them what it prints at the end.
        process.toHandle().destroy();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return name + "\nout: " + out() + "\nerr: " + err();
    }
}
