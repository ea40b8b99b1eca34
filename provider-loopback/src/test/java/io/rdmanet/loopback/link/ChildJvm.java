package io.rdmanet.loopback.link;

import io.rdmanet.verbs.VerbsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Another process, to be killed. It prints one line when it is ready.
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private ChildJvm(Process process) {
        this.process = process;
        this.output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /// Starts a class of the tests' with the same rendezvous directory.
    public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        String separator = System.getProperty("path.separator");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xshare:auto");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-cp");
        command.add(
                String.join(
                        separator,
                        location(main),
                        location(ChildJvm.class),
                        location(Hub.class),
                        location(VerbsException.class)));
        String rendezvous = System.getProperty(RendezvousDirectory.PROPERTY);
        if (rendezvous != null) {
            command.add("-D" + RendezvousDirectory.PROPERTY + "=" + rendezvous);
        }
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return new ChildJvm(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /// What the class was loaded from: a directory or a jar. The code source would name the module,
    /// and hide the tests that are patched into it.
    private static String location(Class<?> type) {
        String name = type.getName().replace('.', '/') + ".class";
        String url = type.getResource("/" + name).toString();
        String base = url.substring(0, url.length() - name.length());
        if (base.startsWith("jar:")) {
            base = base.substring("jar:".length(), base.length() - "!/".length());
        }
        return Path.of(URI.create(base)).toString();
    }

    /// The next line it prints.
    public String readLine() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new IOException("the child ended without a word");
        }
        return line;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// kill -9.
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
    }

    /// kill -TERM, as Ctrl-C: shutdown hooks run.
    void terminate() throws InterruptedException {
        process.destroy();
        process.waitFor(10, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
