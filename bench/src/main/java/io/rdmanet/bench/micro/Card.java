package io.rdmanet.bench.micro;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// A card that has done whatever is posted at once (`bench/src/main/c/card.c`).
///
/// `bench/run --jmh` compiles it, and names the library in the property [#LIBRARY].
public final class Card implements AutoCloseable {
    /// The system property with the path of the compiled library.
    public static final String LIBRARY = "rdmanet.bench.card";

    /// Bytes of each message in its memory.
    public static final int MESSAGE_BYTES = 64;

    /// Messages in its memory.
    public static final int MESSAGES = 64;

    private static final Linker LINKER = Linker.nativeLinker();

    private final Arena arena = Arena.ofShared();
    private final SymbolLookup symbols;
    private final MethodHandle loop;
    private final MemorySegment card;

    @SuppressWarnings("restricted") // a library that this project compiles
    private Card(Path library) {
        symbols = SymbolLookup.libraryLookup(library, arena);
        loop =
                LINKER.downcallHandle(
                        symbols.findOrThrow("card_loop"),
                        FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT));
        try {
            MethodHandle make =
                    LINKER.downcallHandle(
                            symbols.findOrThrow("card_new"), FunctionDescriptor.of(ADDRESS));
            card = (MemorySegment) make.invokeExact();
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    /// Makes one.
    ///
    /// @throws IllegalStateException if the library was not compiled
    public static Card open() {
        String library = System.getProperty(LIBRARY, "");
        if (library.isEmpty()) {
            throw new IllegalStateException(
                    "needs the stand-in for a card: run by bench/run --jmh, with gcc and"
                            + " libibverbs-dev installed");
        }
        return new Card(Path.of(library));
    }

    /// Its `struct ibv_context *`.
    public long context() {
        return pointer("card_context");
    }

    /// Its `struct ibv_qp *`, ready to send.
    public long queuePair() {
        return pointer("card_queue_pair");
    }

    /// Its `struct ibv_cq *`.
    public long completionQueue() {
        return pointer("card_completions");
    }

    /// Its `struct ibv_mr *`.
    public long region() {
        return pointer("card_region");
    }

    /// Its memory.
    @SuppressWarnings("restricted") // as long as the array in card.c
    public MemorySegment memory() {
        return MemorySegment.ofAddress(pointer("card_memory"))
                .reinterpret((long) MESSAGES * MESSAGE_BYTES);
    }

    @SuppressWarnings("restricted") // functions of that library
    private long pointer(String function) {
        try {
            MethodHandle handle =
                    LINKER.downcallHandle(
                            symbols.findOrThrow(function), FunctionDescriptor.of(ADDRESS, ADDRESS));
            return ((MemorySegment) handle.invokeExact(card)).address();
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    /// Posts and polls in C, through the same function pointers: the floor.
    ///
    /// @param chain requests posted at once
    /// @param fills whether address, length and key are written each time
    /// @return the sum of the identifiers that completed, 0 up to the number of requests
    public long loop(long rounds, int chain, boolean fills) {
        try {
            return (long) loop.invokeExact(card, rounds, chain, fills ? 1 : 0);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    @Override
    @SuppressWarnings("restricted") // a function of that library
    public void close() {
        try {
            MethodHandle free =
                    LINKER.downcallHandle(
                            symbols.findOrThrow("card_free"), FunctionDescriptor.ofVoid(ADDRESS));
            free.invokeExact(card);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
        arena.close();
    }
}
