/* For tests of the process-time view: a small run, and a view of it. */
#ifndef TESTS_UNIT_VIEWER_TIMELINE_H
#define TESTS_UNIT_VIEWER_TIMELINE_H

#include "tests/check.h"

#include "layout/time/timeline_inside.h"
#include "tests/unit/make_model.h"

#define US 1000

struct fixture {
	struct make_log log;
	struct model *m;
	struct timeline_layout l;
	struct scene s;
	struct timeline_view v;
	uint32_t at[4], f, g;
	size_t fed; /* bytes of the log */
};

#define AT(i, kind, t, a, b, c)                                                \
	make_log_event(&x->log, x->at[i], EV_##kind, (t)*US, a, b, c)

/* What has been told since the last time. */
static inline void
feed(struct fixture *x)
{
	make_log_blocks(&x->log, 0);
	make_model_tell(x->m, &x->log, &x->fed);
}

/* Two nodes; node 1 has PO 1 with two threads and PO 2 with one. */
static inline void
start(struct fixture *x)
{
	memset(x, 0, sizeof(*x));
	x->m = model_new();
	make_log_head(&x->log, "t");
	make_log_node(&x->log, 2, "n1");
	make_log_node(&x->log, 1, "n0");
	make_log_po(&x->log, 1, 1, "prog");
	make_log_po(&x->log, 1, 2, "tool");
	make_log_po(&x->log, 2, 1, "prog");
	x->f = make_log_name(&x->log, "work");
	x->g = make_log_name(&x->log, "ship");
	x->at[1] = make_log_thread(&x->log, 1, 1, 2, "second");
	x->at[0] = make_log_thread(&x->log, 1, 1, 1, "first");
	x->at[2] = make_log_thread(&x->log, 1, 2, 1, "");
	x->at[3] = make_log_thread(&x->log, 2, 1, 1, "");
	AT(0, enter, 0, 1, 0, x->f);
	AT(0, leave, 400, 1, 0, x->f);
	AT(1, task_spawn, 100, 5, 0, x->g);
	AT(1, task_begin, 110, 5, 0, x->g);
	AT(1, task_end, 300, 5, 0, 0);
	AT(2, receive_wait, 100, 0, 0, 0);
	AT(0, send, 150, 9, 64, 0);
	AT(2, receive, 250, 9, 64, 0);
	AT(2, enter, 300, 2, 0, x->f);
	AT(2, enter, 350, 2, 0, x->g);
	AT(2, leave, 500, 2, 0, 0);
	AT(2, leave, 600, 2, 0, 0);
	AT(0, object_create, 50, 7, 0, x->g);
	AT(0, object_depart, 350, 7, 1, x->f);
	AT(3, object_arrive, 450, 7, 1, x->f);
	AT(3, object_dispose, 700, 7, 0, 0);
	AT(3, lost, 800, 12, 12, LOST_RING_FULL);
	AT(3, enter, 900, 1, 0, x->f);
	AT(3, leave, 1000, 1, 0, 0);
	feed(x);
	x->v = (struct timeline_view){ .t0_mon_ns = 0,
		.t1_mon_ns = 1000 * US,
		.width = 500,
		.height = 400,
		.lane_height = 20,
		.links = true,
		.show_objects = true,
		.show_locks = true,
		.selected_lane = UINT32_MAX };
	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
}

static inline void
finish(struct fixture *x)
{
	timeline_layout_free(&x->l);
	scene_free(&x->s);
	model_free(x->m);
	make_log_free(&x->log);
}

#endif
