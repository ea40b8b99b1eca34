package io.rdmanet.ffm.c;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Compares constants of ours with the C headers of this machine, by a small C program that prints
/// what the headers say. Without a compiler or headers the test is skipped, and the reason printed.
///
/// ```
/// HeaderComparison headers = HeaderComparison.including("poll.h");
/// headers.struct(PollDescriptor.class, "struct pollfd").size("SIZE").field("FD", "fd") ...;
/// headers.assertEqual(directory);
/// ```
final class HeaderComparison {
    private static final String COMPILER = "gcc";
    private static final long PATIENCE_SECONDS = 50;

    private final List<String> headers;

    /// C expressions, each with our value.
    private final Map<String, Long> ours = new LinkedHashMap<>();

    private final List<Struct> structs = new ArrayList<>();

    private HeaderComparison(List<String> headers) {
        this.headers = headers;
    }

    static HeaderComparison including(String... headers) {
        return new HeaderComparison(List.of(headers));
    }

    /// A descriptor whose constants are all to be compared.
    Struct struct(Class<?> descriptor, String name) {
        Struct struct = new Struct(descriptor, name);
        structs.add(struct);
        return struct;
    }

    /// A number that C has a name (or an expression) for.
    HeaderComparison constant(String expression, long value) {
        ours.put(expression, value);
        return this;
    }

    /// A struct, and the class that describes it.
    final class Struct {
        private final Class<?> descriptor;
        private final String name;
        private final Set<String> compared = new LinkedHashSet<>();

        private Struct(Class<?> descriptor, String name) {
            this.descriptor = descriptor;
            this.name = name;
        }

        /// The constant that is the struct's size.
        Struct size(String constant) {
            return constant(constant, "sizeof(" + name + ")");
        }

        /// The constant that is room for the struct, which grows from one version of the headers to
        /// the next.
        Struct room(String constant) {
            compared.add(constant);
            ours.put("sizeof(" + name + ") <= " + valueOf(descriptor, constant), 1L);
            return this;
        }

        /// A constant that is a field's offset.
        Struct field(String constant, String field) {
            return constant(constant, "offsetof(" + name + ", " + field + ")");
        }

        /// A constant that C has another name (or an expression) for.
        Struct constant(String constant, String expression) {
            compared.add(constant);
            ours.put(expression, valueOf(descriptor, constant));
            return this;
        }
    }

    private static long valueOf(Class<?> descriptor, String constant) {
        try {
            return ((Number) descriptor.getField(constant).get(null)).longValue();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(descriptor + " has no constant " + constant, e);
        }
    }

    /// Compares everything.
    ///
    /// @param directory where the program may be built
    void assertEqual(Path directory) throws Exception {
        for (Struct struct : structs) {
            assertThat(constantsOf(struct.descriptor))
                    .as("constants of %s that are compared", struct.descriptor.getSimpleName())
                    .isEqualTo(struct.compared);
        }
        requireCompilerAndHeaders(directory);
        Map<String, Long> theirs = run(directory);
        assertThat(ours).as("ours, and not what the headers say").isEqualTo(theirs);
    }

    private static Set<String> constantsOf(Class<?> descriptor) {
        Set<String> names = new LinkedHashSet<>();
        Arrays.stream(descriptor.getFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .map(Field::getName)
                .forEach(names::add);
        return names;
    }

    private void requireCompilerAndHeaders(Path directory) throws Exception {
        skipUnless(hasCompiler(), "no C compiler (gcc) is installed");
        for (String header : headers) {
            Path source = directory.resolve("header.c");
            Files.writeString(source, "#include <" + header + ">\n");
            skipUnless(
                    answer(COMPILER, "-fsyntax-only", source.toString()).isEmpty(),
                    "the C header " + header + " is not installed");
        }
    }

    private static boolean hasCompiler() throws Exception {
        try {
            return !answer(COMPILER, "--version").isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private static void skipUnless(boolean condition, String reason) {
        if (!condition) {
            System.out.println("skipped: " + reason);
        }
        assumeTrue(condition, reason);
    }

    private Map<String, Long> run(Path directory) throws Exception {
        StringBuilder program = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n");
        headers.forEach(header -> program.append("#include <").append(header).append(">\n"));
        program.append("int main(void) {\n");
        for (String expression : ours.keySet()) {
            program.append("printf(\"%lld\\n\", (long long) (").append(expression).append("));\n");
        }
        program.append("return 0;\n}\n");
        Path source = directory.resolve("print.c");
        Path binary = directory.resolve("print");
        Files.writeString(source, program);
        assertThat(answer(COMPILER, "-o", binary.toString(), source.toString()))
                .as("compiler's complaints")
                .isEmpty();
        List<String> printed = answer(binary.toString()).lines().toList();
        assertThat(printed).as("lines printed").hasSameSizeAs(ours.keySet());
        Map<String, Long> theirs = new LinkedHashMap<>();
        int line = 0;
        for (String expression : ours.keySet()) {
            theirs.put(expression, Long.parseLong(printed.get(line)));
            line++;
        }
        return theirs;
    }

    /// What a command writes.
    private static String answer(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            byte[] written = process.getInputStream().readAllBytes();
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            return new String(written, StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }
}
