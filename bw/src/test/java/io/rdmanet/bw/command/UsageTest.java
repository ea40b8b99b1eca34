package io.rdmanet.bw.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return Main.run(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nonsense",
                "-s 0 127.0.0.1",
                "-s 64q 127.0.0.1",
                "-s 2g 127.0.0.1",
                "-n 0 127.0.0.1",
                "-n -5 127.0.0.1",
                "-n 99999999999999999999 127.0.0.1",
                "-D 0 127.0.0.1",
                "-D x 127.0.0.1",
                "-b 0 127.0.0.1",
                "-b 16385 127.0.0.1",
                "--depth 0 127.0.0.1",
                "--repeat 0 127.0.0.1",
                "-p 65536",
                "-p 0 127.0.0.1",
                "-i 0 127.0.0.1",
                "-x -2 127.0.0.1",
                "--timeout 0 127.0.0.1",
                "--poll sometimes 127.0.0.1",
                "--loop 127.0.0.1",
                "-n 5 -D 1 127.0.0.1",
                "-s 5 -a 127.0.0.1",
                "--raw --zero-copy 127.0.0.1",
                "--raw --zero-copy",
                "--raw-onebuf 127.0.0.1",
                "--raw-single",
                "--zero-copy -s 256m 127.0.0.1",
                "-s 256m",
                "--json - --csv - 127.0.0.1",
                "--json /no/such/folder/out.json 127.0.0.1",
                "-p 5 127.0.0.1:6",
                "127.0.0.1:0",
                "127.0.0.1 127.0.0.2",
                "compare --modes fast",
                "compare --sizes 64,0",
                "compare --providers nobody",
                "compare --repeat 0",
                "compare -n 5",
                "-s 5 compare",
                "--raw providers",
                "providers --raw"
            })
    void refusesWithOneLineAndStatusTwo(String commandLine) {
        int status = run(commandLine.split(" "));

        assertThat(err().lines()).hasSize(1);
        assertThat(err()).startsWith("rdmanet-bw: ").contains("--help");
        assertThat(out()).isEmpty();
        assertThat(status).isEqualTo(2);
    }

    @Test
    void refusesToWriteWhereItCannot(@TempDir Path folder) {
        assertThat(run("--json", folder.toString(), "127.0.0.1")).isEqualTo(2);
        assertThat(err()).contains("it is a folder");
    }

    @Test
    void teachesInItsHelp() {
        assertThat(run("--help")).isZero();
        assertThat(out())
                .contains(
                        "2^20 bytes",
                        "10^9 bits",
                        "(default: 64k)",
                        "(default: 1000)",
                        "Examples:",
                        "Exit status:",
                        "compare",
                        "providers")
                .doesNotContain("compare-worker");
    }

    @Test
    void mentionsEveryOptionOfTheRulesInItsHelp() {
        run("--help");
        for (ToolOption option : ToolOption.values()) {
            assertThat(out()).contains(option.longName());
        }
    }

    @Test
    void teachesInTheHelpOfCompare() {
        assertThat(run("compare", "--help")).isZero();
        assertThat(out()).contains("copy limit", "Examples:", "64,1k,64k)");
    }

    @Test
    void printsItsVersion() {
        assertThat(run("--version")).isZero();
        assertThat(out()).startsWith("rdmanet-bw ").contains("Java 25");
    }
}
