/*
 * Happens-before, past and future are those of the definition: beside the
 * transitive closure of small random runs, every pair of events; beside a
 * vector clock for each event of large ones.
 */
#include "tests/check.h"

#include <errno.h>
#include <stdbool.h>
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

static uint32_t
random_below(struct run *r, uint32_t n)
{
	r->random = r->random * 6364136223846793005u + 1442695040888963407u;
	return ((uint32_t)(r->random >> 33) % n);
}

static struct made *
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

static void
caused_by(struct made *m, uint32_t cause)
{
	m->causes[m->ncauses++] = cause;
}

static void
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

static void
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

static void
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
static void
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

static void
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

static void
free_run(struct run *r)
{
	free(r->made);
	free(r->sent);
	free(r->block);
}

static void
feed(struct logical *l, const struct made *m)
{
	assert_int_equal(logical_add(l, &m->event, event_desc(m->event.kind)),
	    0);
}

static struct logical_event
name(const struct made *m)
{
	return (struct logical_event){ m->event.location, m->event.seq };
}

/* Each step is one that was made, and they hang together. */
static void
path_is_true(const struct run *r, struct logical *l, uint32_t a, uint32_t b)
{
	struct logical_event at = name(&r->made[a]), to = name(&r->made[b]);
	struct logical_edge *path;
	size_t n;

	assert_int_equal(logical_path(l, at, to, &path, &n), 1);
	for (size_t i = 0; i < n; i++) {
		const struct logical_edge *e = &path[i];
		bool found = false;

		assert_int_equal(e->cause.location, at.location);
		assert_true(e->cause.seq >= at.seq);
		for (uint32_t x = 0; x < r->n && !found; x++) {
			const struct made *m = &r->made[x];

			if (m->event.location != e->effect.location ||
			    m->event.seq != e->effect.seq)
				continue;
			for (uint32_t c = 0; c < m->ncauses; c++) {
				const struct made *k = &r->made[m->causes[c]];

				found |=
				    k->event.location == e->cause.location &&
				    k->event.seq == e->cause.seq;
			}
		}
		assert_true(found);
		at = e->effect;
	}
	assert_int_equal(at.location, to.location);
	assert_true(at.seq <= to.seq);
	free(path);
}

/* known[i][j]: j is i or happens before it. */
typedef uint8_t closure[400];

static closure *
close_run(const struct run *r)
{
	closure *known = calloc(r->n, sizeof(*known));

	assert_true(r->n <= sizeof(*known));
	for (uint32_t i = 0; i < r->n; i++)
		known[i][i] = 1;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct made *m = &r->made[i];

		for (uint32_t c = 0; c < m->ncauses; c++)
			known[i][m->causes[c]] = 1;
		if (m->before > 0)
			known[i][m->before - 1] = 1;
	}
	for (uint32_t k = 0; k < r->n; k++)
		for (uint32_t i = 0; i < r->n; i++)
			for (uint32_t j = 0; known[i][k] && j < r->n; j++)
				known[i][j] |= known[k][j];
	return (known);
}

static void
cuts_are_true(const struct run *r, struct logical *l, closure *known,
    uint32_t x)
{
	struct logical_cut past[STREAMS_MAX], future[STREAMS_MAX];
	size_t n = logical_locations(l);

	assert_int_equal(logical_past_cut(l, name(&r->made[x]), past), 0);
	assert_int_equal(logical_future_cut(l, name(&r->made[x]), future), 0);
	for (size_t s = 0; s < n; s++) {
		int64_t last = -1, first = -1;

		for (uint32_t i = 0; i < r->n; i++) {
			const struct event *e = &r->made[i].event;

			if (e->location != past[s].location)
				continue;
			if (known[x][i])
				last = (int64_t)e->seq;
			if (known[i][x] && first == -1)
				first = (int64_t)e->seq;
		}
		assert_int_equal(past[s].any ? (int64_t)past[s].seq : -1, last);
		assert_int_equal(future[s].any ? (int64_t)future[s].seq : -1,
		    first);
	}
}

static void
every_pair_of_small_runs(void **state)
{
	uint64_t pairs = 0, concurrent = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 150; seed++) {
		struct logical *l = logical_new();
		struct run r;
		closure *known;

		make_run(&r, seed, 2 + (uint32_t)seed % 7,
		    30 + (uint32_t)seed % 70);
		known = close_run(&r);
		for (uint32_t i = 0; i < r.n; i++)
			feed(l, &r.made[i]);
		for (uint32_t a = 0; a < r.n; a++) {
			for (uint32_t b = 0; b < r.n; b++) {
				int want = a == b        ? LOGICAL_SAME
					   : known[b][a] ? LOGICAL_BEFORE
					   : known[a][b] ? LOGICAL_AFTER
							 : LOGICAL_CONCURRENT;

				assert_int_equal(logical_order(l,
						     name(&r.made[a]),
						     name(&r.made[b])),
				    want);
				if (want == LOGICAL_BEFORE)
					path_is_true(&r, l, a, b);
				concurrent += want == LOGICAL_CONCURRENT;
				pairs++;
			}
			cuts_are_true(&r, l, known, a);
		}
		free(known);
		free_run(&r);
		logical_free(l);
	}
	/* the runs are worth asking about */
	assert_true(concurrent > pairs / 10 && concurrent < pairs * 9 / 10);
}

/* Of each event, of each stream 1 + seq of the last one before it. */
static uint64_t *
vector_clocks(const struct run *r)
{
	uint64_t *v = calloc((size_t)r->n * STREAMS_MAX, sizeof(*v));

	for (uint32_t i = 0; i < r->n; i++) {
		const struct made *m = &r->made[i];
		uint64_t *at = &v[(size_t)i * STREAMS_MAX];

		for (uint32_t c = 0; c <= m->ncauses; c++) {
			uint32_t from =
			    c < m->ncauses ? m->causes[c] + 1 : m->before;

			for (uint32_t s = 0; from > 0 && s < r->streams; s++) {
				uint64_t x =
				    v[(size_t)(from - 1) * STREAMS_MAX + s];

				at[s] = at[s] < x ? x : at[s];
			}
		}
		at[m->event.location / 3] = m->event.seq + 1;
	}
	return (v);
}

static bool
clock_before(const struct run *r, const uint64_t *v, uint32_t a, uint32_t b)
{
	const struct event *e = &r->made[a].event;

	return (
	    a != b && v[(size_t)b * STREAMS_MAX + e->location / 3] > e->seq);
}

static void
ask_at_random(struct run *r, struct logical *l, const uint64_t *v, uint32_t fed,
    uint32_t times)
{
	for (uint32_t i = 0; i < times; i++) {
		uint32_t a = random_below(r, fed), b = random_below(r, fed);
		bool want = clock_before(r, v, a, b);

		if (i % 2 == 0) { /* close by */
			b = a + random_below(r, 100);
			b = b < fed ? b : fed - 1;
			want = clock_before(r, v, a, b);
		}
		assert_int_equal(logical_before(l, name(&r->made[a]),
				     name(&r->made[b])),
		    want);
	}
}

static void
large_cuts(struct run *r, struct logical *l, const uint64_t *v)
{
	struct logical_cut cut[STREAMS_MAX];
	uint32_t x = random_below(r, r->n);
	size_t n = logical_locations(l);

	assert_int_equal(logical_past_cut(l, name(&r->made[x]), cut), 0);
	for (size_t s = 0; s < n; s++) {
		uint64_t want =
		    v[(size_t)x * STREAMS_MAX + cut[s].location / 3];

		assert_int_equal(cut[s].any ? cut[s].seq + 1 : 0, want);
	}
	assert_int_equal(logical_future_cut(l, name(&r->made[x]), cut), 0);
	for (size_t s = 0; s < n; s++) {
		uint64_t want = 0;

		for (uint32_t i = x; i < r->n && want == 0; i++)
			if (r->made[i].event.location == cut[s].location &&
			    (i == x || clock_before(r, v, x, i)))
				want = r->made[i].event.seq + 1;
		assert_int_equal(cut[s].any ? cut[s].seq + 1 : 0, want);
	}
}

static void
large_runs_while_they_grow(void **state)
{
	static const struct {
		uint32_t streams, events;
	} cases[] = { { 2, 8000 }, { 3, 8000 }, { 7, 20000 }, { 48, 40000 } };
	struct logical_stats stats;

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct logical *l = logical_new();
		struct run r;
		uint64_t *v;

		make_run(&r, 1000 + k, cases[k].streams, cases[k].events);
		v = vector_clocks(&r);
		for (uint32_t i = 0; i < r.n; i++) {
			feed(l, &r.made[i]);
			if (i % 500 == 499)
				ask_at_random(&r, l, v, i, 50);
		}
		ask_at_random(&r, l, v, r.n, 20000);
		for (int i = 0; i < 40; i++)
			large_cuts(&r, l, v);
		logical_stats(l, &stats);
		assert_true(stats.vectors > 20);
		assert_int_equal(stats.events, r.n);
		free(v);
		free_run(&r);
		logical_free(l);
	}
}

/* A number that is used again, an answer before its question, and so on. */
static void
what_it_does_not_take(void **state)
{
	struct logical *l = logical_new();
	struct logical_event here = { 1, 5 }, none = { 2, 5 }, later = { 1, 9 };
	struct event e = { .location = 1, .seq = 5, .kind = EV_note };
	struct logical_edge *path;
	struct logical_cut cut;
	size_t n;

	(void)state;
	assert_int_equal(logical_add(l, &e, NULL), 0);
	assert_int_equal(logical_add(l, &e, NULL), -1);
	assert_int_equal(errno, EINVAL);
	e.seq = UINT32_MAX;
	assert_int_equal(logical_add(l, &e, NULL), -1);
	assert_int_equal(errno, EOVERFLOW);
	assert_int_equal(logical_order(l, here, here), LOGICAL_SAME);
	assert_int_equal(logical_order(l, here, none), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(logical_order(l, later, here), -1);
	assert_int_equal(logical_path(l, here, later, &path, &n), -1);
	assert_int_equal(logical_past_cut(l, none, &cut), -1);
	assert_int_equal(logical_future_cut(l, later, &cut), -1);
	logical_free(l);
	logical_free(NULL);
}

/* An effect that comes before its cause is not caused by it. */
static void
no_circles(void **state)
{
	static const struct {
		uint32_t location;
		uint16_t kind;
		uint64_t a;
	} rows[] = {
		{ 1, EV_receive, 7 },
		{ 1, EV_send, 8 },
		{ 2, EV_receive, 8 },
		{ 2, EV_send, 7 },
	};
	struct logical *l = logical_new();
	struct logical_event last = { 2, 1 }, first = { 1, 0 };
	struct logical_stats stats;
	uint64_t seq[3] = { 0 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct event e = { .location = rows[i].location,
			.kind = rows[i].kind,
			.a = rows[i].a,
			.seq = seq[rows[i].location]++ };

		assert_int_equal(logical_add(l, &e, event_desc(e.kind)), 0);
	}
	assert_int_equal(logical_before(l, last, first), 0);
	assert_int_equal(logical_before(l, first, last), 1);
	logical_stats(l, &stats);
	assert_int_equal(stats.edges, 1);
	assert_int_equal(stats.missing, 1);
	logical_free(l);
}

/* Causes that are never taken cost bounded memory. */
static void
what_is_never_received_is_forgotten(void **state)
{
	struct logical *l = logical_new();
	struct logical_stats stats;

	(void)state;
	for (uint64_t i = 0; i < 3000000; i++) {
		struct event e = { .location = 1,
			.kind = EV_send,
			.a = i + 1,
			.seq = i };

		assert_int_equal(logical_add(l, &e, event_desc(e.kind)), 0);
	}
	logical_stats(l, &stats);
	assert_in_range(stats.pending_bytes, 1, (size_t)80 << 20);
	logical_free(l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_pair_of_small_runs),
		cmocka_unit_test(large_runs_while_they_grow),
		cmocka_unit_test(what_it_does_not_take),
		cmocka_unit_test(no_circles),
		cmocka_unit_test(what_is_never_received_is_forgotten),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
