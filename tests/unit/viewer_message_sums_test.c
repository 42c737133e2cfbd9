/*
 * Messages of any range are exact, also where links were given up: as they are
 * counted one by one in a model that never gave anything up.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "model/run/inside.h"
#include "tests/unit/make_again.h"

#define RANGES    60
#define POS       40
#define UNDER_WAY 400
#define PAIRS     (POS + 1)

struct sums {
	uint64_t count[PAIRS][PAIRS], bytes[PAIRS][PAIRS];
};

/* Reads again what is needed; false: it is not to be had. */
static bool
settle(struct made *w, struct model *m, int64_t t0, int64_t t1, uint64_t most)
{
	return (settle_sums(w, m, SUMS_MESSAGES, t0, t1, most) >= 0);
}

static uint32_t
po_of(const struct model *m, uint32_t lane)
{
	const struct lane *l = model_lane(m, lane);
	uint32_t node, po;

	for (uint32_t i = 0; model_po(m, i, &node, &po) == 0; i++)
		if (node == l->node && po == l->po)
			return (i);
	return (0);
}

/* One by one. */
static void
count(const struct model *m, int64_t t0, int64_t t1, struct sums *s)
{
	uint32_t from, to;
	struct link l;

	memset(s, 0, sizeof(*s));
	assert_false(model_links_gone(m));
	for (uint32_t i = 0; i < interval_count(&links_of(m)->links); i++) {
		if (!link_get(m, i, &l) || l.kind0 != EV_send ||
		    l.t1_mon_ns == INT64_MAX || l.t1_mon_ns < t0 ||
		    l.t1_mon_ns >= t1)
			continue;
		from = po_of(m, l.lane0);
		to = po_of(m, l.lane1);
		s->count[from][to]++;
		s->bytes[from][to] += l.bytes;
	}
}

static void
compare(const struct model *m, const struct model *all, int64_t t0, int64_t t1)
{
	static struct sums want;
	uint64_t n, bytes;

	count(all, t0, t1, &want);
	for (uint32_t a = 0; a < model_pos(all); a++)
		for (uint32_t b = 0; b < model_pos(all); b++) {
			assert_true(
			    model_messages_in(m, t0, t1, a, b, &n, &bytes));
			assert_int_equal(n, want.count[a][b]);
			assert_int_equal(bytes, want.bytes[a][b]);
		}
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
		assert_true(model_links_gone(w->small));
		assert_true(
		    (talklog_of(w->small)->nodd > 100) == (seed % 2 == 0));
		ranges_are_exact(w, w->small, EVENTS / 2);
		made_free(w);
	}
	talk_apart = LAST_CAUSES;
}

/* Processes of a thread each that send to any other, and take any of them. */
static struct made *
many_log(uint64_t seed)
{
	struct made *w = calloc(1, sizeof(*w));
	uint64_t way[UNDER_WAY], n = 0;
	uint32_t at[POS], k;

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
		struct thread th = { .location = at[below(w, POS)] };

		if (n < UNDER_WAY && (n == 0 || below(w, 2) == 0)) {
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
	} cases[] = { { UINT64_MAX, 1, false }, { 40000, 2, false },
		{ 24000, 4, false }, { 10000, 8, true } };

	(void)state;
	detail_apart_events = 2048;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct made *w = many_log(i + 1);

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
		cmocka_unit_test(late_causes_count_when_they_were_taken),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
