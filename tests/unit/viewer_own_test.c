/* Events of declared kinds are marks, one each, with all that they say. */
#include <stdlib.h>
#include <string.h>

#include "model/measured/counters.h"
#include "model/model.h"
#include "own.h"
#include "tests/check.h"
#include "tests/unit/make_model.h"

static void
an_event_is_one_mark_with_its_fields(void **state)
{
	struct make_log log = { 0 };
	struct mark k[8];
	struct own_event e;
	struct own_kind kind;
	struct model *m;
	uint32_t a, b, wide, tiny, ada, other;
	size_t n;

	(void)state;
	make_log_head(&log, "own");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "one");
	a = make_log_thread(&log, 1, 1, 1, "");
	b = make_log_thread(&log, 1, 1, 2, "");
	wide = make_log_name(&log, "wide a:number b:real c:value:EUR who:name");
	tiny = make_log_name(&log, "tiny v:ns");
	ada = make_log_name(&log, "Ada");
	other = make_log_name(&log, "declares nothing");
	make_log_event(&log, a, EV_own_more, 1000, 7, 0, ada);
	make_log_event(&log, b, EV_own_more, 1100, 8, 0, 0);
	make_log_event(&log, a, EV_own, 1200, 12, 0, tiny);
	/* its thread had no processor for half a second */
	make_log_event(&log, a, EV_own, 500001000, 3, 4, wide);
	make_log_event(&log, b, EV_own, 500001100, 5, 6, wide);
	make_log_event(&log, b, EV_own, 500001200, 5, 6, wide);
	make_log_event(&log, b, EV_own, 500001300, 5, 6, other);
	m = make_model(&log);
	n = model_marks(m, INT64_MIN, INT64_MAX, k, 8);
	assert_int_equal(n, 5);
	assert_true(model_own(m, &k[0], &e, &kind));
	assert_string_equal(kind.name, "tiny");
	assert_int_equal(e.value[0], 12);
	assert_true(model_own(m, &k[1], &e, &kind));
	assert_string_equal(kind.name, "wide");
	assert_int_equal(e.value[0], 3);
	assert_int_equal(e.value[2], 7);
	assert_int_equal(e.value[3], ada);
	assert_true(e.known[3]);
	assert_true(model_own(m, &k[2], &e, &kind));
	assert_int_equal(e.value[2], 8);
	/* parts that are missing */
	assert_true(model_own(m, &k[3], &e, &kind));
	assert_true(e.known[1]);
	assert_false(e.known[2] || e.known[3]);
	assert_false(model_own(m, &k[4], &e, &kind));
	model_free(m);
}

static void
fields_with_units_are_curves(void **state)
{
	static const char *const labels[] = { "wide.c", "wide.d", "wide.e" };
	struct make_log log = { 0 };
	struct series_stats st[3];
	struct counter c[3];
	struct model *m;
	uint32_t a, wide;

	(void)state;
	make_log_head(&log, "own");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "one");
	a = make_log_thread(&log, 1, 1, 1, "");
	wide = make_log_name(&log,
	    "wide a:number b:id:x c:value:EUR d:ns e:bytes f:flag:y");
	make_log_event(&log, a, EV_own_more, 1000, (uint64_t)-7, 8, 0);
	make_log_event(&log, a, EV_own_more, 1000, UINT64_MAX, 1, 0);
	make_log_event(&log, a, EV_own, 1000, 1, 2, wide);
	/* a part of it is lost: it has no values, and no 0 either */
	make_log_event(&log, a, EV_own_more, 2000, 5, 5, 0);
	make_log_event(&log, a, EV_lost, 2500, 1, 0, 0);
	make_log_event(&log, a, EV_own, 3000, 1, 2, wide);
	m = make_model(&log);
	assert_int_equal(model_counters(m), 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_true(model_counter(m, i, &c[i]));
		assert_string_equal(c[i].label, labels[i]);
		model_counter_stats(m, i, INT64_MIN / 2, INT64_MAX / 2, &st[i]);
		assert_int_equal(st[i].n, 1);
	}
	assert_int_equal(st[0].last, -7);
	assert_string_equal(c[0].unit, "EUR");
	assert_int_equal(st[1].max, 8);
	assert_int_equal(c[1].measure, MEASURE_NS);
	assert_string_equal(c[1].unit, "");
	assert_int_equal(st[2].max, INT64_MAX);
	assert_int_equal(c[2].measure, MEASURE_BYTES);
	model_free(m);
}

/* A thread's, its process's: a value, the end at 5000, and the run goes on. */
static void
curves_end_with_whose_they_are(void **state)
{
	struct make_log log = { 0 };
	struct series_column col[10];
	struct series_stats st;
	struct model *m;
	uint32_t a, b, of, name;
	int64_t end;

	(void)state;
	make_log_head(&log, "ends");
	make_log_node(&log, 1, "n1");
	make_log_po(&log, 1, 1, "one");
	make_log_po(&log, 1, 2, "two");
	of = make_log_thread(&log, 1, 1, 0, "");
	a = make_log_thread(&log, 1, 1, 1, "");
	b = make_log_thread(&log, 1, 2, 1, "");
	name = make_log_name(&log, "load");
	make_log_event(&log, a, EV_counter, 1000, 7, 0, name);
	make_log_event(&log, of, EV_measure, 1000, 7, MEASURE_PROCESS, name);
	make_log_event(&log, b, EV_counter, 1000, 7, 0, name);
	make_log_event(&log, a, EV_counter, 3000, 9, 0, name);
	make_log_event(&log, of, EV_measure, 3000, 9, MEASURE_PROCESS, name);
	make_log_event(&log, b, EV_counter, 3000, 9, 0, name);
	make_log_event(&log, of, EV_po_end, 5000, 0, 1, 0);
	make_log_event(&log, b, EV_note, 11000, 0, 0, 0);
	make_log_sort(&log);
	m = make_model(&log);
	assert_int_equal(model_counters(m), 3);
	for (uint32_t i = 0; i < 3; i++) {
		bool over = i < 2;

		assert_int_equal(model_counter_over(m, i, &end), over);
		assert_true(!over || end == 5000);
		model_counter_stats(m, i, 1000, 11000, &st);
		assert_true(st.known);
		assert_int_equal(st.last, 9);
		/* 2000 ns of 7, then 9: up to the end */
		assert_int_equal((int64_t)(st.mean * 1000), over ? 8000 : 8600);
		model_counter_columns(m, i, 1000, 11000, 10, col);
		for (int k = 0; k < 10; k++)
			assert_int_equal(col[k].known, !over || k <= 4);
		model_counter_stats(m, i, 6000, 11000, &st);
		assert_int_equal(st.known, !over);
	}
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_is_one_mark_with_its_fields),
		cmocka_unit_test(fields_with_units_are_curves),
		cmocka_unit_test(curves_end_with_whose_they_are),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
