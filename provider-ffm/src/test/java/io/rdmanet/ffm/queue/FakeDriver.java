package io.rdmanet.ffm.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmanet.ffm.c.QueuePairDescriptor;
import io.rdmanet.verbs.QueuePairState;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The data path of a driver, in C, since functions that are called without leaving Java cannot be
/// Java's. It notes what is posted, and hands out completions that a test has put in.
final class FakeDriver implements AutoCloseable {
    private static final int MAX_NOTED = 1024;
    private static final long PATIENCE_SECONDS = 50;
    private static final String SOURCE =
            """
            #include <string.h>
            struct sge { unsigned long addr; unsigned length, lkey; };
            struct wr { unsigned long id; struct wr *next; struct sge *sg; int num; };
            struct wc { unsigned long id; int status; char rest[36]; };
            int fake_room = 1024, fake_answer = 12, fake_names_bad = 1, fake_noted;
            unsigned long fake_ids[1024], fake_queues[1024];
            int fake_elements[1024];
            struct sge fake_first[1024], fake_second[1024];
            int fake_post(void *queue, struct wr *wr, struct wr **bad) {
                for (; wr; wr = wr->next) {
                    if (fake_room == 0) {
                        if (fake_names_bad) *bad = wr;
                        return fake_answer;
                    }
                    fake_room--;
                    fake_ids[fake_noted] = wr->id;
                    fake_queues[fake_noted] = (unsigned long) queue;
                    fake_elements[fake_noted] = wr->num;
                    if (wr->num > 0) fake_first[fake_noted] = wr->sg[0];
                    if (wr->num > 1) fake_second[fake_noted] = wr->sg[1];
                    fake_noted++;
                }
                return 0;
            }
            struct wc fake_completions[1024];
            int fake_waiting;
            int fake_poll(void *queue, int capacity, struct wc *into) {
                int count = fake_waiting < capacity ? fake_waiting : capacity;
                memcpy(into, fake_completions, count * sizeof(struct wc));
                fake_waiting -= count;
                memmove(fake_completions, fake_completions + count, fake_waiting * sizeof(struct wc));
                return count;
            }
            """;

    private final Arena arena = Arena.ofShared();
    private final SymbolLookup symbols;
    private final MemorySegment queuePair = arena.allocate(256, 8);

    /// Compiles and loads it; without a compiler the test is skipped, and the reason printed.
    static FakeDriver load(Path directory) throws Exception {
        Path source = directory.resolve("driver.c");
        Path library = directory.resolve("driver.so");
        Files.writeString(source, SOURCE);
        boolean hasCompiler = true;
        try {
            Process gcc =
                    new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library + "", source + "")
                            .redirectErrorStream(true)
                            .start();
            String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(gcc.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(said).isEmpty();
        } catch (IOException e) {
            hasCompiler = false;
            System.out.println("skipped: no C compiler (gcc) is installed");
        }
        assumeTrue(hasCompiler, "no C compiler (gcc) is installed");
        return new FakeDriver(library);
    }

    @SuppressWarnings("restricted") // a library that this test has made
    private FakeDriver(Path library) {
        symbols = SymbolLookup.libraryLookup(library, arena);
    }

    MemorySegment post() {
        return symbols.findOrThrow("fake_post");
    }

    MemorySegment poll() {
        return symbols.findOrThrow("fake_poll");
    }

    /// A `struct ibv_qp`, of which there is only the state.
    long queuePair(QueuePairState state) {
        queuePair.set(JAVA_INT, QueuePairDescriptor.STATE, state.code());
        return queuePair.address();
    }

    /// How many more requests it accepts.
    void room(int count) {
        set("room", count);
    }

    /// What it answers then.
    void error(int number) {
        set("answer", number);
    }

    /// Does not say then which request it was.
    void namesNoBadRequest() {
        set("names_bad", 0);
    }

    private void set(String variable, int value) {
        variable(variable, Integer.BYTES).set(JAVA_INT, 0, value);
    }

    /// The identifiers of what was posted.
    List<Long> identifiers() {
        MemorySegment ids = variable("ids", MAX_NOTED * Long.BYTES);
        List<Long> noted = new ArrayList<>();
        for (int i = 0; i < notedCount(); i++) {
            noted.add(ids.getAtIndex(JAVA_LONG, i));
        }
        return noted;
    }

    int notedCount() {
        return variable("noted", Integer.BYTES).get(JAVA_INT, 0);
    }

    /// How many elements the n-th request had.
    int elementCount(int n) {
        return variable("elements", MAX_NOTED * Integer.BYTES).getAtIndex(JAVA_INT, n);
    }

    /// An element of the n-th request: address, length, key.
    List<Long> element(int n, int index) {
        MemorySegment elements = variable(index == 0 ? "first" : "second", MAX_NOTED * 16);
        return List.of(
                elements.get(JAVA_LONG, n * 16L),
                (long) elements.get(JAVA_INT, n * 16L + 8),
                (long) elements.get(JAVA_INT, n * 16L + 12));
    }

    /// Puts in a completion.
    void complete(long identifier, int status) {
        MemorySegment waiting = variable("waiting", Integer.BYTES);
        int count = waiting.get(JAVA_INT, 0);
        MemorySegment completions = variable("completions", MAX_NOTED * 48);
        completions.set(JAVA_LONG, count * 48L, identifier);
        completions.set(JAVA_INT, count * 48L + 8, status);
        waiting.set(JAVA_INT, 0, count + 1);
    }

    @SuppressWarnings("restricted") // a variable of the source above
    private MemorySegment variable(String name, long bytes) {
        return symbols.findOrThrow("fake_" + name).reinterpret(bytes);
    }

    @Override
    public void close() {
        arena.close();
    }
}
