/*
 * Messages and calls of any range are exact, also where links were given up:
 * as they are counted one by one from the events.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "model/events/events_inside.h"
#include "tests/unit/make_again.h"
#include "ui/traffic/talkcount.h"

#define RANGES    TRIES(60)
#define POS       40
#define FEW       8
#define UNDER_WAY 400
#define PAIRS     (POS + 1)
#define IDS       65536

struct sums {
	struct talk_pair of[PAIRS][PAIRS][TALKS];
};

/* Reads again what is needed; false: it is not to be had. */
static bool
settle(struct made *w, struct model *m, int64_t t0, int64_t t1, uint64_t most)
{
	return (settle_sums(w, m, SUMS_MESSAGES, t0, t1, most) >= 0);
}

static uint32_t
po_of(const struct model *m, uint32_t location)
{
	const struct lane *l = model_lane(m, model_location_lane(m, location));
	uint32_t node, po;

	for (uint32_t i = 0; model_po(m, i, &node, &po) == 0; i++)
		if (node == l->node && po == l->po)
			return (i);
	return (0);
}

/* What a phase begins with; calls are from who began the call. */
static const struct {
	unsigned effect, cause;
	enum talk what;
	bool back; /* the effect is at the caller's */
} phases[] = {
	{ EV_receive, EV_send, TALK_MESSAGE, false },
	{ EV_rpc_begin, EV_rpc_call, TALK_SETUP, false },
	{ EV_rpc_end, EV_rpc_begin, TALK_REMOTE, false },
	{ EV_rpc_return, EV_rpc_end, TALK_RETURN, true },
	{ EV_rpc_return, EV_rpc_call, TALK_WHOLE, true },
};

static const struct event *told[EVENT_KINDS][IDS];

static void
tell(struct made *w, size_t n)
{
	memset(told, 0, sizeof(told));
	for (size_t i = 0; i < n; i++) {
		const struct event *e = &w->log.events[i];

		if (e->a < IDS)
			told[e->kind][e->a] = e;
	}
}

static void
add(struct sums *s, uint32_t from, uint32_t to, enum talk what,
    const struct event *cause, const struct event *effect)
{
	struct talk_pair *p = &s->of[from][to][what];

	p->count++;
	p->ns += effect->t_mon_ns - cause->t_mon_ns;
	if (what != TALK_REMOTE && what != TALK_WHOLE)
		p->bytes += cause->b;
}

/* One by one. */
static void
count(const struct model *m, int64_t t0, int64_t t1, struct sums *s)
{
	static uint32_t at[256];
	const struct event *cause, *effect, *call, *begin;

	for (uint32_t i = 0; i < 256; i++)
		at[i] =
		    model_location_lane(m, i) == UINT32_MAX ? 0 : po_of(m, i);
	memset(s, 0, sizeof(*s));
	for (size_t k = 0; k < sizeof(phases) / sizeof(*phases); k++)
		for (uint64_t id = 1; id < IDS; id++) {
			effect = told[phases[k].effect][id];
			cause = told[phases[k].cause][id];
			if (effect == NULL || cause == NULL ||
			    effect->t_mon_ns < t0 || effect->t_mon_ns >= t1)
				continue;
			call = told[EV_rpc_call][id];
			begin = told[EV_rpc_begin][id];
			if (phases[k].what == TALK_MESSAGE)
				add(s, at[cause->location],
				    at[effect->location], TALK_MESSAGE, cause,
				    effect);
			else
				add(s, at[call->location], at[begin->location],
				    phases[k].what, cause, effect);
		}
}

static void
compare_sums(const struct talk_sums *found, const struct model *all, int64_t t0,
    int64_t t1)
{
	static struct sums want;
	const struct talk_pair none = { 0 }, *p, *of;

	count(all, t0, t1, &want);
	for (uint32_t a = 0; a < model_pos(all); a++)
		for (uint32_t b = 0; b < model_pos(all); b++)
			for (unsigned k = 0; k < TALKS; k++) {
				p = talk_sums_find(found, a, b, k);
				p = p == NULL ? &none : p;
				of = &want.of[a][b][k];
				assert_int_equal(p->count, of->count);
				assert_int_equal(p->bytes, of->bytes);
				assert_int_equal(p->ns, of->ns);
			}
}

static void
compare(const struct model *m, const struct model *all, int64_t t0, int64_t t1)
{
	struct talk_sums found = { .heap = true };

	assert_true(model_talks_in(m, t0, t1, &found));
	compare_sums(&found, all, t0, t1);
	talk_sums_clear(&found);
}

/* As the window does where all links are there. */
static void
compare_links(const struct model *all, int64_t t0, int64_t t1)
{
	static struct talk_count k;

	assert_true(talk_count_begin(&k, all, t0, t1, false));
	while (!talk_count_step(&k))
		continue;
	assert_false(k.failed);
	compare_sums(&k.sums, all, t0, t1);
	talk_count_clear(&k);
}

static void
ranges_are_exact(struct made *w, struct model *m, uint64_t most)
{
	int64_t end = model_last_ns(w->all), t0, t1;

	for (int i = 0; i < RANGES; i++) {
		t0 = (int64_t)below(w, (uint32_t)end);
		t1 = t0 + 1 + (int64_t)below(w, (uint32_t)(end - t0));
		if (below(w, 5) == 0)
			t1 = end + 1;
		if (below(w, 5) == 0)
			t0 = 0;
		if (below(w, 3) == 0)
			t0 = w->log.events[below(w, EVENTS)].t_mon_ns;
		t1 = t1 > t0 ? t1 : t0 + 1;
		assert_true(settle(w, m, t0, t1, most));
		compare(m, w->all, t0, t1);
		compare_links(w->all, t0, t1);
	}
}

static void
what_was_given_up_is_exact(void **state)
{
	struct made *w;

	(void)state;
	detail_apart_events = 2048;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		talk_apart = seed % 2 == 0 ? 8 : LAST_CAUSES;
		w = made_new(seed);
		tell(w, EVENTS);
		assert_true(model_links_gone(w->small));
		assert_true(
		    (talklog_of(w->small)->nodd > 100) == (seed % 2 == 0));
		ranges_are_exact(w, w->small, EVENTS / 2);
		made_free(w);
	}
	talk_apart = LAST_CAUSES;
}

/* A call, and the event that is its next. */
struct called {
	uint64_t id;
	struct thread caller, callee;
	unsigned next;
};

/* Some thread goes on with some call. */
static void
call_on(struct made *w, struct called *v, uint32_t *n, const struct thread *th)
{
	struct called *c;

	if (*n < UNDER_WAY && (*n == 0 || below(w, 4) == 0)) {
		v[(*n)++] =
		    (struct called){ ++w->objects, *th, *th, EV_rpc_begin };
		event(w, th, EV_rpc_call, w->objects, 1 + w->objects % 77, 0);
		return;
	}
	c = &v[below(w, *n)];
	if (c->next == EV_rpc_begin)
		c->callee = *th;
	event(w, c->next == EV_rpc_return ? &c->caller : &c->callee, c->next,
	    c->id, c->next == EV_rpc_end ? 5 : 0, 0);
	if (c->next++ == EV_rpc_return)
		*c = v[--*n];
}

/*
 * Processes of a thread each that send to any other and take any of them, and
 * call each other.
 */
static struct made *
many_log(uint64_t seed, bool calls)
{
	struct made *w = calloc(1, sizeof(*w));
	struct called called[UNDER_WAY];
	uint64_t way[UNDER_WAY], n = 0;
	uint32_t at[POS], k, ncalled = 0;

	assert_non_null(w);
	w->seed = seed;
	w->now = 1000;
	w->log.block_events = BLOCK;
	make_log_head(&w->log, "talk");
	make_log_node(&w->log, 1, "n");
	for (uint32_t i = 0; i < POS; i++) {
		make_log_po(&w->log, 1, 1 + i, "p");
		at[i] = make_log_thread(&w->log, 1, 1 + i, 1, "t");
	}
	while (w->log.n < EVENTS) {
		struct thread th = { .location =
					 at[below(w, calls ? FEW : POS)] };

		if (calls && below(w, 2) == 0)
			call_on(w, called, &ncalled, &th);
		else if (n < UNDER_WAY && (n == 0 || below(w, 2) == 0)) {
			way[n++] = ++w->messages;
			event(w, &th, EV_send, w->messages,
			    1 + w->messages % 999, 0);
		} else {
			k = below(w, (uint32_t)n);
			event(w, &th, EV_receive, way[k], 0, 0);
			way[k] = way[--n];
		}
	}
	make_log_blocks(&w->log, 0);
	make_log_finish(&w->log);
	return (w);
}

/* The more there is to be kept, the farther apart; then it is given up. */
static void
what_is_kept_is_bounded(void **state)
{
	static const struct {
		uint64_t bytes;
		uint32_t grain;
		bool lost;
	} cases[] = { { UINT64_MAX, 1, false }, { 80000, 2, false },
		{ 36000, 4, false }, { 15000, 8, true } };

	(void)state;
	detail_apart_events = 2048;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct made *w = many_log(i + 1, false);

		tell(w, EVENTS);
		talk_most_bytes = cases[i].bytes;
		talk_apart = 500;
		w->all = model_new();
		w->small = model_new();
		model_set_memory(w->small, (uint64_t)24 << 20);
		feed(w, w->all);
		feed(w, w->small);
		if (!cases[i].lost) {
			assert_int_equal(talklog_of(w->small)->grain,
			    cases[i].grain);
			assert_true(
			    talklog_of(w->small)->bytes <= cases[i].bytes);
			ranges_are_exact(w, w->small, EVENTS);
		} else {
			assert_true(talklog_of(w->small)->lost);
			assert_false(settle(w, w->small, 5000, 900000, EVENTS));
		}
		made_free(w);
	}
	talk_most_bytes = UINT64_MAX;
	talk_apart = LAST_CAUSES;
}

/* Each phase of a call by itself, and the call as a whole. */
static void
calls_are_exact(void **state)
{
	(void)state;
	detail_apart_events = 2048;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct made *w = many_log(seed, true);

		tell(w, EVENTS);
		talk_apart = seed % 2 == 0 ? 1000 : LAST_CAUSES;
		w->all = model_new();
		w->small = model_new();
		feed(w, w->all);
		model_set_memory(w->small, model_bytes(w->all) / 3);
		feed(w, w->small);
		assert_true(model_links_gone(w->small));
		assert_true(
		    (talklog_of(w->small)->nodd > 100) == (seed % 2 == 0));
		ranges_are_exact(w, w->small, EVENTS);
		compare(w->all, w->all, INT64_MIN, INT64_MAX);
		made_free(w);
	}
	talk_apart = LAST_CAUSES;
}

/* A cause that comes late finds its effect waiting. */
static void
late_causes_count_when_they_were_taken(void **state)
{
	struct made *w = calloc(1, sizeof(*w));
	uint32_t a, b;

	(void)state;
	assert_non_null(w);
	detail_apart_events = 2048;
	w->log.block_events = BLOCK;
	make_log_head(&w->log, "late");
	make_log_node(&w->log, 1, "n");
	make_log_po(&w->log, 1, 1, "p");
	make_log_po(&w->log, 1, 2, "q");
	a = make_log_thread(&w->log, 1, 1, 1, "t");
	b = make_log_thread(&w->log, 1, 2, 1, "t");
	for (uint64_t i = 1; i <= 8000; i++) { /* the other way round */
		make_log_event(&w->log, b, EV_receive, (int64_t)i * 100, i, 0,
		    0);
		make_log_event(&w->log, a, EV_send, (int64_t)i * 100 + 1, i, 8,
		    0);
	}
	tell(w, 16000);
	make_log_blocks(&w->log, 0);
	make_log_finish(&w->log);
	w->all = model_new();
	w->small = model_new();
	model_set_memory(w->small, (uint64_t)24 << 20);
	feed(w, w->all);
	feed(w, w->small);
	for (int64_t t = 50; t < 700000; t += 33333) {
		assert_true(settle(w, w->small, t, t + 99999, 40000));
		compare(w->small, w->all, t, t + 99999);
	}
	made_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_given_up_is_exact),
		cmocka_unit_test(what_is_kept_is_bounded),
		cmocka_unit_test(calls_are_exact),
		cmocka_unit_test(late_causes_count_when_they_were_taken),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
