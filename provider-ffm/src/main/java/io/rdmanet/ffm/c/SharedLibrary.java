package io.rdmanet.ffm.c;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// A shared library, and handles of its functions.
///
/// Addresses cross the border as `long` (`JAVA_LONG`): that is cheaper than a segment, and whose
/// memory it is, and until when, is decided above this package. Handles belong into `static final`
/// fields, or the compiler cannot see through them.
public final class SharedLibrary {
    private static final Linker LINKER = Linker.nativeLinker();

    private final String name;
    private final SymbolLookup symbols;

    private SharedLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /// The C library, which every process has.
    public static SharedLibrary standardC() {
        return new SharedLibrary("libc", LINKER.defaultLookup());
    }

    /// Loads a library by the name the dynamic linker knows it by (`libibverbs.so.1`). It stays
    /// loaded as long as the process runs. Empty if this machine does not have it.
    @SuppressWarnings("restricted") // the one place that loads libraries
    public static Optional<SharedLibrary> load(String name) {
        try {
            return Optional.of(
                    new SharedLibrary(name, SymbolLookup.libraryLookup(name, Arena.global())));
        } catch (IllegalArgumentException absent) {
            return Optional.empty();
        }
    }

    /// The name it was loaded by.
    public String name() {
        return name;
    }

    /// Whether it exports a symbol.
    public boolean has(String symbol) {
        return symbols.find(symbol).isPresent();
    }

    /// A handle of a function that it exports.
    ///
    /// @throws IllegalStateException if it does not export it: it is older than those we know
    @SuppressWarnings("restricted") // every handle of an exported function is made here
    MethodHandle function(String symbol, FunctionDescriptor descriptor, Linker.Option... options) {
        MemorySegment address =
                symbols.find(symbol)
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        name + " exports no " + symbol + ": too old"));
        return LINKER.downcallHandle(address, descriptor, options);
    }

    /// A handle of a function that sets `errno`: takes [CallState#segment()] as its first argument.
    MethodHandle functionWithErrno(String symbol, FunctionDescriptor descriptor) {
        return function(symbol, descriptor, CallState.CAPTURE_ERRNO);
    }

    /// A handle of functions that are reached by a pointer: takes the function as its first
    /// argument, a segment.
    @SuppressWarnings("restricted") // every handle of a function pointer is made here
    static MethodHandle functionPointer(FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(descriptor, options);
    }
}
