package io.rdmanet.tck;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Another Java process with this one's modules and classes, to be killed without a warning. It
/// gets the further options of Java in the system property `rdmanet.tck.peerOptions`, if any.
final class PeerProcess implements AutoCloseable {
    private static final Pattern SPACES = Pattern.compile(" +");

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();
    private boolean isKilled;

    private PeerProcess(Process process) {
        this.process = process;
        Thread.ofVirtual().start(this::readLines);
    }

    /// Starts a class's main method.
    static PeerProcess start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-XX:+ErrorFileToStdout");
        SPACES.splitAsStream(System.getProperty("rdmanet.tck.peerOptions", ""))
                .filter(option -> !option.isEmpty())
                .forEach(command::add);
        // What a provider needs besides: this process got it, too.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-exports="))
                .forEach(command::add);
        String modulePath = System.getProperty("jdk.module.path");
        if (modulePath != null) {
            command.addAll(List.of("--module-path", modulePath));
            command.addAll(List.of("--add-modules", "ALL-MODULE-PATH"));
        }
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(List.of(arguments));
        return new PeerProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /// Surefire hides the real path behind a jar that only has a manifest, and tells it here.
    private static String classPath() {
        String real = System.getProperty("surefire.test.class.path");
        return real != null ? real : System.getProperty("java.class.path", "");
    }

    private void readLines() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            String line = reader.readLine();
            while (line != null) {
                lines.add(line);
                line = reader.readLine();
            }
        } catch (IOException killed) {
            // Then there are no more lines.
        }
    }

    /// Waits until the process prints a line that begins so.
    ///
    /// @return the rest of that line
    String awaitLine(String beginning, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            String line = lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("the peer did not print " + beginning + ", but " + seen);
            }
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length());
            }
            seen.add(line);
        }
    }

    /// Writes a line to its standard input.
    void tell(String line) throws IOException {
        BufferedWriter writer = process.outputWriter(StandardCharsets.UTF_8);
        writer.write(line);
        writer.newLine();
        writer.flush();
    }

    /// Waits until it has ended.
    void awaitEnd(Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("the peer has not ended within " + patience);
        }
    }

    /// Kills it as `kill -9` does.
    void kill() {
        isKilled = true;
        process.destroyForcibly();
    }

    /// Kills it. If it has ended by itself, other than well, what it wrote is printed: it may be
    /// why the test fails.
    @Override
    public void close() {
        if (!isKilled && !process.isAlive() && process.exitValue() != 0) {
            lines.drainTo(seen);
            System.out.println("a peer process ended with status " + process.exitValue() + ":");
            seen.forEach(System.out::println);
        }
        kill();
    }
}
