package io.rdmanet.ffm.c;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/// librdmacm: connections by IP address. Functions give a [Result] unless they say otherwise.
///
/// Identifiers, channels and events are addresses of librdmacm's memory. None of the functions
/// waits for the network; what comes of a call is told by an event.
public final class Librdmacm {
    /// `RDMA_PS_TCP` (rdma/rdma_cma.h): reliable connections.
    public static final int RDMA_PS_TCP = 0x0106;

    private static final String NAME = "librdmacm.so.1";
    private static final Optional<SharedLibrary> LIBRARY = load();
    private static final List<String> SYMBOLS =
            List.of(
                    "rdma_create_event_channel",
                    "rdma_destroy_event_channel",
                    "rdma_create_id",
                    "rdma_destroy_id",
                    "rdma_migrate_id",
                    "rdma_bind_addr",
                    "rdma_listen",
                    "rdma_resolve_addr",
                    "rdma_resolve_route",
                    "rdma_init_qp_attr",
                    "rdma_connect",
                    "rdma_establish",
                    "rdma_accept",
                    "rdma_reject",
                    "rdma_disconnect",
                    "rdma_get_cm_event",
                    "rdma_ack_cm_event");

    private Librdmacm() {}

    /// Where native code is not allowed there is no library either; the provider says so itself.
    private static Optional<SharedLibrary> load() {
        try {
            return SharedLibrary.load(NAME);
        } catch (IllegalCallerException notAllowed) {
            return Optional.empty();
        }
    }

    /// Empty if the library is there; else why not, and what to install.
    public static Optional<String> absence() {
        if (LIBRARY.isEmpty()) {
            return Optional.of(
                    NAME
                            + " cannot be loaded: install librdmacm1 (Debian, Ubuntu) or librdmacm"
                            + " (Fedora, RHEL)");
        }
        return SYMBOLS.stream()
                .filter(symbol -> !LIBRARY.get().has(symbol))
                .findFirst()
                .map(symbol -> NAME + " has no " + symbol + ": install rdma-core 23 or newer");
    }

    ///
    /// [rdma_create_event_channel(3)](https://man7.org/linux/man-pages/man3/rdma_create_event_channel.3.html).
    ///
    /// @return the channel
    public static long rdma_create_event_channel() {
        try (CallState call = new CallState()) {
            return call.address((long) Handles.CREATE_EVENT_CHANNEL.invokeExact(call.segment()));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// The channel's file descriptor, readable when there is an event.
    public static int descriptor(long channel) {
        return NativeMemory.intAt(channel);
    }

    ///
    /// [rdma_destroy_event_channel(3)](https://man7.org/linux/man-pages/man3/rdma_destroy_event_channel.3.html).
    /// Its identifiers must be destroyed already.
    public static void rdma_destroy_event_channel(long channel) {
        try {
            Handles.DESTROY_EVENT_CHANNEL.invokeExact(channel);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [rdma_create_id(3)](https://man7.org/linux/man-pages/man3/rdma_create_id.3.html), of
    /// [#RDMA_PS_TCP].
    ///
    /// @return the identifier
    public static long rdma_create_id(long channel) {
        try (CallState call = new CallState()) {
            MemorySegment identifier = call.arena().allocate(JAVA_LONG);
            long result =
                    call.result(
                            (int)
                                    Handles.CREATE_ID.invokeExact(
                                            call.segment(),
                                            channel,
                                            identifier.address(),
                                            0L,
                                            RDMA_PS_TCP));
            return Result.isFailure(result) ? result : identifier.get(JAVA_LONG, 0);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [rdma_destroy_id(3)](https://man7.org/linux/man-pages/man3/rdma_destroy_id.3.html). Waits
    /// until all events of the identifier that were got are acknowledged.
    public static long rdma_destroy_id(long identifier) {
        return call(Handles.DESTROY_ID, identifier);
    }

    /// [rdma_migrate_id(3)](https://man7.org/linux/man-pages/man3/rdma_migrate_id.3.html).
    public static long rdma_migrate_id(long identifier, long channel) {
        try (CallState call = new CallState()) {
            return call.result(
                    (int) Handles.MIGRATE_ID.invokeExact(call.segment(), identifier, channel));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [rdma_bind_addr(3)](https://man7.org/linux/man-pages/man3/rdma_bind_addr.3.html).
    ///
    /// @param address [SocketAddressDescriptor]
    public static long rdma_bind_addr(long identifier, long address) {
        try (CallState call = new CallState()) {
            return call.result(
                    (int) Handles.BIND_ADDR.invokeExact(call.segment(), identifier, address));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [rdma_listen(3)](https://man7.org/linux/man-pages/man3/rdma_listen.3.html).
    public static long rdma_listen(long identifier, int backlog) {
        try (CallState call = new CallState()) {
            return call.result(
                    (int) Handles.LISTEN.invokeExact(call.segment(), identifier, backlog));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [rdma_resolve_addr(3)](https://man7.org/linux/man-pages/man3/rdma_resolve_addr.3.html).
    ///
    /// @param source [SocketAddressDescriptor], or 0 for any
    /// @param destination [SocketAddressDescriptor]
    public static long rdma_resolve_addr(
            long identifier, long source, long destination, int timeoutMillis) {
        try (CallState call = new CallState()) {
            return call.result(
                    (int)
                            Handles.RESOLVE_ADDR.invokeExact(
                                    call.segment(),
                                    identifier,
                                    source,
                                    destination,
                                    timeoutMillis));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [rdma_resolve_route(3)](https://man7.org/linux/man-pages/man3/rdma_resolve_route.3.html).
    public static long rdma_resolve_route(long identifier, int timeoutMillis) {
        try (CallState call = new CallState()) {
            return call.result(
                    (int)
                            Handles.RESOLVE_ROUTE.invokeExact(
                                    call.segment(), identifier, timeoutMillis));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [rdma_init_qp_attr(3)](https://man7.org/linux/man-pages/man3/rdma_init_qp_attr.3.html).
    ///
    /// @param attributes a [QueuePairAttributesDescriptor]; its state says for which transition
    /// @param mask an `int` that gets the attributes that were set
    public static long rdma_init_qp_attr(long identifier, long attributes, long mask) {
        try (CallState call = new CallState()) {
            return call.result(
                    (int)
                            Handles.INIT_QP_ATTR.invokeExact(
                                    call.segment(), identifier, attributes, mask));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [rdma_connect(3)](https://man7.org/linux/man-pages/man3/rdma_connect.3.html).
    ///
    /// @param parameters [ConnectionParametersDescriptor]
    public static long rdma_connect(long identifier, long parameters) {
        return call(Handles.CONNECT, identifier, parameters);
    }

    /// [rdma_establish(3)](https://man7.org/linux/man-pages/man3/rdma_establish.3.html).
    public static long rdma_establish(long identifier) {
        return call(Handles.ESTABLISH, identifier);
    }

    /// [rdma_accept(3)](https://man7.org/linux/man-pages/man3/rdma_accept.3.html).
    ///
    /// @param parameters [ConnectionParametersDescriptor]
    public static long rdma_accept(long identifier, long parameters) {
        return call(Handles.ACCEPT, identifier, parameters);
    }

    /// [rdma_reject(3)](https://man7.org/linux/man-pages/man3/rdma_reject.3.html).
    public static long rdma_reject(long identifier, long privateData, int length) {
        try (CallState call = new CallState()) {
            return call.result(
                    (int)
                            Handles.REJECT.invokeExact(
                                    call.segment(), identifier, privateData, (byte) length));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [rdma_disconnect(3)](https://man7.org/linux/man-pages/man3/rdma_disconnect.3.html).
    public static long rdma_disconnect(long identifier) {
        return call(Handles.DISCONNECT, identifier);
    }

    /// [rdma_get_cm_event(3)](https://man7.org/linux/man-pages/man3/rdma_get_cm_event.3.html).
    ///
    /// @return a [CommunicationEventDescriptor], to be acknowledged; EAGAIN if there is none and
    ///   the channel's descriptor is non-blocking
    public static long rdma_get_cm_event(long channel) {
        try (CallState call = new CallState()) {
            MemorySegment event = call.arena().allocate(JAVA_LONG);
            long result =
                    call.result(
                            (int)
                                    Handles.GET_CM_EVENT.invokeExact(
                                            call.segment(), channel, event.address()));
            return Result.isFailure(result) ? result : event.get(JAVA_LONG, 0);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [rdma_ack_cm_event(3)](https://man7.org/linux/man-pages/man3/rdma_ack_cm_event.3.html).
    /// Frees the event.
    public static long rdma_ack_cm_event(long event) {
        return call(Handles.ACK_CM_EVENT, event);
    }

    private static long call(MethodHandle function, long object) {
        try (CallState call = new CallState()) {
            return call.result((int) function.invokeExact(call.segment(), object));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    private static long call(MethodHandle function, long identifier, long parameters) {
        try (CallState call = new CallState()) {
            return call.result((int) function.invokeExact(call.segment(), identifier, parameters));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// The functions, found when the first is called: [#absence()] was asked before.
    private static final class Handles {
        private static final SharedLibrary FOUND =
                LIBRARY.orElseThrow(() -> new IllegalStateException(NAME + " is not installed"));

        static final MethodHandle CREATE_EVENT_CHANNEL =
                FOUND.functionWithErrno(
                        "rdma_create_event_channel", FunctionDescriptor.of(JAVA_LONG));
        static final MethodHandle DESTROY_EVENT_CHANNEL =
                FOUND.function("rdma_destroy_event_channel", FunctionDescriptor.ofVoid(JAVA_LONG));
        static final MethodHandle CREATE_ID =
                FOUND.functionWithErrno(
                        "rdma_create_id",
                        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
        static final MethodHandle DESTROY_ID = ofAddress("rdma_destroy_id");
        static final MethodHandle MIGRATE_ID = ofTwoAddresses("rdma_migrate_id");
        static final MethodHandle BIND_ADDR = ofTwoAddresses("rdma_bind_addr");
        static final MethodHandle LISTEN =
                FOUND.functionWithErrno(
                        "rdma_listen", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
        static final MethodHandle RESOLVE_ADDR =
                FOUND.functionWithErrno(
                        "rdma_resolve_addr",
                        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
        static final MethodHandle RESOLVE_ROUTE =
                FOUND.functionWithErrno(
                        "rdma_resolve_route", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
        static final MethodHandle INIT_QP_ATTR =
                FOUND.functionWithErrno(
                        "rdma_init_qp_attr",
                        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        static final MethodHandle CONNECT = ofTwoAddresses("rdma_connect");
        static final MethodHandle ESTABLISH = ofAddress("rdma_establish");
        static final MethodHandle ACCEPT = ofTwoAddresses("rdma_accept");
        static final MethodHandle REJECT =
                FOUND.functionWithErrno(
                        "rdma_reject",
                        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_BYTE));
        static final MethodHandle DISCONNECT = ofAddress("rdma_disconnect");
        static final MethodHandle GET_CM_EVENT = ofTwoAddresses("rdma_get_cm_event");
        static final MethodHandle ACK_CM_EVENT = ofAddress("rdma_ack_cm_event");

        private static MethodHandle ofAddress(String symbol) {
            return FOUND.functionWithErrno(symbol, FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
        }

        private static MethodHandle ofTwoAddresses(String symbol) {
            return FOUND.functionWithErrno(
                    symbol, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        }
    }
}
