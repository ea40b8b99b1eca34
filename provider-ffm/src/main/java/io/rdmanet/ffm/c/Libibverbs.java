package io.rdmanet.ffm.c;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.List;

/// The functions that libibverbs exports, for control. The data path's are in [VerbsOperations].
///
/// Objects are addresses of the library's structs. What makes an object gives a [Result]; what
/// changes or destroys one gives 0 or an error number, as in C. Nothing is loaded before the first
/// call; whether a call can work is [#FUNCTIONS]' matter.
public final class Libibverbs {
    /// By what name the dynamic linker knows it.
    public static final String LIBRARY_NAME = "libibverbs.so.1";

    /// Everything that this class calls. A library that lacks one is too old.
    public static final List<String> FUNCTIONS =
            List.of(
                    "ibv_get_device_list",
                    "ibv_free_device_list",
                    "ibv_open_device",
                    "ibv_close_device",
                    "ibv_query_device",
                    "ibv_query_port",
                    "_ibv_query_gid_table",
                    "ibv_get_async_event",
                    "ibv_ack_async_event",
                    "ibv_alloc_pd",
                    "ibv_dealloc_pd",
                    "ibv_reg_mr",
                    "ibv_dereg_mr",
                    "ibv_create_comp_channel",
                    "ibv_destroy_comp_channel",
                    "ibv_get_cq_event",
                    "ibv_ack_cq_events",
                    "ibv_create_cq",
                    "ibv_destroy_cq",
                    "ibv_create_srq",
                    "ibv_modify_srq",
                    "ibv_destroy_srq",
                    "ibv_create_qp",
                    "ibv_modify_qp",
                    "ibv_query_qp",
                    "ibv_destroy_qp",
                    "ibv_create_ah",
                    "ibv_destroy_ah");

    private Libibverbs() {}

    // ---- devices

    /// [ibv_get_device_list(3)](https://man7.org/linux/man-pages/man3/ibv_get_device_list.3.html).
    ///
    /// @return the address of an array of device addresses that ends with 0; ENOSYS means that the
    ///   kernel knows no RDMA
    public static long ibv_get_device_list() {
        return pointer(Handles.GET_DEVICE_LIST, 0);
    }

    /// [ibv_free_device_list(3)](https://man7.org/linux/man-pages/man3/ibv_get_device_list.3.html).
    public static void ibv_free_device_list(long list) {
        try {
            Handles.FREE_DEVICE_LIST.invokeExact(list);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_open_device(3)](https://man7.org/linux/man-pages/man3/ibv_open_device.3.html).
    ///
    /// @return a [ContextDescriptor]
    public static long ibv_open_device(long device) {
        return pointer(Handles.OPEN_DEVICE, device);
    }

    /// [ibv_close_device(3)](https://man7.org/linux/man-pages/man3/ibv_open_device.3.html).
    ///
    /// @return a [Result]
    public static long ibv_close_device(long context) {
        try (CallState call = new CallState()) {
            return call.result((int) Handles.CLOSE_DEVICE.invokeExact(call.segment(), context));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_query_device(3)](https://man7.org/linux/man-pages/man3/ibv_query_device.3.html).
    ///
    /// @param attributes a [DeviceAttributesDescriptor]
    public static int ibv_query_device(long context, long attributes) {
        try {
            return (int) Handles.QUERY_DEVICE.invokeExact(context, attributes);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_query_port(3)](https://man7.org/linux/man-pages/man3/ibv_query_port.3.html).
    ///
    /// @param attributes a [PortAttributesDescriptor], zeroed
    public static int ibv_query_port(long context, int portNumber, long attributes) {
        try {
            return (int) Handles.QUERY_PORT.invokeExact(context, (byte) portNumber, attributes);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_query_gid_table(3)](https://man7.org/linux/man-pages/man3/ibv_query_gid_table.3.html).
    ///
    /// @param entries an array of [GidEntryDescriptor]
    /// @return a [Result]: how many there are, of all ports
    public static long ibv_query_gid_table(long context, long entries, long maxEntries) {
        try {
            return (long)
                    Handles.QUERY_GID_TABLE.invokeExact(
                            context, entries, maxEntries, 0, (long) GidEntryDescriptor.SIZE);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_get_async_event(3)](https://man7.org/linux/man-pages/man3/ibv_get_async_event.3.html).
    ///
    /// @param event an [AsyncEventDescriptor]
    /// @return a [Result]; EAGAIN if there is none and the context's descriptor does not block
    public static long ibv_get_async_event(long context, long event) {
        try (CallState call = new CallState()) {
            return call.result(
                    (int) Handles.GET_ASYNC_EVENT.invokeExact(call.segment(), context, event));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_ack_async_event(3)](https://man7.org/linux/man-pages/man3/ibv_get_async_event.3.html).
    public static void ibv_ack_async_event(long event) {
        try {
            Handles.ACK_ASYNC_EVENT.invokeExact(event);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    // ---- memory

    /// [ibv_alloc_pd(3)](https://man7.org/linux/man-pages/man3/ibv_alloc_pd.3.html).
    public static long ibv_alloc_pd(long context) {
        return pointer(Handles.ALLOC_PD, context);
    }

    /// [ibv_dealloc_pd(3)](https://man7.org/linux/man-pages/man3/ibv_alloc_pd.3.html).
    public static int ibv_dealloc_pd(long protectionDomain) {
        return error(Handles.DEALLOC_PD, protectionDomain);
    }

    /// [ibv_reg_mr(3)](https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html).
    ///
    /// @return a [MemoryRegionDescriptor]
    public static long ibv_reg_mr(long protectionDomain, long address, long length, int access) {
        try (CallState call = new CallState()) {
            return call.address(
                    (long)
                            Handles.REG_MR.invokeExact(
                                    call.segment(), protectionDomain, address, length, access));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_dereg_mr(3)](https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html).
    public static int ibv_dereg_mr(long region) {
        return error(Handles.DEREG_MR, region);
    }

    // ---- completions

    ///
    /// [ibv_create_comp_channel(3)](https://man7.org/linux/man-pages/man3/ibv_create_comp_channel.3.html).
    ///
    /// @return a [CompletionChannelDescriptor]
    public static long ibv_create_comp_channel(long context) {
        return pointer(Handles.CREATE_COMP_CHANNEL, context);
    }

    ///
    /// [ibv_destroy_comp_channel(3)](https://man7.org/linux/man-pages/man3/ibv_create_comp_channel.3.html).
    public static int ibv_destroy_comp_channel(long channel) {
        return error(Handles.DESTROY_COMP_CHANNEL, channel);
    }

    /// [ibv_get_cq_event(3)](https://man7.org/linux/man-pages/man3/ibv_get_cq_event.3.html).
    /// Allocates nothing, which capturing `errno` would: so if it fails it is asked once more.
    ///
    /// @param completionQueue where the address of the completion queue is put (8 bytes)
    /// @param queueContext where the queue's context is put (8 bytes)
    /// @return a [Result]; EAGAIN if there is none and the channel's descriptor does not block
    public static long ibv_get_cq_event(long channel, long completionQueue, long queueContext) {
        try {
            int error =
                    (int) Handles.GET_CQ_EVENT.invokeExact(channel, completionQueue, queueContext);
            return error < 0 ? getEventWithErrno(channel, completionQueue, queueContext) : error;
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    private static long getEventWithErrno(long channel, long completionQueue, long queueContext)
            throws Throwable {
        try (CallState call = new CallState()) {
            return call.result(
                    (int)
                            Handles.GET_CQ_EVENT_WITH_ERRNO.invokeExact(
                                    call.segment(), channel, completionQueue, queueContext));
        }
    }

    /// [ibv_ack_cq_events(3)](https://man7.org/linux/man-pages/man3/ibv_get_cq_event.3.html).
    public static void ibv_ack_cq_events(long completionQueue, int count) {
        try {
            Handles.ACK_CQ_EVENTS.invokeExact(completionQueue, count);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_create_cq(3)](https://man7.org/linux/man-pages/man3/ibv_create_cq.3.html).
    ///
    /// @param channel where it reports, or 0
    /// @return a [CompletionQueueDescriptor]
    public static long ibv_create_cq(long context, int capacity, long channel) {
        try (CallState call = new CallState()) {
            return call.address(
                    (long)
                            Handles.CREATE_CQ.invokeExact(
                                    call.segment(), context, capacity, 0L, channel, 0));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_destroy_cq(3)](https://man7.org/linux/man-pages/man3/ibv_create_cq.3.html). Waits until
    /// its events are acknowledged.
    public static int ibv_destroy_cq(long completionQueue) {
        return error(Handles.DESTROY_CQ, completionQueue);
    }

    // ---- work queues

    /// [ibv_create_srq(3)](https://man7.org/linux/man-pages/man3/ibv_create_srq.3.html).
    ///
    /// @param attributes a [SharedReceiveQueueDescriptor], which is changed to what it got
    public static long ibv_create_srq(long protectionDomain, long attributes) {
        return pointer(Handles.CREATE_SRQ, protectionDomain, attributes);
    }

    /// [ibv_modify_srq(3)](https://man7.org/linux/man-pages/man3/ibv_modify_srq.3.html).
    ///
    /// @param attributes a `struct ibv_srq_attr` (see [SharedReceiveQueueDescriptor#ATTRIBUTES])
    public static int ibv_modify_srq(long sharedReceiveQueue, long attributes, int mask) {
        try {
            return (int) Handles.MODIFY_SRQ.invokeExact(sharedReceiveQueue, attributes, mask);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_destroy_srq(3)](https://man7.org/linux/man-pages/man3/ibv_create_srq.3.html).
    public static int ibv_destroy_srq(long sharedReceiveQueue) {
        return error(Handles.DESTROY_SRQ, sharedReceiveQueue);
    }

    /// [ibv_create_qp(3)](https://man7.org/linux/man-pages/man3/ibv_create_qp.3.html).
    ///
    /// @param attributes a [QueuePairInitialDescriptor], whose capacity is changed to what it got
    /// @return a [QueuePairDescriptor]
    public static long ibv_create_qp(long protectionDomain, long attributes) {
        return pointer(Handles.CREATE_QP, protectionDomain, attributes);
    }

    /// [ibv_modify_qp(3)](https://man7.org/linux/man-pages/man3/ibv_modify_qp.3.html).
    ///
    /// @param attributes a [QueuePairAttributesDescriptor]
    public static int ibv_modify_qp(long queuePair, long attributes, int mask) {
        try {
            return (int) Handles.MODIFY_QP.invokeExact(queuePair, attributes, mask);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_query_qp(3)](https://man7.org/linux/man-pages/man3/ibv_query_qp.3.html).
    ///
    /// @param attributes a [QueuePairAttributesDescriptor]
    /// @param initial a [QueuePairInitialDescriptor]
    public static int ibv_query_qp(long queuePair, long attributes, int mask, long initial) {
        try {
            return (int) Handles.QUERY_QP.invokeExact(queuePair, attributes, mask, initial);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_destroy_qp(3)](https://man7.org/linux/man-pages/man3/ibv_create_qp.3.html). Waits until
    /// its asynchronous events are acknowledged.
    public static int ibv_destroy_qp(long queuePair) {
        return error(Handles.DESTROY_QP, queuePair);
    }

    /// [ibv_create_ah(3)](https://man7.org/linux/man-pages/man3/ibv_create_ah.3.html).
    ///
    /// @param attributes an [AddressVectorDescriptor]
    public static long ibv_create_ah(long protectionDomain, long attributes) {
        return pointer(Handles.CREATE_AH, protectionDomain, attributes);
    }

    /// [ibv_destroy_ah(3)](https://man7.org/linux/man-pages/man3/ibv_create_ah.3.html).
    public static int ibv_destroy_ah(long addressHandle) {
        return error(Handles.DESTROY_AH, addressHandle);
    }

    // ---- calls of the same shape

    private static long pointer(MethodHandle function, long argument) {
        try (CallState call = new CallState()) {
            return call.address((long) function.invokeExact(call.segment(), argument));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    private static long pointer(MethodHandle function, long first, long second) {
        try (CallState call = new CallState()) {
            return call.address((long) function.invokeExact(call.segment(), first, second));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    private static int error(MethodHandle function, long object) {
        try {
            return (int) function.invokeExact(object);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// In a class of its own, which is initialised by the first call: the library may be absent.
    private static final class Handles {
        private static final SharedLibrary LIBRARY =
                SharedLibrary.load(LIBRARY_NAME)
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        "this machine has no "
                                                + LIBRARY_NAME
                                                + ": ask unusableReason() first"));

        private static final FunctionDescriptor POINTER_OF_1 =
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
        private static final FunctionDescriptor POINTER_OF_2 =
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
        private static final FunctionDescriptor INT_OF_1 =
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG);
        private static final FunctionDescriptor INT_OF_2 =
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG);
        private static final FunctionDescriptor INT_OF_2_AND_MASK =
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

        private static final MethodHandle GET_DEVICE_LIST =
                withErrno("ibv_get_device_list", POINTER_OF_1);
        private static final MethodHandle FREE_DEVICE_LIST =
                plain("ibv_free_device_list", FunctionDescriptor.ofVoid(JAVA_LONG));
        private static final MethodHandle OPEN_DEVICE = withErrno("ibv_open_device", POINTER_OF_1);
        private static final MethodHandle CLOSE_DEVICE = withErrno("ibv_close_device", INT_OF_1);
        private static final MethodHandle QUERY_DEVICE = plain("ibv_query_device", INT_OF_2);
        private static final MethodHandle QUERY_PORT =
                plain(
                        "ibv_query_port",
                        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG));
        private static final MethodHandle QUERY_GID_TABLE =
                plain(
                        "_ibv_query_gid_table",
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
        private static final MethodHandle GET_ASYNC_EVENT =
                withErrno("ibv_get_async_event", INT_OF_2);
        private static final MethodHandle ACK_ASYNC_EVENT =
                plain("ibv_ack_async_event", FunctionDescriptor.ofVoid(JAVA_LONG));

        private static final MethodHandle ALLOC_PD = withErrno("ibv_alloc_pd", POINTER_OF_1);
        private static final MethodHandle DEALLOC_PD = plain("ibv_dealloc_pd", INT_OF_1);
        private static final MethodHandle REG_MR =
                withErrno(
                        "ibv_reg_mr",
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
        private static final MethodHandle DEREG_MR = plain("ibv_dereg_mr", INT_OF_1);

        private static final MethodHandle CREATE_COMP_CHANNEL =
                withErrno("ibv_create_comp_channel", POINTER_OF_1);
        private static final MethodHandle DESTROY_COMP_CHANNEL =
                plain("ibv_destroy_comp_channel", INT_OF_1);
        private static final FunctionDescriptor GET_CQ_EVENT_FUNCTION =
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        private static final MethodHandle GET_CQ_EVENT =
                plain("ibv_get_cq_event", GET_CQ_EVENT_FUNCTION);
        private static final MethodHandle GET_CQ_EVENT_WITH_ERRNO =
                withErrno("ibv_get_cq_event", GET_CQ_EVENT_FUNCTION);
        private static final MethodHandle ACK_CQ_EVENTS =
                plain("ibv_ack_cq_events", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
        private static final MethodHandle CREATE_CQ =
                withErrno(
                        "ibv_create_cq",
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
        private static final MethodHandle DESTROY_CQ = plain("ibv_destroy_cq", INT_OF_1);

        private static final MethodHandle CREATE_SRQ = withErrno("ibv_create_srq", POINTER_OF_2);
        private static final MethodHandle MODIFY_SRQ = plain("ibv_modify_srq", INT_OF_2_AND_MASK);
        private static final MethodHandle DESTROY_SRQ = plain("ibv_destroy_srq", INT_OF_1);
        private static final MethodHandle CREATE_QP = withErrno("ibv_create_qp", POINTER_OF_2);
        private static final MethodHandle MODIFY_QP = plain("ibv_modify_qp", INT_OF_2_AND_MASK);
        private static final MethodHandle QUERY_QP =
                plain(
                        "ibv_query_qp",
                        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
        private static final MethodHandle DESTROY_QP = plain("ibv_destroy_qp", INT_OF_1);
        private static final MethodHandle CREATE_AH = withErrno("ibv_create_ah", POINTER_OF_2);
        private static final MethodHandle DESTROY_AH = plain("ibv_destroy_ah", INT_OF_1);

        private static MethodHandle plain(String function, FunctionDescriptor descriptor) {
            return LIBRARY.function(known(function), descriptor);
        }

        private static MethodHandle withErrno(String function, FunctionDescriptor descriptor) {
            return LIBRARY.functionWithErrno(known(function), descriptor);
        }

        private static String known(String function) {
            if (!FUNCTIONS.contains(function)) {
                throw new AssertionError(function + " is missing in FUNCTIONS");
            }
            return function;
        }
    }
}
