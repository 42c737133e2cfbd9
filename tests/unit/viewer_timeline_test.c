/* Rows, pixels, links, marks and picking of the process-time view. */
#include "tests/check.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "layout/describe.h"
#include "layout/timeline_inside.h"
#include "tests/unit/golden.h"
#include "tests/unit/make_feed.h"
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
static void
feed(struct fixture *x)
{
	make_log_blocks(&x->log, 0);
	make_model_tell(x->m, &x->log, &x->fed);
}

/* Two nodes; node 1 has PO 1 with two threads and PO 2 with one. */
static void
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

static void
finish(struct fixture *x)
{
	timeline_layout_free(&x->l);
	scene_free(&x->s);
	model_free(x->m);
	make_log_free(&x->log);
}

static void
check_rows(struct fixture *x, const char *want)
{
	char got[512] = "", label[64];

	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
	for (size_t i = 0; i < x->l.nrows; i++) {
		const struct timeline_row *r = &x->l.rows[i];

		model_lane_label(x->m, r->lane, label, sizeof(label));
		snprintf(got + strlen(got), sizeof(got) - strlen(got),
		    "%s%u %s%s", i == 0 ? "" : ", ", r->indent, label,
		    r->folded     ? "+"
		    : r->foldable ? "-"
				  : "");
	}
	assert_string_equal(got, want);
}

static void
rows_are_in_order(void **state)
{
	struct fixture x;
	uint8_t folded[64] = { 0 };

	(void)state;
	start(&x);
	/* a PO of one thread is that thread */
	check_rows(&x,
	    "0 node n0-, 1 prog  PO 1-, 2 first, 2 second, "
	    "1 tool  PO 2-, 2 depth 0, 2 depth 1, 0 node n1-, 1 prog  PO 1, "
	    "0 objects-, 1 ship 0");
	assert_int_equal(x.l.total_height, 20 * 8 + 15 * 2 + 16);
	x.v.folded = folded;
	x.v.nfolded = 64;
	folded[model_lane(x.m, model_location_lane(x.m, x.at[2]))->parent] = 1;
	folded[model_lane(x.m, model_location_lane(x.m, x.at[0]))->parent] = 1;
	check_rows(&x, "0 node n0-, 1 prog  PO 1+, 1 tool  PO 2+, 0 node n1-, "
		       "1 prog  PO 1, 0 objects-, 1 ship 0");
	/* the rows of what is folded away */
	assert_int_equal(x.l.lane_row[model_location_lane(x.m, x.at[1])], 1);
	assert_int_equal(x.l.lane_row[model_location_lane(x.m, x.at[2])], 2);
	assert_int_equal(x.l.lanes_hidden, 4);
	memset(folded, 1, sizeof(folded));
	x.v.show_objects = false;
	check_rows(&x, "0 node n0+, 0 node n1+");
	x.v.scroll_y = 13;
	check_rows(&x, "0 node n0+, 0 node n1+");
	assert_int_equal(x.l.rows[0].y, -13);
	finish(&x);
}

static void
time_and_pixels_agree(void **state)
{
	struct timeline_view v = { .t0_mon_ns = 12400000000,
		.t1_mon_ns = 12440000000,
		.width = 700 };
	int64_t t[16], step;
	size_t n;

	(void)state;
	for (int32_t x = 0; x <= 700; x++)
		assert_in_range(timeline_x(&v, timeline_time(&v, x) + 1), x, x);
	assert_true(timeline_x(&v, INT64_MAX) > 700);
	assert_true(timeline_x(&v, INT64_MIN) < 0);
	n = timeline_ticks(&v, 0, t, 10, &step);
	assert_int_equal(step, 5000000);
	assert_int_equal(n, 8);
	assert_int_equal(t[0], 12400000000);
	n = timeline_ticks(&v, 12399000000, t, 10, &step);
	assert_int_equal(t[0], 12404000000);
	for (int64_t span = 1; span < 4000000000000000000; span *= 3) {
		v.t0_mon_ns = 77;
		v.t1_mon_ns = 77 + span;
		n = timeline_ticks(&v, 0, t, 10, &step);
		assert_true(n <= 10 && step > 0);
		for (size_t i = 0; i < n; i++)
			assert_true(
			    t[i] >= 77 && t[i] < 77 + span && t[i] % step == 0);
	}
}

static size_t
count(const struct scene *s, unsigned type)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->items[i].type == type;
	return (n);
}

static void
everything_is_drawn(void **state)
{
	struct fixture x;

	(void)state;
	start(&x);
	assert_int_equal(x.l.links_drawn, 1);
	assert_int_equal(count(&x.s, ITEM_ARROW), 1);
	assert_int_equal(count(&x.s, ITEM_SQUARE), 1);
	assert_int_equal(count(&x.s, ITEM_SQUARE_OPEN), 1);
	assert_int_equal(count(&x.s, ITEM_DOT), 1);
	assert_int_equal(count(&x.s, ITEM_DIAMOND), 2); /* arrival and loss */
	assert_int_equal(count(&x.s, ITEM_DASH), 1);
	/* waits in the thread and its depth, and the time that is lost */
	assert_int_equal(count(&x.s, ITEM_HATCH), 3);
	/* folded, the loss still shows */
	x.v.folded = (const uint8_t[64]){ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	x.v.nfolded = 12;
	x.v.show_objects = false;
	timeline_layout(x.m, &palette_dark, &x.v, &x.l, &x.s);
	assert_int_equal(count(&x.s, ITEM_DIAMOND), 1);
	finish(&x);
}

static void
picking_finds_what_is_there(void **state)
{
	struct fixture x;
	struct timeline_hit hit;

	(void)state;
	start(&x);
#define PICK(us, row)                                                          \
	timeline_pick(x.m, &x.v, &x.l, timeline_x(&x.v, (int64_t)(us)*US),     \
	    x.l.rows[row].y + 9, &hit)
	PICK(370, 2);
	assert_int_equal(hit.of, OF_SPAN);
	assert_int_equal(hit.span.name, x.f);
	assert_int_equal(hit.span.t1_mon_ns, 400 * US);
	PICK(500, 2);
	assert_int_equal(hit.of, OF_LANE);
	assert_int_equal(hit.lane, x.l.rows[2].lane);
	PICK(270, 3);
	assert_int_equal(hit.of, OF_SPAN);
	assert_int_equal(hit.span.id, 5);
	PICK(800, 8);
	assert_int_equal(hit.of, OF_MARK);
	assert_int_equal(hit.mark.kind, EV_lost);
	PICK(450, 10);
	assert_int_equal(hit.of, OF_MARK);
	assert_int_equal(hit.mark.kind, EV_object_arrive);
	PICK(400, 10);
	assert_int_equal(hit.span.class, LANE_transit);
	/* on the arrow, half way */
	timeline_pick(x.m, &x.v, &x.l, 100,
	    (x.l.rows[2].y + x.l.rows[4].y) / 2 + 9, &hit);
	assert_int_equal(hit.of, OF_LINK);
	assert_int_equal(hit.link.id, 9);
	timeline_pick(x.m, &x.v, &x.l, 100, 4000, &hit);
	assert_int_equal(hit.of, OF_NOTHING);
	assert_int_equal(hit.lane, UINT32_MAX);
	finish(&x);
}

/* Dense lanes: bands as high as the shares, nothing outside the row. */
static void
dense_lanes_show_shares(void **state)
{
	struct fixture x;
	struct event e[4];
	struct item *it;
	int64_t area = 0, row_area;

	(void)state;
	start(&x);
	for (int i = 0; i < 20000; i++) {
		for (int k = 0; k < 2; k++)
			e[k] = (struct event){ .location = x.at[1],
				.t_mon_ns = 1000 * US + i * 100 + k * 75,
				.a = 1,
				.c = x.f,
				.kind = k == 0 ? EV_enter : EV_leave };
		model_add_events(x.m, e, 2);
	}
	x.v.t0_mon_ns = 1000 * US;
	x.v.t1_mon_ns = 3000 * US;
	x.v.links = false;
	timeline_layout(x.m, &palette_dark, &x.v, &x.l, &x.s);
	assert_int_equal(x.l.pixels_drawn, 500);
	for (size_t i = 0; i < x.s.n; i++) {
		it = &x.s.items[i];
		if (it->type != ITEM_RECT ||
		    it->rgb != palette_dark.state[LANE_running])
			continue;
		assert_true(it->y0 >= x.l.rows[3].y * SCENE_ONE);
		assert_true(
		    it->y1 <= (x.l.rows[3].y + x.l.rows[3].height) * SCENE_ONE);
		area += (int64_t)(it->x1 - it->x0) * (it->y1 - it->y0);
	}
	row_area = 500ll * 13 * SCENE_ONE * SCENE_ONE;
	assert_true(area > row_area * 70 / 100 && area < row_area * 80 / 100);
	assert_true(x.s.n < 2000);
	finish(&x);
}

/* Columns that were kept against those of a layout that keeps nothing. */
static int
kept_is_fresh(struct fixture *x, int near)
{
	const struct timeline_columns *k, *f;
	struct timeline_layout fresh = { 0 };
	int compared = 0;

	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
	timeline_layout(x->m, &palette_dark, &x->v, &fresh, &x->s);
	for (int i = 0; i < TIMELINE_KEPT; i++) {
		k = x->l.kept[i];
		f = fresh.kept[i];
		if (f == NULL)
			continue;
		assert_non_null(k);
		assert_int_equal(k->lane, f->lane);
		compared++;
		for (int32_t c = 0; c < k->n * LANE_CLASSES; c++)
			assert_true(abs(k->share[c] - f->share[c]) <= near);
		assert_int_equal(k->named, x->v.colour == TIMELINE_BY_NAME);
		assert_int_equal(k->named, f->named);
		/* of two that have about as much either may be the one */
		for (int32_t c = 0; k->named && near == 0 && c < k->n; c++)
			assert_int_equal(k->name[c], f->name[c]);
	}
	timeline_layout_free(&fresh);
	return (compared);
}

/* Kept columns are those of now: growing, moved, with late events. */
static void
kept_columns_are_true(void **state)
{
	struct fixture x;
	struct event e[2];
	int64_t t = 1000 * US, px = 1000;
	uint32_t r = 5;
	int compared = 0;

	(void)state;
	start(&x);
	x.v.grows = true;
	x.v.links = false;
	x.v.t0_mon_ns = t;
	x.v.t1_mon_ns = t + x.v.width * px;
	for (int i = 0; i < 40000; i++) {
		r = r * 1664525u + 1013904223u;
		for (int k = 0; k < 2; k++)
			e[k] = (struct event){
				.location =
				    x.at[i % 900 < 300 ? r >> 30 : r >> 31],
				.t_mon_ns = t + k * (int64_t)(r >> 12 & 63),
				.a = 1,
				.c = r >> 20 & 1 ? x.f : x.g,
				.kind = k == 0 ? EV_enter : EV_leave
			};
		t += r >> 12 & 63;
		model_add_events(x.m, e, 2);
		if (i % 900 == 800) { /* late, where nothing was for long */
			for (int k = 0; k < 2; k++) {
				e[k].location = x.at[3];
				e[k].t_mon_ns = t - (10 - 5 * k) * px;
			}
			model_add_events(x.m, e, 2);
		}
		if (i > 200 && i % 167 == 0) {
			x.v.colour =
			    r >> 8 & 1 ? TIMELINE_BY_NAME : TIMELINE_BY_STATE;
			compared += kept_is_fresh(&x, 3);
			x.v.t0_mon_ns += r >> 9 & 1 ? 7 * px : 0;
			x.v.t1_mon_ns = x.v.t0_mon_ns + x.v.width * px;
		}
	}
	/* when it is over there is no rounding that tells how it was seen */
	assert_true(compared > 100);
	x.v.grows = false;
	x.v.colour = TIMELINE_BY_STATE;
	assert_true(kept_is_fresh(&x, 0) > 0);
	x.v.colour = TIMELINE_BY_NAME;
	kept_is_fresh(&x, 0);
	x.v.t0_mon_ns -= 7 * px;
	x.v.t1_mon_ns -= 7 * px;
	kept_is_fresh(&x, 0);
	x.v.t0_mon_ns += 100 * px;
	x.v.t1_mon_ns += 100 * px;
	kept_is_fresh(&x, 0);
	finish(&x);
}

/*
 * Views between which one zooms are kept side by side: true while the run
 * grows, and found again.
 */
static void
views_are_kept_side_by_side(void **state)
{
	struct fixture x = { .m = feed_model(6) };
	struct feed_made *made = calloc(1, sizeof(*made));
	struct event *e = calloc(20000, sizeof(*e));
	const struct timeline_columns *first;
	int64_t from, px;
	uint32_t r = 9;

	(void)state;
	made->lanes = 6;
	made->now = 1000;
	x.v = (struct timeline_view){ .width = 300,
		.height = 400,
		.lane_height = 22,
		.grows = true,
		.selected_lane = UINT32_MAX };
	for (int i = 0; i < 120; i++) {
		if (i % 10 == 0) {
			feed_fill(made, e, 20000);
			model_add_events(x.m, e, 20000);
		}
		r = r * 1664525u + 1013904223u;
		from = model_first_ns(x.m) + (int64_t)(r >> 28) * 40000;
		px = 1000 + (int64_t)(r >> 20 & 15) * 250;
		x.v.t0_mon_ns = from;
		x.v.t1_mon_ns = from + x.v.width * px;
		assert_int_equal(kept_is_fresh(&x, 3), 6);
	}
	x.v.grows = false;
	x.v.t1_mon_ns = x.v.t0_mon_ns + x.v.width * 900;
	assert_int_equal(kept_is_fresh(&x, 0), 6);
	first = x.l.kept[x.l.rows[x.l.nrows - 1].shows];
	for (int i = 0; i < 8; i++) {
		x.v.t1_mon_ns += x.v.width * 100;
		assert_int_equal(kept_is_fresh(&x, 0), 6);
		assert_ptr_not_equal(first, x.l.kept[first->lane]);
	}
	x.v.t1_mon_ns = x.v.t0_mon_ns + x.v.width * 900;
	assert_int_equal(kept_is_fresh(&x, 0), 6);
	assert_ptr_equal(first, x.l.kept[first->lane]);
	/* events come: none of them may be shown as they were */
	feed_fill(made, e, 20000);
	model_add_events(x.m, e, 20000);
	for (int i = 0; i < 8; i++) {
		x.v.t1_mon_ns += x.v.width * 100;
		assert_int_equal(kept_is_fresh(&x, 0), 6);
	}
	free(made);
	free(e);
	finish(&x);
}

/* How much of all rows is running, in 1/1000. */
static int
busy_part(const struct fixture *x)
{
	int64_t busy = 0, all = 0;

	for (size_t i = 0; i < x->s.n; i++) {
		const struct item *it = &x->s.items[i];

		if (it->type == ITEM_RECT &&
		    it->rgb == palette_dark.state[LANE_running])
			busy += (int64_t)(it->x1 - it->x0) * (it->y1 - it->y0);
	}
	for (size_t i = 0; i < x->l.nrows; i++)
		if (x->l.rows[i].shows != UINT32_MAX)
			all += (int64_t)x->v.width * x->l.rows[i].height *
			       SCENE_ONE * SCENE_ONE;
	return ((int)(busy * 1000 / all));
}

/* A coarse picture shows about the same, and the next one is exact again. */
static void
coarse_pictures_pass(void **state)
{
	static const struct {
		double t0, t1; /* parts of the run */
	} views[] = { { 0.1, 0.9 }, { 0.2, 0.8 }, { 0, 1 }, { 0.3, 0.5 },
		{ 0.25, 0.45 }, { 0.6, 0.9 } };
	struct fixture x = { .m = feed_model(8) };
	struct feed_made *made = calloc(1, sizeof(*made));
	struct event *e = calloc(400000, sizeof(*e));
	int64_t first, run;
	int exact, coarse;

	(void)state;
	made->lanes = 8;
	made->now = 1000;
	feed_fill(made, e, 400000);
	model_add_events(x.m, e, 400000);
	first = model_first_ns(x.m);
	run = model_last_ns(x.m) - first;
	x.v = (struct timeline_view){ .width = 500,
		.height = 400,
		.lane_height = 22,
		.selected_lane = UINT32_MAX };
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		x.v.t0_mon_ns = first + (int64_t)((double)run * views[i].t0);
		x.v.t1_mon_ns = first + (int64_t)((double)run * views[i].t1);
		x.v.coarse = i > 0;
		timeline_layout(x.m, &palette_dark, &x.v, &x.l, &x.s);
		coarse = busy_part(&x);
		x.v.coarse = false;
		assert_int_equal(kept_is_fresh(&x, 0), 8);
		exact = busy_part(&x);
		if (exact <= 20 || abs(coarse - exact) >= 5)
			fail_msg("view %zu: %d, not %d", i, coarse, exact);
	}
	free(made);
	free(e);
	finish(&x);
}

struct job {
	void (*run)(void *, int);
	void *arg;
};

static void *
second(void *arg)
{
	struct job *j = arg;

	j->run(j->arg, 1);
	return (NULL);
}

static void
two_threads(void (*run)(void *, int), void *arg)
{
	struct job j = { run, arg };
	pthread_t t;

	assert_int_equal(pthread_create(&t, NULL, second, &j), 0);
	run(arg, 0);
	assert_int_equal(pthread_join(t, NULL), 0);
}

static void
second_alone(void (*run)(void *, int), void *arg)
{
	run(arg, 1);
}

static char *
scene_of(struct fixture *x, void (*how)(void (*)(void *, int), void *))
{
	struct timeline_layout l = { .both = how };
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	timeline_layout(x->m, &palette_dark, &x->v, &l, &x->s);
	scene_print(&x->s, f);
	fprintf(f, "%u %u\n", l.spans_drawn, l.pixels_drawn);
	fclose(f);
	timeline_layout_free(&l);
	return (text);
}

/* Who draws a row makes no difference; 300 rows, more than are kept. */
static void
threads_make_no_difference(void **state)
{
	struct fixture x;
	struct event e[2];
	uint32_t at[300];
	char *one, *two;

	(void)state;
	start(&x);
	for (uint32_t i = 0; i < 300; i++)
		at[i] = make_log_thread(&x.log, 2, 1, 2 + i, "");
	feed(&x);
	for (int i = 0; i < 120000; i++) {
		for (int k = 0; k < 2; k++)
			e[k] = (struct event){ .location = at[i % 300],
				.t_mon_ns =
				    1000 * US + i * 10 + k * (900 + i % 1999),
				.a = 1,
				.c = i % 7 == 0 ? x.f : x.g,
				.kind = k == 0 ? EV_enter : EV_leave };
		model_add_events(x.m, e, 2);
	}
	x.v.height = 320 * x.v.lane_height;
	for (int near = 0; near < 2;
	     near++) { /* shares, and boxes with names */
		x.v.t0_mon_ns = near ? 1100 * US : 0;
		x.v.t1_mon_ns = near ? 1110 * US : 2200 * US;
		one = scene_of(&x, NULL);
		assert_true(strlen(one) > 100000);
		for (int i = 0; i < 10; i++) {
			two = scene_of(&x, i == 0 ? second_alone : two_threads);
			assert_string_equal(one, two);
			free(two);
		}
		free(one);
	}
	finish(&x);
}

static uint32_t
lane_of_object(const struct fixture *x, uint64_t object)
{
	for (uint32_t i = 0; i < model_lanes(x->m); i++)
		if (model_lane(x->m, i)->object == object)
			return (i);
	fail_msg("no lane of object %d", (int)object);
	return (0);
}

/* Rows of the n-th link of this kind. */
static void
rows_of_link(const struct fixture *x, unsigned kind, uint32_t *from,
    uint32_t *to)
{
	struct link k[64];
	size_t n = model_links(x->m, 0, 2000 * US, k, 64);

	assert_true(n <= 64);
	for (size_t i = 0; i < n; i++)
		if (k[i].kind0 == kind) {
			timeline_link_rows(x->m, &x->l, &k[i], from, to);
			return;
		}
	fail_msg("no link of kind %u", kind);
}

/*
 * Object 20 is made by the second thread and stays; 21 and 22 are made there
 * too, and move.  An order of that thread is 20's; before 21 has moved nobody
 * can tell.
 */
static void
orders_come_from_who_gave_them(void **state)
{
	struct fixture x_, *x = &x_;
	uint32_t from, to, group;

	(void)state;
	start(x);
	AT(1, object_create, 1800, 20, 0, x->g);
	AT(1, object_create, 1810, 21, 0, x->g);
	AT(1, object_order, 1820, 21, 90, x->f);
	AT(3, object_obey, 1840, 21, 90, x->f);
	feed(x);
	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
	group = model_lane(x->m, lane_of_object(x, 21))->parent;
	rows_of_link(x, EV_object_order, &from, &to);
	assert_int_equal(from, x->l.lane_row[group]);
	assert_int_equal(to, x->l.lane_row[lane_of_object(x, 21)]);

	AT(1, object_depart, 1850, 21, 1, x->f);
	AT(3, object_arrive, 1870, 21, 1, x->f);
	feed(x);
	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
	assert_int_equal(model_lane_resident(x->m,
			     model_location_lane(x->m, x->at[1])),
	    lane_of_object(x, 20));
	rows_of_link(x, EV_object_order, &from, &to);
	assert_int_equal(from, x->l.lane_row[lane_of_object(x, 20)]);

	AT(1, object_create, 1880, 22, 0, x->g);
	feed(x);
	assert_int_equal(model_lane_resident(x->m,
			     model_location_lane(x->m, x->at[1])),
	    UINT32_MAX);
	finish(x);
}

/* The last thread has no span at all: its life is a line. */
static void
a_life_is_seen(void **state)
{
	struct fixture x_, *x = &x_;
	uint32_t lane;
	int64_t t0, t1;

	(void)state;
	start(x);
	lane = model_location_lane(x->m, x->at[3]);
	assert_true(model_lane_life(x->m, lane, &t0, &t1));
	assert_int_equal(t0, 450 * US);
	assert_int_equal(t1, 1000 * US);
	lane = model_lane(x->m, lane)->parent; /* of the PO, too */
	assert_true(model_lane_life(x->m, lane, &t0, &t1));
	assert_int_equal(t1, 1000 * US);
	assert_false(model_lane_life(x->m, lane_of_object(x, 7), &t0, &t1));
	assert_false(model_lane_life(x->m, UINT32_MAX, &t0, &t1));
	finish(x);
}

static void
nothing_is_fine_too(void **state)
{
	struct timeline_view v = { .t0_mon_ns = 0,
		.t1_mon_ns = 100,
		.width = 100,
		.height = 100,
		.lane_height = 20,
		.links = true,
		.show_objects = true };
	struct timeline_layout l = { 0 };
	struct scene s = { 0 };
	struct model *m = model_new();
	struct timeline_hit hit;

	(void)state;
	timeline_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.nrows, 0);
	timeline_pick(m, &v, &l, 5, 5, &hit);
	assert_int_equal(hit.of, OF_NOTHING);
	v.width = 0;
	timeline_layout(m, &palette_dark, &v, &l, &s);
	v.width = 10;
	v.t1_mon_ns = 0;
	timeline_layout(m, &palette_dark, &v, &l, &s);
	timeline_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

static void
the_scene_is_as_it_was(void **state)
{
	struct fixture x;
	char *got = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&got, &n);

	(void)state;
	start(&x);
	x.v.colour = TIMELINE_BY_NAME;
	x.v.grid = true;
	x.v.sel0_mon_ns = 200 * US;
	x.v.sel1_mon_ns = 260 * US;
	x.v.selected_task = 5;
	timeline_layout(x.m, &palette_dark, &x.v, &x.l, &x.s);
	scene_print(&x.s, f);
	describe_timeline(f, x.m, &x.v, &x.l);
	fclose(f);
	golden("tests/golden/timeline.scene", got, n);
	finish(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_in_order),
		cmocka_unit_test(time_and_pixels_agree),
		cmocka_unit_test(everything_is_drawn),
		cmocka_unit_test(picking_finds_what_is_there),
		cmocka_unit_test(dense_lanes_show_shares),
		cmocka_unit_test(kept_columns_are_true),
		cmocka_unit_test(views_are_kept_side_by_side),
		cmocka_unit_test(coarse_pictures_pass),
		cmocka_unit_test(threads_make_no_difference),
		cmocka_unit_test(orders_come_from_who_gave_them),
		cmocka_unit_test(a_life_is_seen),
		cmocka_unit_test(nothing_is_fine_too),
		cmocka_unit_test(the_scene_is_as_it_was),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
