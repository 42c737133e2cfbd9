/* Known trees for the tests of the radial layout. */
#ifndef TESTS_VIEWER_RADIAL_H
#define TESTS_VIEWER_RADIAL_H

#include <math.h>

#include "layout/radial/describe_tree.h"
#include "layout/radial/radial.h"
#include "layout/radial/radial_inside.h"
#include "tests/unit/make_pascal.h"

#define NEAR(a, b, e) assert_true(fabs((double)(a) - (double)(b)) <= (e))

static inline struct radial_view
square(int32_t px)
{
	return ((struct radial_view){ .width = px,
	    .height = px,
	    .zoom = 1,
	    .ring_px_min = 4,
	    .until_mon_ns = INT64_MAX });
}

static inline void
spawn(struct model *m, uint64_t id, uint64_t parent)
{
	struct event e[2] = {
		{ .t_mon_ns = (int64_t)id * 10,
		    .a = id,
		    .b = parent,
		    .kind = EV_task_spawn,
		    .location = 1 },
		{ .t_mon_ns = (int64_t)id * 10 + 5,
		    .a = id,
		    .b = id % 3,
		    .kind = EV_task_begin,
		    .location = 1 },
	};

	model_add_events(m, e, 2);
}

/*
 * go([2,1,5,4,3],X) on 4 PEs: 23 reductions.  Parents by number; weights and
 * sectors as in the thesis, recomputed.
 */
static const struct {
	uint8_t parent, level, weight;
	double from, arc;
} quicksort[24] = {
	{ 0 }, /* numbers from 1 */
	{ 0, 0, 85, 0, 360 },
	{ 1, 1, 78, 0, 360 },
	{ 2, 2, 15, 0, 75 },
	{ 3, 3, 10, 0, 75 },
	{ 2, 2, 17, 75, 85 },
	{ 4, 4, 6, 0, 75 },
	{ 2, 2, 40, 160, 200 },
	{ 6, 5, 3, 0, 75 },
	{ 7, 3, 9, 160, 51.43 },
	{ 8, 6, 1, 0, 75 },
	{ 7, 3, 13, 211.43, 74.29 },
	{ 5, 3, 4, 75, 28.33 },
	{ 9, 4, 5, 160, 51.43 },
	{ 5, 3, 4, 103.33, 28.33 },
	{ 5, 3, 4, 131.67, 28.33 },
	{ 13, 5, 2, 160, 51.43 },
	{ 7, 3, 13, 285.71, 74.29 },
	{ 11, 4, 3, 211.43, 24.76 },
	{ 17, 4, 3, 285.71, 24.76 },
	{ 11, 4, 3, 236.19, 24.76 },
	{ 17, 4, 3, 310.48, 24.76 },
	{ 17, 4, 3, 335.24, 24.76 },
	{ 11, 4, 3, 260.95, 24.76 },
};

static inline struct model *
quicksort_model(void)
{
	struct model *m = model_new();

	for (uint64_t k = 1; k < 24; k++)
		spawn(m, k, quicksort[k].parent);
	return (m);
}

static inline const struct radial_node *
node_of(const struct radial_layout *l, uint32_t task)
{
	for (size_t i = 0; i < l->nnodes; i++)
		if (l->nodes[i].task == task)
			return (&l->nodes[i]);
	return (NULL);
}

static struct pascal pascal;

static inline struct model *
pascal_model(struct make_log *log, int rows)
{
	struct model *m = model_new();
	struct frame f;
	size_t at = 0;

	memset(log, 0, sizeof(*log));
	memset(&pascal, 0, sizeof(pascal));
	make_log_head(log, "pascal");
	make_log_node(log, 1, "n0");
	make_log_po(log, 1, 1, "pascal");
	make_pascal(&pascal, log, (uint32_t)rows, 5, 1, 1, 0, 40000);
	make_log_blocks(log, 0);
	while (frame_parse(log->out.p + at, log->out.n - at, &f) == FRAME_OK) {
		assert_int_equal(model_add_frame(m, &f), 0);
		at += f.frame_bytes;
	}
	return (m);
}

#endif
