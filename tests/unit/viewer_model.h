/* For tests of the model: a log with some threads, and the model it feeds. */
#ifndef TESTS_UNIT_VIEWER_MODEL_H
#define TESTS_UNIT_VIEWER_MODEL_H

#include "tests/check.h"

#include "model/model.h"
#include "tests/unit/make_pascal.h"

/* A log of one node, one PO and some threads, and the model fed with it. */
struct fixture {
	struct make_log log;
	struct model *m;
	size_t fed;
	uint32_t at[8]; /* locations */
	uint32_t f, g;  /* names */
};

static inline void
feed(struct fixture *x)
{
	struct frame f;

	while (frame_parse(x->log.out.p + x->fed, x->log.out.n - x->fed, &f) ==
	       FRAME_OK) {
		assert_int_equal(model_add_frame(x->m, &f), 0);
		x->fed += f.frame_bytes;
	}
	assert_int_equal(x->fed, x->log.out.n);
}

static inline void
start(struct fixture *x, int threads)
{
	memset(x, 0, sizeof(*x));
	x->m = model_new();
	assert_non_null(x->m);
	make_log_head(&x->log, "test");
	make_log_node(&x->log, 1, "n0");
	make_log_node(&x->log, 2, "n1");
	make_log_po(&x->log, 1, 1, "prog");
	make_log_po(&x->log, 2, 1, "prog");
	x->f = make_log_name(&x->log, "f");
	x->g = make_log_name(&x->log, "g");
	for (int i = 0; i < threads; i++)
		x->at[i] = make_log_thread(&x->log, 1 + (uint32_t)i % 2, 1,
		    1 + (uint32_t)i / 2, "");
}

static inline void
play(struct fixture *x, int late)
{
	make_log_blocks(&x->log, late);
	feed(x);
}

static inline void
finish(struct fixture *x)
{
	model_free(x->m);
	make_log_free(&x->log);
}

#define AT(i, kind, t, a, b, c)                                                \
	make_log_event(&x.log, x.at[i], EV_##kind, t, a, b, c)

/* Counters of every task, counted again. */
static inline void
check_tree(const struct model *m)
{
	uint32_t n = model_tasks(m), sum_roots = 0, roots[3000], r;
	uint32_t *size = calloc(n, sizeof(*size)), deepest = 0, levels = 0;
	uint64_t *sum = calloc(n, sizeof(*sum));
	struct task t, p;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t level = 0, up = i;

		for (;;) {
			size[up]++;
			model_task_get(m, up, &t);
			if (t.parent == TASK_NONE)
				break;
			up = t.parent;
			level++;
		}
		model_task_get(m, i, &t);
		assert_int_equal(t.level, level);
		if (level > deepest)
			deepest = level;
		for (up = i;; up = p.parent) {
			sum[up] += level;
			model_task_get(m, up, &p);
			if (p.parent == TASK_NONE)
				break;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		model_task_get(m, i, &t);
		assert_int_equal(t.size, size[i]);
		assert_int_equal(t.sumlevel, sum[i]);
	}
	r = model_task_roots(m, roots, 3000);
	for (uint32_t i = 0; i < r; i++) {
		model_task_get(m, roots[i], &t);
		sum_roots += t.size;
		if (model_task_levels(m, roots[i]) > levels)
			levels = model_task_levels(m, roots[i]);
	}
	assert_int_equal(sum_roots, n);
	assert_int_equal(levels, deepest + 1);
	free(size);
	free(sum);
}

#endif
