/*
 * A stand-in for a card and its driver, for benchmarks: whatever is posted has completed at once, and
 * nothing moves. What it leaves over is the cost of getting there.
 *
 * The struct is verbs.h's own, and so are the calls in the loops below: inline functions that go
 * through the function pointers in the context, as every program in C that uses the verbs does, and
 * as provider-ffm does.
 *
 *   cc -O3 -shared -fPIC -o libcard.so card.c        (Debian: apt install gcc libibverbs-dev)
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 256, MOST = 64, MESSAGE = 64 };

struct card {
    struct ibv_context context;
    struct ibv_pd domain;
    struct ibv_cq completions;
    struct ibv_qp queue_pair;
    struct ibv_mr region;
    char memory[MOST * MESSAGE];
    uint32_t head, tail;
    struct {
        uint64_t identifier, address;
        uint32_t length, key;
    } done[SLOTS];
};

/* Keeps of a request what a card would have to know. */
static int post_send(struct ibv_qp *queue_pair, struct ibv_send_wr *request, struct ibv_send_wr **bad) {
    struct card *card = queue_pair->qp_context;
    for (; request; request = request->next) {
        if (card->head - card->tail == SLOTS) {
            *bad = request;
            return ENOMEM;
        }
        uint32_t slot = card->head++ % SLOTS;
        card->done[slot].identifier = request->wr_id;
        card->done[slot].address = request->sg_list->addr;
        card->done[slot].length = request->sg_list->length;
        card->done[slot].key = request->sg_list->lkey;
    }
    return 0;
}

static int poll_cq(struct ibv_cq *queue, int most, struct ibv_wc *into) {
    struct card *card = queue->cq_context;
    int count = 0;
    for (; count < most && card->tail != card->head; count++) {
        uint32_t slot = card->tail++ % SLOTS;
        into[count].wr_id = card->done[slot].identifier;
        into[count].status =
            card->done[slot].key == card->region.lkey ? IBV_WC_SUCCESS : IBV_WC_LOC_PROT_ERR;
        into[count].opcode = IBV_WC_SEND;
        into[count].byte_len = card->done[slot].length;
        into[count].qp_num = card->queue_pair.qp_num;
        into[count].wc_flags = 0;
    }
    return count;
}

struct card *card_new(void) {
    struct card *card = calloc(1, sizeof *card);
    if (card) {
        card->context.ops.post_send = post_send;
        card->context.ops.poll_cq = poll_cq;
        card->domain.context = &card->context;
        card->completions.context = &card->context;
        card->completions.cq_context = card;
        card->queue_pair.context = &card->context;
        card->queue_pair.qp_context = card;
        card->queue_pair.pd = &card->domain;
        card->queue_pair.qp_num = 7;
        card->queue_pair.state = IBV_QPS_RTS;
        card->region.context = &card->context;
        card->region.addr = card->memory;
        card->region.length = sizeof card->memory;
        card->region.lkey = 0x1234;
    }
    return card;
}

void card_free(struct card *card) {
    free(card);
}

struct ibv_context *card_context(struct card *card) {
    return &card->context;
}

struct ibv_qp *card_queue_pair(struct card *card) {
    return &card->queue_pair;
}

struct ibv_cq *card_completions(struct card *card) {
    return &card->completions;
}

struct ibv_mr *card_region(struct card *card) {
    return &card->region;
}

void *card_memory(struct card *card) {
    return card->memory;
}

/*
 * What the benchmarks in Java do: a chain is posted from prepared requests that get new identifiers,
 * and polled. With fills, address, length and key are written as well. Returns the sum of the
 * identifiers that completed, or -1.
 */
int64_t card_loop(struct card *card, int64_t rounds, int chain, int fills) {
    struct ibv_send_wr requests[MOST], *bad;
    struct ibv_sge elements[MOST];
    struct ibv_wc completions[MOST];
    struct ibv_qp *queue_pair = &card->queue_pair;
    struct ibv_cq *queue = &card->completions;
    uint64_t next = 0, sum = 0;
    if (chain < 1 || chain > MOST) {
        return -1;
    }
    memset(requests, 0, sizeof requests);
    for (int i = 0; i < chain; i++) {
        elements[i] = (struct ibv_sge){(uintptr_t)card->memory + i * MESSAGE, MESSAGE, card->region.lkey};
        requests[i].opcode = IBV_WR_SEND;
        requests[i].send_flags = IBV_SEND_SIGNALED;
        requests[i].sg_list = &elements[i];
        requests[i].num_sge = 1;
        requests[i].next = i + 1 < chain ? &requests[i + 1] : NULL;
    }
    for (int64_t round = 0; round < rounds; round++) {
        for (int i = 0; i < chain; i++) {
            requests[i].wr_id = next++;
            if (fills) {
                elements[i].addr = (uintptr_t)card->memory + (next % MOST) * MESSAGE;
                elements[i].length = MESSAGE;
                elements[i].lkey = card->region.lkey;
            }
        }
        if (ibv_post_send(queue_pair, requests, &bad)) {
            return -1;
        }
        for (int polled = 0; polled < chain;) {
            int count = ibv_poll_cq(queue, chain, completions);
            for (int i = 0; i < count; i++) {
                if (completions[i].status != IBV_WC_SUCCESS) {
                    return -1;
                }
                sum += completions[i].wr_id;
            }
            polled += count;
        }
    }
    return (int64_t)sum;
}
