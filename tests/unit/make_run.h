/* Runs that are made up by chance, and which of their events cause which. */
#ifndef TESTS_MAKE_RUN_H
#define TESTS_MAKE_RUN_H

#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "logical/logical.h"

#define STREAMS_MAX 48u
#define CAUSES_MAX  STREAMS_MAX

/* An event of a made-up run, and which of its events cause it. */
struct made {
	struct event event;
	uint32_t causes[CAUSES_MAX], ncauses;
	uint32_t before; /* 1 + index of the one before it on its thread */
};

struct run {
	struct made *made;
	uint32_t n, cap, streams;
	uint64_t random, id;
	uint64_t seq[STREAMS_MAX];
	uint32_t last[STREAMS_MAX]; /* 1 + index */
	uint32_t *sent;             /* on their way */
	uint32_t nsent;
	uint32_t *block; /* that were opened */
	uint32_t nblocks;
};

static inline uint32_t
random_below(struct run *r, uint32_t n)
{
	r->random = r->random * 6364136223846793005u + 1442695040888963407u;
	return ((uint32_t)(r->random >> 33) % n);
}

static inline struct made *
make_event(struct run *r, uint32_t stream, unsigned kind, uint64_t a,
    uint64_t b, uint32_t c)
{
	struct made *m = &r->made[r->n++];

	assert_true(r->n <= r->cap);
	if (random_below(r, 50) == 0)
		r->seq[stream] += random_below(r, 5); /* some are lost */
	*m = (struct made){ .event = { .seq = r->seq[stream]++,
				.location = stream * 3 + 1,
				.kind = (uint16_t)kind,
				.a = a,
				.b = b,
				.c = c,
				.t_mon_ns = r->n },
		.before = r->last[stream] };
	r->last[stream] = r->n;
	return (m);
}

static inline void
caused_by(struct made *m, uint32_t cause)
{
	m->causes[m->ncauses++] = cause;
}

static inline void
make_message(struct run *r, uint32_t stream)
{
	uint32_t k;

	if (r->nsent == 0 || random_below(r, 2) == 0) {
		/* now and then one that is sent twice under one number */
		r->id += random_below(r, 20) != 0;
		r->sent[r->nsent++] = r->n;
		make_event(r, stream, EV_send, r->id, 0, 0);
		return;
	}
	/* the one sent first of those that have its number */
	k = random_below(r, r->nsent);
	for (uint32_t i = 0; i < k; i++)
		if (r->made[r->sent[i]].event.a == r->made[r->sent[k]].event.a)
			k = i;
	caused_by(make_event(r, stream, EV_receive, r->made[r->sent[k]].event.a,
		      0, 0),
	    r->sent[k]);
	memmove(&r->sent[k], &r->sent[k + 1],
	    (r->nsent - k - 1) * sizeof(*r->sent));
	r->nsent--;
}

static inline void
make_block(struct run *r, uint32_t stream)
{
	uint32_t k;

	if (r->nblocks == 0 || random_below(r, 5) == 0) {
		r->block[r->nblocks++] = r->n;
		make_event(r, stream, EV_block_begin, ++r->id, 4, 0);
		return;
	}
	k = r->block[random_below(r, r->nblocks)];
	caused_by(make_event(r, stream, EV_member_begin, r->made[k].event.a, 1,
		      0),
	    k);
}

static inline void
make_lock(struct run *r, uint32_t stream)
{
	uint32_t cause = r->n;

	r->id++;
	make_event(r, stream, EV_lock_release, 77, r->id, 0);
	caused_by(make_event(r, random_below(r, r->streams), EV_lock_acquire,
		      77, r->id, 0),
	    cause);
}

/* Some of all streams meet; others have other things to do meanwhile. */
static inline void
make_barrier(struct run *r)
{
	uint32_t party[STREAMS_MAX], cause[STREAMS_MAX], n = 0;

	for (uint32_t s = 0; s < r->streams; s++)
		if (random_below(r, 2) == 0)
			party[n++] = s;
	r->id++;
	for (uint32_t i = 0; i < n; i++) {
		cause[i] = r->n;
		make_event(r, party[i], EV_barrier_enter, 5, r->id, n);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct made *m =
		    make_event(r, party[i], EV_barrier_leave, 5, r->id, n);

		for (uint32_t k = 0; k < n; k++)
			caused_by(m, cause[k]);
	}
}

static inline void
make_run(struct run *r, uint64_t seed, uint32_t streams, uint32_t events)
{
	*r = (struct run){ .streams = streams, .random = seed, .id = 1 };
	r->cap = events + 2 * STREAMS_MAX + 2;
	r->made = calloc(r->cap, sizeof(*r->made));
	r->sent = calloc(r->cap, sizeof(*r->sent));
	r->block = calloc(r->cap, sizeof(*r->block));
	while (r->n < events) {
		uint32_t s = random_below(r, streams);

		switch (random_below(r, 12)) {
		case 0:
			make_block(r, s);
			break;
		case 1:
			make_lock(r, s);
			break;
		case 2:
			if (random_below(r, 8) == 0)
				make_barrier(r);
			break;
		case 3:
			make_event(r, s, EV_receive, 1ull << 40, 0, 0);
			break;
		case 4:
		case 5:
			make_event(r, s, EV_note, 0, 0, 0);
			break;
		default:
			make_message(r, s);
		}
	}
}

static inline void
free_run(struct run *r)
{
	free(r->made);
	free(r->sent);
	free(r->block);
}

static inline void
feed(struct logical *l, const struct made *m)
{
	assert_int_equal(logical_add(l, &m->event, event_desc(m->event.kind)),
	    0);
}

static inline struct logical_event
name(const struct made *m)
{
	return (struct logical_event){ m->event.location, m->event.seq };
}

#endif
