/*
 * Rows that are made anew only where something has changed are those that
 * would be made of all: while threads are born, on nodes that are there and on
 * new ones, calls get deeper, and nodes and processes are folded and hidden.
 * And a layout that was given up in the middle leaves nothing behind.
 */
#include "tests/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_feed.h"

#include "layout/time/timeline.h"

#define FIRST 2200 /* threads: as many rows are not made anew each time */
#define STEPS 500
#define WIDTH 400

static uint64_t seed = 4711;

static uint32_t
below(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)((seed >> 33) * n >> 31));
}

struct world {
	struct model *m;
	struct make_log log;
	struct timeline_view v;
	uint8_t folded[65536];
	uint32_t pinned;
	int64_t now;
};

static void
tell(struct world *w)
{
	struct frame f;

	for (size_t at = 0; at < w->log.out.n; at += f.frame_bytes) {
		assert_int_equal(frame_parse(w->log.out.p + at,
				     w->log.out.n - at, &f),
		    FRAME_OK);
		model_add_frame(w->m, &f);
	}
	w->log.out.n = 0;
}

/* One more, on a node among the old ones or on the next. */
static void
birth(struct world *w, uint32_t i)
{
	uint32_t node = below(4) == 0 ? 100 - below(40) : 1 + below(34);
	uint32_t po = 1000 + node * 10 + below(3);
	char name[16];

	snprintf(name, sizeof(name), "n%" PRIu32, node * 7 % 101);
	make_log_node(&w->log, node, name);
	make_log_po(&w->log, node, po, "po");
	make_log_thread(&w->log, node, po, 100 + i, "");
	tell(w);
}

/* A call within a call: a lane of one more depth. */
static void
calls(struct world *w)
{
	struct event e = { .kind = EV_enter, .c = 1 };

	e.location = 1 + below(FIRST);
	e.t_mon_ns = w->now += 10;
	model_add_events(w->m, &e, 1);
	e.t_mon_ns = w->now += 10;
	model_add_events(w->m, &e, 1);
}

static void
same_rows(const struct timeline_layout *a, const struct timeline_layout *b)
{
	assert_int_equal(a->nrows, b->nrows);
	assert_int_equal(a->npinned, b->npinned);
	assert_int_equal(a->total_height, b->total_height);
	assert_int_equal(a->rows_hidden, b->rows_hidden);
	assert_int_equal(a->lanes_hidden, b->lanes_hidden);
	assert_int_equal(a->nlanes, b->nlanes);
	for (size_t i = 0; i < a->nrows; i++) {
		const struct timeline_row *x = &a->rows[i], *y = &b->rows[i];

		assert_int_equal(x->lane, y->lane);
		assert_int_equal(x->shows, y->shows);
		assert_int_equal(x->y, y->y);
		assert_int_equal(x->height, y->height);
		assert_int_equal(x->top, y->top);
		assert_int_equal(x->indent, y->indent);
		assert_int_equal(x->foldable, y->foldable);
		assert_int_equal(x->folded, y->folded);
		assert_int_equal(x->pinned, y->pinned);
	}
	for (uint32_t i = 0; i < a->nlanes; i++)
		assert_int_equal(a->lane_row[i], b->lane_row[i]);
}

/* Something that a run or its user does. */
static void
change(struct world *w, uint32_t step)
{
	uint32_t lanes = model_lanes(w->m), lane = below(lanes);

	switch (below(7)) {
	case 0:
	case 1:
		for (uint32_t i = below(5); i < 5; i++)
			birth(w, step * 5 + i);
		break;
	case 2:
		calls(w);
		break;
	case 3:
		w->folded[lane] ^= TIMELINE_FOLDED;
		break;
	case 4:
		w->folded[lane] ^= below(3) == 0 ? TIMELINE_HIDDEN : 0;
		break;
	case 5:
		w->v.scroll_y = (int32_t)below(2000);
		break;
	case 6: /* now and then, not for long */
		w->folded[w->pinned] &= (uint8_t)~TIMELINE_PINNED;
		w->pinned = lane;
		w->folded[lane] |= below(4) == 0 ? TIMELINE_PINNED : 0;
		w->v.sort.by = below(6) == 0;
		if (below(20) == 0)
			w->v.lane_height = 10 + (int32_t)below(20);
		break;
	}
	w->v.nfolded = below(8) == 0 ? w->v.nfolded : model_lanes(w->m);
}

static void
some_anew_are_all_anew(void **state)
{
	static struct world w;
	struct timeline_layout kept = { 0 };
	size_t most = 0;

	(void)state;
	w.m = feed_model(FIRST);
	w.log.locations = FIRST;
	w.v = (struct timeline_view){ .t1_mon_ns = 1000,
		.width = WIDTH,
		.height = 300,
		.lane_height = 22,
		.folded = w.folded,
		.nfolded = model_lanes(w.m),
		.show_objects = true,
		.show_locks = true,
		.selected_lane = UINT32_MAX };
	for (uint32_t i = 0; i < STEPS; i++) {
		struct timeline_layout all = { 0 };

		change(&w, i);
		assert_int_equal(timeline_rows(w.m, &w.v, &kept), 0);
		assert_int_equal(timeline_rows(w.m, &w.v, &all), 0);
		same_rows(&kept, &all);
		most = kept.nrows > most ? kept.nrows : most;
		timeline_layout_free(&all);
	}
	assert_true(most > FIRST);
	timeline_layout_free(&kept);
	make_log_free(&w.log);
	model_free(w.m);
}

/* After so many questions. */
static bool
stop_cb(void *arg)
{
	int *left = arg;

	return ((*left)-- <= 0);
}

/* Asked often enough, and what comes after it is whole. */
static void
one_given_up_leaves_nothing_behind(void **state)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	struct timeline_layout kept = { 0 }, fresh = { 0 };
	struct scene a = { 0 }, b = { 0 };
	struct event e[256];
	struct timeline_view v = { .width = WIDTH,
		.height = 300,
		.lane_height = 22,
		.selected_lane = UINT32_MAX };
	struct model *m = feed_model(64);
	int left;

	(void)state;
	assert_non_null(f);
	f->lanes = 64;
	feed_fill(f, e, 256);
	model_add_events(m, e, 256);
	v.t1_mon_ns = f->now;
	kept.stop = stop_cb;
	kept.stop_arg = &left;
	for (int after = 0; after < 8; after++) {
		left = after;
		timeline_layout(m, &palette_dark, &v, &kept, &a);
		assert_true(kept.stopped);
	}
	left = 1000;
	timeline_layout(m, &palette_dark, &v, &kept, &a);
	assert_false(kept.stopped);
	timeline_layout(m, &palette_dark, &v, &fresh, &b);
	assert_int_equal(a.n, b.n);
	assert_memory_equal(a.items, b.items, a.n * sizeof(*a.items));
	timeline_layout_free(&kept);
	timeline_layout_free(&fresh);
	scene_free(&a);
	scene_free(&b);
	model_free(m);
	free(f);
}

/* As people count, whoever came first, and whoever comes later. */
static void
nodes_go_by_their_names(void **state)
{
	static const char *const joined[] = { "n10", "n2", "login", "n1",
		"n9" };
	static const char *const listed[] = { "node login", "node n1",
		"node n2", "node n9", "node n10" };
	struct world *w = calloc(1, sizeof(*w));
	struct timeline_layout l = { 0 };
	char name[64];
	size_t n = 0;

	(void)state;
	assert_non_null(w);
	w->m = model_new();
	w->v = (struct timeline_view){ .width = WIDTH,
		.height = 600,
		.lane_height = 16,
		.t1_mon_ns = 1000,
		.folded = w->folded };
	for (uint32_t i = 0; i < 5; i++) {
		make_log_node(&w->log, 1 + i, joined[i]);
		make_log_po(&w->log, 1 + i, 1, "po");
		make_log_thread(&w->log, 1 + i, 1, 1, "");
		make_log_thread(&w->log, 1 + i, 1, 2, "");
		tell(w);
		w->v.nfolded = model_lanes(w->m);
		timeline_rows(w->m, &w->v, &l); /* while it is live */
	}
	for (size_t i = 0; i < l.nrows; i++)
		if (model_lane(w->m, l.rows[i].lane)->kind == LANE_NODE) {
			model_lane_label(w->m, l.rows[i].lane, name,
			    sizeof(name));
			assert_true(n < 5);
			assert_string_equal(name, listed[n++]);
		}
	assert_int_equal(n, 5);
	timeline_layout_free(&l);
	model_free(w->m);
	make_log_free(&w->log);
	free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(some_anew_are_all_anew),
		cmocka_unit_test(one_given_up_leaves_nothing_behind),
		cmocka_unit_test(nodes_go_by_their_names),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
