/* Memory in the viewer: sums of a range, against a few pieces told by hand. */
#include "tests/check.h"

#include "event.h"
#include "model/heap/heap.h"
#include "tests/unit/make_model.h"

enum {
	FIRST,
	SECOND,
	THREADS
};

struct made {
	struct make_log log;
	uint32_t thread[THREADS], block, other;
};

/* Two threads: one leaves a piece, one has its piece freed by the other. */
static struct model *
some_pieces(struct made *k)
{
	static const struct {
		unsigned thread, kind;
		int64_t t_ns;
		uint64_t a, b;
		int place; /* 1: block, 2: other */
	} rows[] = {
		{ FIRST, EV_mem_alloc, 100, 0x1000, 100, 1 },
		{ FIRST, EV_mem_given, 100, 0x1000, 104, 0 },
		{ FIRST, EV_mem_alloc, 200, 0x2000, 50, 1 },
		{ SECOND, EV_mem_alloc, 300, 0x3000, 1000, 2 },
		{ SECOND, EV_mem_free, 400, 0x2000, 0, 0 },
		{ SECOND, EV_mem_free, 500, 0, 0, 0 },
		{ FIRST, EV_mem_alloc, 600, 0x1000, 7, 2 }, /* again */
		{ FIRST, EV_mem_free, 700, 0x9000, 0, 0 },  /* of nothing */
	};

	memset(k, 0, sizeof(*k));
	make_log_head(&k->log, "memory");
	make_log_node(&k->log, 1, "n1");
	make_log_po(&k->log, 1, 1, "program");
	for (uint32_t i = 0; i < THREADS; i++)
		k->thread[i] = make_log_thread(&k->log, 1, 1, i + 1, "t");
	k->block = make_log_name(&k->log, "block");
	k->other = make_log_name(&k->log, "other");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		make_log_event(&k->log, k->thread[rows[i].thread], rows[i].kind,
		    rows[i].t_ns, rows[i].a, rows[i].b,
		    rows[i].place == 1   ? k->block
		    : rows[i].place == 2 ? k->other
					 : 0);
	return (make_model(&k->log));
}

static struct heap_sums *
sums_of(const struct model *m, int64_t t0, int64_t t1, uint32_t step)
{
	struct heap_sums *s = heap_sums_new();

	assert_non_null(s);
	heap_sums_begin(s, m, t0, t1, 0, 1000);
	while (!heap_sums_step(s, step))
		;
	return (s);
}

static void
whole_run(void **state)
{
	struct made k;
	struct model *m = some_pieces(&k);
	struct heap_sums *s = sums_of(m, INT64_MIN, INT64_MAX, 1);
	const struct heap_totals *t = heap_sums_totals(s);
	const struct heap_place *p;
	const struct heap_stack *stack;
	const struct heap_pair *pair;
	const struct heap_process *po;

	(void)state;
	assert_int_equal(model_heap_events(m), 8);
	assert_int_equal((int)t->made, 4);
	assert_int_equal((int)t->asked, 1157);
	assert_int_equal((int)t->given, 1161);
	assert_int_equal((int)t->freed, 1);
	/* 0x3000, and the second one at 0x1000 */
	assert_int_equal((int)t->live, 2);
	assert_int_equal((int)t->live_bytes, 1007);
	assert_int_equal(t->nulls, 1);
	assert_int_equal(t->in_use, 1007);
	assert_int_equal(t->most, 1154);
	assert_int_equal(heap_sums_places(s, &p), 2);
	assert_int_equal(p[0].name, k.other);
	assert_int_equal((int)p[0].live, 2);
	assert_false(p[0].shrank);
	assert_int_equal(p[0].owners, 2);
	assert_true(p[1].shrank);
	assert_int_equal(heap_sums_stacks(s, &stack), 2);
	assert_int_equal((int)(stack[0].live_bytes + stack[1].live_bytes),
	    1007);
	assert_int_equal((int)(stack[0].asked + stack[1].asked), 1157);
	assert_int_equal(heap_sums_pairs(s, &pair), 1);
	assert_int_equal(pair[0].pieces, 1);
	assert_int_equal(pair[0].bytes, 50);
	assert_int_equal(heap_sums_processes(s, &po), 1);
	assert_int_equal(po[0].live_bytes, 1007);
	assert_int_equal(po[0].most_bytes, 1154);
	heap_sums_free(s);
	model_free(m);
}

static void
a_range_counts_what_is_in_it_and_what_is_live_at_its_end(void **state)
{
	struct made k;
	struct model *m = some_pieces(&k);
	struct heap_sums *s = sums_of(m, 200, 400, 3);
	const struct heap_totals *t = heap_sums_totals(s);

	(void)state;
	assert_int_equal((int)t->made, 2);
	assert_int_equal((int)t->asked, 1050);
	assert_int_equal((int)t->freed, 0);
	assert_int_equal((int)t->live, 3);
	assert_int_equal((int)t->live_bytes, 1154);
	assert_int_equal(t->elsewhere, 0);
	/* the same object once more, of another range */
	heap_sums_begin(s, m, 400, 401, 0, 1000);
	assert_true(heap_sums_step(s, 100));
	t = heap_sums_totals(s);
	assert_int_equal((int)t->made, 0);
	assert_int_equal((int)t->freed, 1);
	assert_int_equal(t->elsewhere, 1);
	heap_sums_free(s);
	model_free(m);
}

/*
 * In one column, first one process has 100 bytes and gives them back, then the
 * other: together they never had more than 110.
 */
static void
the_most_of_all_is_not_the_sum_of_what_each_had_at_most(void **state)
{
	struct make_log l = { 0 };
	const struct heap_process *po;
	const struct heap_totals *t;
	struct heap_sums *s;
	struct model *m;
	uint32_t at[2], block;

	(void)state;
	make_log_head(&l, "memory");
	make_log_node(&l, 1, "n1");
	block = make_log_name(&l, "block");
	for (uint32_t i = 0; i < 2; i++) {
		make_log_po(&l, 1, i + 1, "program");
		at[i] = make_log_thread(&l, 1, i + 1, 1, "t");
	}
	make_log_event(&l, at[0], EV_mem_alloc, 10, 0x1000, 100, block);
	make_log_event(&l, at[1], EV_mem_alloc, 11, 0x1000, 10, block);
	make_log_event(&l, at[0], EV_mem_free, 12, 0x1000, 0, block);
	make_log_event(&l, at[1], EV_mem_alloc, 13, 0x2000, 90, block);
	make_log_event(&l, at[1], EV_mem_free, 14, 0x2000, 0, block);
	m = make_model(&l);
	s = heap_sums_new();
	assert_non_null(s);
	heap_sums_begin(s, m, INT64_MIN, INT64_MAX, 0, HEAP_COLUMNS * 100);
	while (!heap_sums_step(s, 1))
		continue;
	t = heap_sums_totals(s);
	assert_int_equal(heap_sums_processes(s, &po), 2);
	assert_int_equal(po[0].column[0] + po[1].column[0], 200);
	assert_int_equal(t->most, 110);
	assert_int_equal(t->column[0], 110);
	assert_int_equal(t->column[1], 10);
	assert_int_equal(t->column[HEAP_COLUMNS - 1], 10);
	heap_sums_free(s);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_run),
		cmocka_unit_test(
		    the_most_of_all_is_not_the_sum_of_what_each_had_at_most),
		cmocka_unit_test(
		    a_range_counts_what_is_in_it_and_what_is_live_at_its_end),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
