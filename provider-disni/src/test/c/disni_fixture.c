/*
 * A stand-in for libdisni, for tests: the native methods of DiSNI 2.1's NativeDispatcher on libibverbs
 * and librdmacm. DiSNI's jar has no native library, and a test of the provider needs one.
 *
 * Names and signatures are those that `javap -s` prints of com.ibm.disni.verbs.impl.NativeDispatcher.
 * What DiSNI's Java half expects of them:
 *
 *   handles     the address of the native object; negative means there is none
 *   memory      addresses of structs of this machine's headers: DiSNI asks for their sizes first
 *   events      the number of enum rdma_cm_event_type, or negative if none came in time; the two
 *               identifiers go where the caller says, -1 for none; acknowledged at once
 *   failures    an IOException whose text ends in ": " and what strerror says, where the method
 *               declares one; else a result that is not 0
 *
 * softroce/disni-fixture compiles it.
 */
#define _GNU_SOURCE /* strerrordesc_np */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <jni.h>
#include <netinet/in.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NATIVE(type, name, ...)                                                                     \
    JNIEXPORT type JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name(                 \
        JNIEnv *env, jobject self __VA_OPT__(, ) __VA_ARGS__)

enum {
    INTERFACE_VERSION = 32,
    SCATTER_GATHER = 4, /* DiSNI does not pass on what was asked for */
    NONE = -1,
};

#define UNUSED (void)env, (void)self
#define AT(type, address) ((type *)(intptr_t)(address))
#define HANDLE(pointer) ((jlong)(intptr_t)(pointer))

static void throw_errno(JNIEnv *env, const char *what, int error) {
    char text[256];
    /* In English whatever the locale: Java looks for the number by the text. */
    const char *reason = strerrordesc_np(error);
    snprintf(text, sizeof text, "disni fixture: %s failed: %s\n", what,
             reason == NULL ? "Unknown error" : reason);
    jclass type = (*env)->FindClass(env, "java/io/IOException");
    if (type != NULL) {
        (*env)->ThrowNew(env, type, text);
    }
}

/* For functions that give -1 and set errno. */
static void check(JNIEnv *env, const char *what, int result) {
    if (result != 0) {
        throw_errno(env, what, errno);
    }
}

/* For functions that give the error number. */
static void check_number(JNIEnv *env, const char *what, int result) {
    if (result != 0) {
        throw_errno(env, what, result < 0 ? -result : result);
    }
}

static jlong check_pointer(JNIEnv *env, const char *what, const void *pointer) {
    if (pointer == NULL) {
        throw_errno(env, what, errno);
        return NONE;
    }
    return HANDLE(pointer);
}

static int make_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? flags : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

/* ---- what DiSNI checks when it is loaded */

NATIVE(jint, getVersion) {
    UNUSED;
    return INTERFACE_VERSION;
}

NATIVE(jint, getSockAddrInSize) {
    UNUSED;
    return sizeof(struct sockaddr_in);
}

NATIVE(jint, getIbvRecvWRSize) {
    UNUSED;
    return sizeof(struct ibv_recv_wr);
}

NATIVE(jint, getIbvSendWRSize) {
    UNUSED;
    return sizeof(struct ibv_send_wr);
}

NATIVE(jint, getIbvSgeSize) {
    UNUSED;
    return sizeof(struct ibv_sge);
}

NATIVE(jint, getIbvWCSize) {
    UNUSED;
    return sizeof(struct ibv_wc);
}

NATIVE(jint, getRemoteAddressOffset) {
    UNUSED;
    return offsetof(struct ibv_send_wr, wr.rdma.remote_addr);
}

NATIVE(jint, getRKeyOffset) {
    UNUSED;
    return offsetof(struct ibv_send_wr, wr.rdma.rkey);
}

/* ---- rdma_cm */

NATIVE(jlong, createEventChannel) {
    (void)self;
    struct rdma_event_channel *channel = rdma_create_event_channel();
    if (channel != NULL && make_nonblocking(channel->fd) < 0) {
        int error = errno;
        rdma_destroy_event_channel(channel);
        throw_errno(env, "fcntl", error);
        return NONE;
    }
    return check_pointer(env, "rdma_create_event_channel", channel);
}

NATIVE(jint, destroyEventChannel, jlong channel) {
    UNUSED;
    rdma_destroy_event_channel(AT(struct rdma_event_channel, channel));
    return 0;
}

NATIVE(jlong, createId, jlong channel, jshort port_space) {
    (void)self;
    struct rdma_cm_id *id = NULL;
    check(env, "rdma_create_id",
          rdma_create_id(AT(struct rdma_event_channel, channel), &id, NULL, (int)port_space));
    return id == NULL ? NONE : HANDLE(id);
}

NATIVE(jint, destroyCmId, jlong id) {
    UNUSED;
    return rdma_destroy_id(AT(struct rdma_cm_id, id)) == 0 ? 0 : -errno;
}

NATIVE(jint, destroyEp, jlong id) {
    UNUSED;
    rdma_destroy_ep(AT(struct rdma_cm_id, id));
    return 0;
}

NATIVE(void, bindAddr, jlong id, jlong address) {
    (void)self;
    check(env, "rdma_bind_addr",
          rdma_bind_addr(AT(struct rdma_cm_id, id), AT(struct sockaddr, address)));
}

NATIVE(void, listen, jlong id, jint backlog) {
    (void)self;
    check(env, "rdma_listen", rdma_listen(AT(struct rdma_cm_id, id), backlog));
}

/* The source is always 0 in DiSNI 2.1, whatever its caller gave. */
NATIVE(void, resolveAddr, jlong id, jlong source, jlong destination, jint millis) {
    (void)self;
    check(env, "rdma_resolve_addr",
          rdma_resolve_addr(AT(struct rdma_cm_id, id), AT(struct sockaddr, source),
                            AT(struct sockaddr, destination), millis));
}

NATIVE(void, resolveRoute, jlong id, jint millis) {
    (void)self;
    check(env, "rdma_resolve_route", rdma_resolve_route(AT(struct rdma_cm_id, id), millis));
}

NATIVE(jint, getCmEvent, jlong channel, jlong listen_id, jlong client_id, jint millis) {
    UNUSED;
    struct rdma_event_channel *from = AT(struct rdma_event_channel, channel);
    struct pollfd descriptor = {.fd = from->fd, .events = POLLIN};
    struct rdma_cm_event *event;
    if (poll(&descriptor, 1, millis) <= 0 || rdma_get_cm_event(from, &event) != 0) {
        return NONE;
    }
    jint code = (jint)event->event;
    *AT(jlong, listen_id) = event->listen_id == NULL ? NONE : HANDLE(event->listen_id);
    *AT(jlong, client_id) = event->id == NULL ? NONE : HANDLE(event->id);
    rdma_ack_cm_event(event);
    return code;
}

/* Was done with the event. */
NATIVE(jint, ackCmEvent, jint event) {
    UNUSED;
    (void)event;
    return 0;
}

/* As many RDMA READs as the device can, since DiSNI does not say. */
static struct rdma_conn_param parameters(struct rdma_cm_id *id, jint retries, jint rnr_retries) {
    struct ibv_device_attr device;
    struct rdma_conn_param parameters = {
        .retry_count = (uint8_t)retries,
        .rnr_retry_count = (uint8_t)rnr_retries,
    };
    if (ibv_query_device(id->verbs, &device) == 0) {
        parameters.initiator_depth = (uint8_t)device.max_qp_rd_atom;
        parameters.responder_resources = (uint8_t)device.max_qp_rd_atom;
    }
    return parameters;
}

NATIVE(void, connect, jlong id, jint retries, jint rnr_retries, jlong data, jbyte length) {
    (void)self;
    struct rdma_conn_param with = parameters(AT(struct rdma_cm_id, id), retries, rnr_retries);
    with.private_data = AT(void, data);
    with.private_data_len = (uint8_t)length;
    check(env, "rdma_connect", rdma_connect(AT(struct rdma_cm_id, id), &with));
}

NATIVE(void, accept, jlong id, jint retries, jint rnr_retries) {
    (void)self;
    struct rdma_conn_param with = parameters(AT(struct rdma_cm_id, id), retries, rnr_retries);
    check(env, "rdma_accept", rdma_accept(AT(struct rdma_cm_id, id), &with));
}

NATIVE(jint, disconnect, jlong id) {
    UNUSED;
    return rdma_disconnect(AT(struct rdma_cm_id, id)) == 0 ? 0 : -errno;
}

NATIVE(jint, getSrcAddr, jlong id, jlong address) {
    UNUSED;
    memcpy(AT(void, address), rdma_get_local_addr(AT(struct rdma_cm_id, id)),
           sizeof(struct sockaddr_in));
    return 0;
}

NATIVE(jint, getDstAddr, jlong id, jlong address) {
    UNUSED;
    memcpy(AT(void, address), rdma_get_peer_addr(AT(struct rdma_cm_id, id)),
           sizeof(struct sockaddr_in));
    return 0;
}

/* ---- queue pairs */

NATIVE(jlong, createQP, jlong id, jlong domain, jlong send_queue, jlong receive_queue, jint type,
       jint sends, jint receives, jint inline_data) {
    (void)self;
    struct rdma_cm_id *of = AT(struct rdma_cm_id, id);
    struct ibv_qp_init_attr attributes = {
        .send_cq = AT(struct ibv_cq, send_queue),
        .recv_cq = AT(struct ibv_cq, receive_queue),
        .qp_type = (enum ibv_qp_type)type,
        .cap =
            {
                .max_send_wr = (uint32_t)sends,
                .max_recv_wr = (uint32_t)receives,
                .max_send_sge = SCATTER_GATHER,
                .max_recv_sge = SCATTER_GATHER,
                .max_inline_data = (uint32_t)inline_data,
            },
    };
    if (rdma_create_qp(of, AT(struct ibv_pd, domain), &attributes) != 0) {
        throw_errno(env, "rdma_create_qp", errno);
        return NONE;
    }
    return HANDLE(of->qp);
}

NATIVE(jint, destroyQP, jlong id) {
    UNUSED;
    struct rdma_cm_id *of = AT(struct rdma_cm_id, id);
    if (of->qp == NULL) {
        return NONE;
    }
    rdma_destroy_qp(of);
    return 0;
}

/* DiSNI 2.1 calls it without attributes: nobody may. */
NATIVE(jint, modifyQP, jlong queue_pair, jlong attributes) {
    (void)self;
    (void)queue_pair;
    (void)attributes;
    throw_errno(env, "ibv_modify_qp", ENOSYS);
    return NONE;
}

NATIVE(void, postSend, jlong queue_pair, jlong requests) {
    (void)self;
    struct ibv_send_wr *bad;
    check_number(env, "ibv_post_send",
                 ibv_post_send(AT(struct ibv_qp, queue_pair), AT(struct ibv_send_wr, requests),
                               &bad));
}

NATIVE(void, postRecv, jlong queue_pair, jlong requests) {
    (void)self;
    struct ibv_recv_wr *bad;
    check_number(env, "ibv_post_recv",
                 ibv_post_recv(AT(struct ibv_qp, queue_pair), AT(struct ibv_recv_wr, requests),
                               &bad));
}

NATIVE(jint, getQpNum, jlong queue_pair) {
    UNUSED;
    return (jint)AT(struct ibv_qp, queue_pair)->qp_num;
}

/* ---- devices, domains and memory */

NATIVE(jlong, getContext, jlong id) {
    UNUSED;
    struct ibv_context *context = AT(struct rdma_cm_id, id)->verbs;
    return context == NULL ? NONE : HANDLE(context);
}

NATIVE(jint, getContextFd, jlong context) {
    UNUSED;
    return AT(struct ibv_context, context)->cmd_fd;
}

NATIVE(jint, getContextNumCompVectors, jlong context) {
    UNUSED;
    return AT(struct ibv_context, context)->num_comp_vectors;
}

NATIVE(jlong, allocPd, jlong context) {
    (void)self;
    return check_pointer(env, "ibv_alloc_pd", ibv_alloc_pd(AT(struct ibv_context, context)));
}

NATIVE(jint, getPdHandle, jlong domain) {
    UNUSED;
    return (jint)AT(struct ibv_pd, domain)->handle;
}

NATIVE(jint, deallocPd, jlong domain) {
    UNUSED;
    return ibv_dealloc_pd(AT(struct ibv_pd, domain));
}

NATIVE(jlong, regMr, jlong domain, jlong address, jint length, jint access, jlong local_key,
       jlong remote_key, jlong handle) {
    (void)self;
    struct ibv_mr *region =
        (ibv_reg_mr)(AT(struct ibv_pd, domain), AT(void, address), (size_t)length, access);
    if (region == NULL) {
        throw_errno(env, "ibv_reg_mr", errno);
        return NONE;
    }
    *AT(jint, local_key) = (jint)region->lkey;
    *AT(jint, remote_key) = (jint)region->rkey;
    *AT(jint, handle) = (jint)region->handle;
    return HANDLE(region);
}

NATIVE(void, deregMr, jlong region) {
    (void)self;
    check_number(env, "ibv_dereg_mr", ibv_dereg_mr(AT(struct ibv_mr, region)));
}

NATIVE(jint, queryOdpSupport, jlong context) {
    UNUSED;
    (void)context;
    return NONE;
}

NATIVE(jint, expPrefetchMr, jlong region, jlong address, jint length) {
    UNUSED;
    (void)region;
    (void)address;
    (void)length;
    return NONE;
}

/* ---- completions */

NATIVE(jlong, createCompChannel, jlong context) {
    (void)self;
    struct ibv_comp_channel *channel = ibv_create_comp_channel(AT(struct ibv_context, context));
    if (channel != NULL && make_nonblocking(channel->fd) < 0) {
        int error = errno;
        ibv_destroy_comp_channel(channel);
        throw_errno(env, "fcntl", error);
        return NONE;
    }
    return check_pointer(env, "ibv_create_comp_channel", channel);
}

NATIVE(jint, destroyCompChannel, jlong channel) {
    UNUSED;
    return ibv_destroy_comp_channel(AT(struct ibv_comp_channel, channel));
}

NATIVE(jlong, createCQ, jlong context, jlong channel, jint entries, jint vector) {
    (void)self;
    return check_pointer(env, "ibv_create_cq",
                         ibv_create_cq(AT(struct ibv_context, context), entries, NULL,
                                       AT(struct ibv_comp_channel, channel), vector));
}

NATIVE(jint, destroyCQ, jlong queue) {
    UNUSED;
    return ibv_destroy_cq(AT(struct ibv_cq, queue));
}

NATIVE(jint, pollCQ, jlong queue, jint most, jlong completions) {
    UNUSED;
    return ibv_poll_cq(AT(struct ibv_cq, queue), most, AT(struct ibv_wc, completions));
}

NATIVE(jint, reqNotifyCQ, jlong queue, jint solicited_only) {
    UNUSED;
    return ibv_req_notify_cq(AT(struct ibv_cq, queue), solicited_only);
}

/* Not acknowledged here: DiSNI's caller does that. */
NATIVE(jint, getCqEvent, jlong channel, jint millis) {
    UNUSED;
    struct ibv_comp_channel *from = AT(struct ibv_comp_channel, channel);
    struct pollfd descriptor = {.fd = from->fd, .events = POLLIN};
    struct ibv_cq *queue;
    void *context;
    if (poll(&descriptor, 1, millis) <= 0) {
        return NONE;
    }
    return ibv_get_cq_event(from, &queue, &context);
}

NATIVE(jint, ackCqEvent, jlong queue, jint events) {
    UNUSED;
    ibv_ack_cq_events(AT(struct ibv_cq, queue), (unsigned int)events);
    return 0;
}
