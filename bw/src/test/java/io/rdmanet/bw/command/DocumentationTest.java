package io.rdmanet.bw.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// What README.md and ARCHITECTURE.md say about the code is true of the code.
class DocumentationTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("..").normalize();
    private static final Pattern JAVA_BLOCK =
            Pattern.compile("^ *```java\\n(.*?)^ *```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern OPTION = Pattern.compile("`[^`]*?(--[a-z][a-z-]+)");
    private static final Pattern CODE = Pattern.compile("`([A-Z][A-Za-z]+)(?:\\.[a-z][A-Za-z]*)?`");

    /// What the blocks take for granted, so that each can be short.
    private static final String AROUND =
            """
            import io.rdmanet.*;
            import io.rdmanet.verbs.*;
            import java.io.IOException;
            import java.lang.foreign.ValueLayout;
            import java.net.InetSocketAddress;
            import java.nio.charset.StandardCharsets;
            import java.time.Duration;
            import java.util.List;
            abstract class Block {
                Conn conn;
                InetSocketAddress peer;
                byte[] first, second, third;

                void run() throws IOException {
                    // BLOCK
                }
            }
            """;

    @Test
    void codeInTheReadmeCompiles(@TempDir Path folder) throws Exception {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = JAVA_BLOCK.matcher(read("README.md"));
        while (matcher.find()) {
            if (!matcher.group(1).contains("extends")) {
                blocks.add(matcher.group(1));
            }
        }
        assertThat(blocks).hasSizeGreaterThanOrEqualTo(4);
        for (String block : blocks) {
            String declares =
                    block.contains("InetSocketAddress address") ? "" : "var address = peer;\n";
            assertThat(compile(AROUND.replace("// BLOCK", declares + block), folder))
                    .as(block)
                    .isEmpty();
        }
    }

    @Test
    void optionsInTheReadmeAreThoseOfTheTool() throws IOException {
        String table = read("README.md");
        table = table.substring(table.indexOf("## Options"), table.indexOf("## Troubleshooting"));
        Set<String> told =
                OPTION.matcher(table).results().map(m -> m.group(1)).collect(Collectors.toSet());
        Set<String> real =
                new CommandLine(new BandwidthCommand(new Terminal(System.out, System.err)))
                        .getCommandSpec().options().stream()
                                .map(option -> option.longestName())
                                .collect(Collectors.toSet());
        told.remove("--help");
        real.removeAll(Set.of("--help", "--version"));
        assertThat(told).isEqualTo(real);
    }

    @Test
    void classesInTheArchitectureExist() throws IOException {
        Set<String> named =
                CODE.matcher(read("ARCHITECTURE.md"))
                        .results()
                        .map(m -> m.group(1))
                        .collect(Collectors.toSet());
        assertThat(named).contains("MessageConnection", "SendEngine");
        try (Stream<Path> files = Files.walk(ROOT)) {
            Set<String> sources =
                    files.map(file -> String.valueOf(file.getFileName()))
                            .filter(name -> name.endsWith(".java"))
                            .map(name -> name.substring(0, name.length() - ".java".length()))
                            .collect(Collectors.toSet());
            assertThat(sources).containsAll(named);
        }
    }

    /// @return what the compiler complains about; empty if nothing
    private static String compile(String source, Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("Block.java"), source);
        Process compiler =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                                "-proc:none",
                                "-nowarn",
                                "-d",
                                folder.toString(),
                                "-classpath",
                                ROOT.resolve("api/target/classes").toString(),
                                file.toString())
                        .redirectErrorStream(true)
                        .start();
        String complaints = new String(compiler.getInputStream().readAllBytes(), UTF_8);
        return compiler.waitFor() == 0 ? "" : complaints;
    }

    private static String read(String name) throws IOException {
        return Files.readString(ROOT.resolve(name));
    }
}
