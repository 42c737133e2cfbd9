/*
 * Of a clock that ticks seldom: what happens at one instant is told in its
 * order, each call with what it was in and how long it took.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "model/asked/findcalls.h"
#include "model/calls/calls.h"
#include "tests/rnd.h"
#include "tests/unit/make_model.h"

#define AT_ONCE 7
#define SPANS   2000
#define DEEP    9

#define NAMES 3

struct lasts {
	int64_t t0, t1;
	uint32_t name, caller;
	bool found;
};

/*
 * Of a clock that ticks seldom: calls of one name, one within the other up to
 * so deep and one after the other, and waits.
 */
static size_t
tell_at_once(struct make_log *log, unsigned deep, struct lasts *told)
{
	uint32_t at, name, lock;
	size_t open[DEEP], n = 0;
	unsigned depth = 0;
	int64_t t = 1000;

	make_log_head(log, "ticks");
	make_log_node(log, 1, "n1");
	make_log_po(log, 1, 1, "prog");
	at = make_log_thread(log, 1, 1, 1, "");
	name = make_log_name(log, "again");
	lock = make_log_name(log, "lock");
	while (n < SPANS) {
		t += rnd() % 6 == 0 ? 100 : 0;
		if (rnd() % 5 == 0) {
			told[n].t0 = t;
			make_log_event(log, at, EV_lock_wait, t, 7, 0, lock);
			t += rnd() % 3 == 0 ? 100 : 0;
			told[n++].t1 = t;
			make_log_event(log, at, EV_lock_acquire, t, 7, 0, lock);
		} else if (depth < deep && rnd() % 2 == 0) {
			open[depth++] = n;
			told[n++].t0 = t;
			make_log_event(log, at, EV_enter, t, 1, 0, name);
		} else if (depth > 0) {
			told[open[--depth]].t1 = t;
			make_log_event(log, at, EV_leave, t, 1, 0, name);
		}
	}
	while (depth > 0) {
		told[open[--depth]].t1 = t += 100;
		make_log_event(log, at, EV_leave, t, 1, 0, name);
	}
	make_log_event(log, at, EV_note, t + 100, 0, 0, name);
	return (n);
}

/* Of those that begin at one instant, too, also in the middle of the list. */
static void
each_is_as_long_as_it_was(void **state)
{
	struct lasts *told = calloc(SPANS, sizeof(*told));
	struct span out[AT_ONCE];
	struct whole w;

	(void)state;
	assert_non_null(told);
	for (unsigned deep = 1; deep <= DEEP; deep += 4) {
		struct make_log log = { 0 };
		size_t n = tell_at_once(&log, deep, told), got;
		struct model *m = make_model(&log);
		uint32_t lane = model_location_lane(m, 1);

		for (size_t k = 0; k < n; k += got) {
			got = model_lane_list(m, lane, k, out, AT_ONCE);
			assert_int_not_equal(got, 0);
			for (size_t i = 0; i < got; i++) {
				model_lane_whole(m, lane, &out[i], &w);
				assert_int_equal(out[i].t0_mon_ns,
				    told[k + i].t0);
				assert_int_equal(out[i].t1_mon_ns,
				    told[k + i].t1);
			}
		}
		model_free(m);
	}
	free(told);
}

/* Calls of some names, without waits; those that are found are marked. */
static size_t
tell_calls(struct make_log *log, struct lasts *told)
{
	uint32_t at, name[NAMES];
	size_t open[DEEP], n = 0;
	unsigned depth = 0;
	int64_t t = 1000;

	make_log_head(log, "ticks");
	make_log_node(log, 1, "n1");
	make_log_po(log, 1, 1, "prog");
	at = make_log_thread(log, 1, 1, 1, "");
	for (unsigned i = 0; i < NAMES; i++)
		name[i] =
		    make_log_name(log, (const char *[]){ "f", "g", "h" }[i]);
	while (n < SPANS || depth > 0) {
		t += rnd() % 6 == 0 ? 100 : 0;
		if (n < SPANS && depth < DEEP && rnd() % 2 == 0) {
			told[n] = (struct lasts){ .t0 = t,
				.name = name[rnd() % NAMES],
				.caller = depth == 0
					      ? 0
					      : told[open[depth - 1]].name };
			make_log_event(log, at, EV_enter, t, 1, 0,
			    told[n].name);
			open[depth++] = n++;
		} else if (depth > 0) {
			told[open[--depth]].t1 = t;
			make_log_event(log, at, EV_leave, t, 1, 0,
			    told[open[depth]].name);
		}
	}
	make_log_event(log, at, EV_note, t + 100, 0, 0, name[0]);
	return (n);
}

static void
is_one_of(const struct model *m, const struct found_call *c, struct lasts *told,
    size_t n)
{
	uint32_t caller =
	    model_caller(m, c->row, c->t0_mon_ns, c->t1_mon_ns, c->nth);
	size_t i = 0;

	while (
	    i < n && (told[i].found || told[i].t0 != c->t0_mon_ns ||
			 told[i].t1 != c->t1_mon_ns ||
			 told[i].name != c->name || told[i].caller != caller))
		i++;
	assert_true(i < n);
	told[i].found = true;
}

/* Those that the model keeps, too. */
static void
each_is_called_by_what_it_was_in(void **state)
{
	const uint8_t meant[] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	struct lasts *told = calloc(SPANS, sizeof(*told));
	struct find_calls *f = find_new();

	(void)state;
	assert_non_null(told);
	for (unsigned slowest = 0; slowest <= 16; slowest += 16) {
		struct make_log log = { 0 };
		size_t n = tell_calls(&log, told), got;
		struct model *m = make_model(&log);
		const struct found_call *c;
		struct find_ask ask = { .name = meant,
			.nnames = sizeof(meant),
			.kinds = 1 << SPAN_call,
			.most_ns = INT64_MAX,
			.t1 = model_last_ns(m) + 1,
			.head_ns = model_last_ns(m),
			.now = true,
			.slowest = slowest };

		assert_int_equal(find_begin(f, m, &ask), 0);
		while (!find_step(f))
			continue;
		got = find_list(f, &c);
		assert_true(got >= 16);
		for (size_t i = 0; i < got; i++)
			is_one_of(m, &c[i], told, n);
		model_free(m);
	}
	find_free(f);
	free(told);
}

/* Its rows tell of it, too, as soon as it is said. */
static void
what_a_thread_says_shows_though_its_calls_nest(void **state)
{
	struct make_log log = { 0 };
	uint32_t at, f, word, lane;
	struct span out[2];
	struct model *m;

	(void)state;
	make_log_head(&log, "said");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "prog");
	at = make_log_thread(&log, 1, 1, 1, "");
	f = make_log_name(&log, "f");
	word = make_log_name(&log, "thinks");
	for (int i = 0; i < 2; i++)
		make_log_event(&log, at, EV_enter, 1000, 1, 0, f);
	for (int i = 0; i < 2; i++)
		make_log_event(&log, at, EV_leave, 2000, 1, 0, f);
	make_log_event(&log, at, EV_state, 3000, 0, 0, word);
	make_log_event(&log, at, EV_note, 9000, 0, 0, f);
	m = make_model(&log);
	lane = model_location_lane(m, at);
	assert_int_equal(model_stack(m, lane, 2500, out, 2), 0);
	assert_int_equal(model_stack(m, lane, 4000, out, 2), 1);
	assert_int_equal(out[0].name, word);
	assert_int_equal(model_call_at(m, lane, 4000), 0);
	model_free(m);
}

/* Its first row is made of what it has said and done so far, just then. */
static void
calls_count_that_nest_for_the_first_time(void **state)
{
	struct calls *k = calls_new();
	struct make_log log = { 0 };
	const struct call *c;
	uint32_t at, f, g;
	struct model *m;

	(void)state;
	make_log_head(&log, "said");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "prog");
	at = make_log_thread(&log, 1, 1, 1, "");
	f = make_log_name(&log, "f");
	g = make_log_name(&log, "g");
	make_log_event(&log, at, EV_note, 1000, 0, 0, f);
	make_log_event(&log, at, EV_state, 3000, 0, 0, g);
	make_log_event(&log, at, EV_enter, 3000, 1, 0, f);
	make_log_event(&log, at, EV_enter, 3000, 2, 0, g);
	make_log_event(&log, at, EV_thread_end, 3000, 0, 0, 0);
	m = make_model(&log);
	calls_begin(k, m, 1000, 3001, UINT32_MAX);
	while (!calls_step(k))
		continue;
	assert_int_equal(calls_paths(k, &c), 2);
	assert_int_equal(c[0].name, f);
	assert_int_equal(c[0].calls, 1);
	assert_int_equal(c[1].name, g);
	assert_int_equal(c[1].parent, 0);
	assert_int_equal(c[1].calls, 1);
	model_free(m);
	calls_free(k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_as_long_as_it_was),
		cmocka_unit_test(each_is_called_by_what_it_was_in),
		cmocka_unit_test(
		    what_a_thread_says_shows_though_its_calls_nest),
		cmocka_unit_test(calls_count_that_nest_for_the_first_time),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
