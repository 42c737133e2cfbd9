/*
 * What the process-time view shows: rows, pixels, links, marks and lives, each
 * where it belongs and found there by picking.
 */
#include "tests/unit/viewer_timeline.h"

#include "layout/time/describe_time.h"
#include "tests/unit/golden.h"

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
rows_of_which_nothing_is_in_sight_can_be_hidden(void **state)
{
	struct fixture x;

	(void)state;
	start(&x);
	x.v.hide_quiet = true;
	check_rows(&x,
	    "0 node n0-, 1 prog  PO 1-, 2 first, 2 second, "
	    "1 tool  PO 2-, 2 depth 0, 2 depth 1, 0 node n1-, 1 prog  PO 1, "
	    "0 objects-, 1 ship 0");
	x.v.t0_mon_ns = 100 * US;
	x.v.t1_mon_ns = 340 * US;
	check_rows(&x,
	    "0 node n0-, 1 prog  PO 1-, 2 first, 2 second, "
	    "1 tool  PO 2-, 2 depth 0, 2 depth 1, 0 objects-, 1 ship 0");
	assert_int_equal(x.l.rows_hidden, 1);
	x.v.t0_mon_ns = 710 * US; /* a call begins, and something is lost */
	x.v.t1_mon_ns = 1000 * US;
	check_rows(&x, "0 node n1-, 1 prog  PO 1");
	x.v.t0_mon_ns = 95 * US; /* a spawn is all that it does */
	x.v.t1_mon_ns = 105 * US;
	check_rows(&x,
	    "0 node n0-, 1 prog  PO 1-, 2 first, 2 second, "
	    "1 tool  PO 2-, 2 depth 0, 2 depth 1, 0 objects-, 1 ship 0");
	x.v.hide_quiet = false;
	check_rows(&x,
	    "0 node n0-, 1 prog  PO 1-, 2 first, 2 second, "
	    "1 tool  PO 2-, 2 depth 0, 2 depth 1, 0 node n1-, 1 prog  PO 1, "
	    "0 objects-, 1 ship 0");
	finish(&x);
}

/*
 * Where more is in sight than is looked through what lives then is seen; of
 * what does not live nothing can be.
 */
static void
however_much_is_in_sight_what_has_some_is_shown(void **state)
{
	struct fixture run, *x = &run;

	(void)state;
	start(x);
	for (unsigned i = 0; i < 20000; i++) {
		AT(0, send, 2000 + i, 100 + i, 8, 0);
		AT(2, receive, 2000 + i, 100 + i, 8, 0);
	}
	AT(1, note, 30000, 0, 0, 0);
	feed(x);
	x->v.hide_quiet = true;
	x->v.show_objects = false;
	x->v.t0_mon_ns = 2000 * US;
	x->v.t1_mon_ns = 22000 * US;
	check_rows(x, "0 node n0-, 1 prog  PO 1-, 2 first, 2 second, "
		      "1 tool  PO 2-, 2 depth 0, 2 depth 1");
	x->v.t1_mon_ns = 3000 * US;
	check_rows(x, "0 node n0-, 1 prog  PO 1-, 2 first, "
		      "1 tool  PO 2-, 2 depth 0, 2 depth 1");
	finish(x);
}

/* The phase of a call of which no answer will come. */
static void
who_is_no_more_does_not_wait(void **state)
{
	struct fixture run, *x = &run;
	size_t found = 0;

	(void)state;
	start(x);
	AT(1, rpc_call, 1100, 77, 8, 0);
	AT(1, thread_end, 1300, 0, 0, 0);
	AT(0, note, 1900, 0, 0, 0);
	feed(x);
	x->v.t0_mon_ns = 1000 * US;
	x->v.t1_mon_ns = 2000 * US;
	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
	for (size_t i = 0; i < x->s.n; i++)
		if (x->s.items[i].rgb == PALETTE_RPC_OUT) {
			assert_int_equal(x->s.items[i].x0, 50 * SCENE_ONE);
			assert_int_equal(x->s.items[i].x1, 150 * SCENE_ONE);
			found++;
		}
	assert_int_equal(found, 1);
	finish(x);
}

static void
a_small_picture_has_a_row_for_each_node(void **state)
{
	struct fixture x;
	uint8_t folded[64] = { TIMELINE_PINNED, TIMELINE_FOLDED };

	(void)state;
	start(&x);
	x.v.by_node = true;
	check_rows(&x, "0 node n0, 0 node n1");
	assert_int_equal(x.l.links_drawn, 0);
	for (uint32_t i = 0; i < model_lanes(x.m); i++)
		if (model_lane(x.m, i)->kind == LANE_THREAD)
			assert_true(x.l.lane_row[i] < 2);
	x.v.folded = folded; /* whatever is said of the rows of the large one */
	x.v.nfolded = 64;
	check_rows(&x, "0 node n0, 0 node n1");
	assert_int_equal(x.l.npinned, 0);
	finish(&x);
}

/* How often it is written in the rows of that height. */
static unsigned
written(const struct fixture *x, const char *word)
{
	unsigned n = 0;

	for (size_t i = 0; i < x->s.n; i++)
		n += x->s.items[i].type == ITEM_TEXT &&
		     strcmp(x->s.text + x->s.items[i].first, word) == 0;
	return (n);
}

static void
low_rows_and_waits_have_names(void **state)
{
	static const int32_t heights[] = { 15, 18, 22, 28 };
	struct fixture fx, *x = &fx;
	uint32_t lock;

	(void)state;
	start(x);
	lock = make_log_name(&x->log, "till");
	AT(0, lock_wait, 1100, 77, 0, lock);
	AT(0, lock_acquire, 1400, 77, 0, lock);
	AT(0, lock_release, 1500, 77, 0, lock);
	feed(x);
	x->v.t1_mon_ns = 1500 * US;
	for (size_t i = 0; i < sizeof(heights) / sizeof(heights[0]); i++) {
		x->v.lane_height = heights[i];
		timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
		/* the tool's row and its depths; the lock's row, the wait */
		assert_int_equal(written(x, "ship"), 3);
		assert_in_range(written(x, "till"), 1, 2);
	}
	/* as narrow as it is */
	x->v.width = 1500 / 150 * 40;
	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
	assert_int_equal(written(x, "ship"), 3);
	finish(x);
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

/* However short: its frame is three pixels wide at least, all in its row. */
static void
what_is_chosen_has_a_frame(void **state)
{
	struct fixture x;
	size_t n[2];
	const struct item *it;
	const struct timeline_row *r;

	(void)state;
	start(&x);
	n[0] = x.s.n;
	x.v.chosen.lane = model_location_lane(x.m, x.at[1]);
	x.v.chosen.t0_mon_ns = 200 * US;
	x.v.chosen.t1_mon_ns = 200 * US + 1;
	timeline_layout(x.m, &palette_dark, &x.v, &x.l, &x.s);
	n[1] = x.s.n;
	assert_int_equal(n[1] - n[0], 4);
	r = &x.l.rows[x.l.lane_row[x.v.chosen.lane]];
	for (size_t i = 0, found = 0; found < 2; i++) {
		assert_true(i < x.s.n);
		it = &x.s.items[i];
		if (it->rgb != palette_dark.text ||
		    it->x1 - it->x0 != 3 * SCENE_ONE ||
		    it->x0 != 99 * SCENE_ONE)
			continue;
		assert_true(it->y0 >= r->y * SCENE_ONE);
		assert_true(it->y1 <= (r->y + r->height) * SCENE_ONE);
		found++;
	}
	finish(&x);
}

/* A lock that was free tells nothing, unless its row is what is looked at. */
static void
locks_are_told_when_they_were_waited_for(void **state)
{
	struct fixture f, *x = &f;

	(void)state;
	start(x);
	AT(0, lock_acquire, 1100, 3, 1, x->f);
	AT(0, lock_release, 1200, 3, 2, x->f);
	AT(1, lock_acquire, 1210, 3, 2, x->f);
	AT(2, lock_wait, 1250, 3, 0, x->f);
	AT(1, lock_release, 1300, 3, 3, x->f);
	AT(2, lock_acquire, 1305, 3, 3, x->f);
	/* of two more the releases are told late */
	AT(0, lock_wait, 1310, 3, 0, x->f);
	AT(0, lock_acquire, 1325, 3, 4, x->f);
	AT(2, lock_release, 1320, 3, 4, x->f);
	AT(1, lock_wait, 1332, 3, 0, x->f);
	AT(1, lock_acquire, 1335, 3, 5, x->f);
	AT(0, lock_release, 1330, 3, 5, x->f);
	feed(x);
	x->v.t0_mon_ns = 1050 * US;
	x->v.t1_mon_ns = 1350 * US;
	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
	assert_int_equal(x->l.links_drawn, 2);
	assert_int_equal(x->l.links_total, 2);
	assert_int_equal(x->l.links_free, 2);
	x->v.selected_lane = model_location_lane(x->m, x->at[0]);
	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
	assert_int_equal(x->l.links_drawn, 4);
	assert_int_equal(x->l.links_free, 0);
	finish(x);
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
	x.v.chosen.lane = model_location_lane(x.m, x.at[1]);
	x.v.chosen.t0_mon_ns = 110 * US;
	x.v.chosen.t1_mon_ns = 300 * US;
	timeline_layout(x.m, &palette_dark, &x.v, &x.l, &x.s);
	scene_print(&x.s, f);
	describe_timeline(f, x.m, &x.v, &x.l, 0);
	fclose(f);
	golden("tests/golden/timeline.scene", got, n);
	finish(&x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_in_order),
		cmocka_unit_test(
		    rows_of_which_nothing_is_in_sight_can_be_hidden),
		cmocka_unit_test(
		    however_much_is_in_sight_what_has_some_is_shown),
		cmocka_unit_test(who_is_no_more_does_not_wait),
		cmocka_unit_test(a_small_picture_has_a_row_for_each_node),
		cmocka_unit_test(low_rows_and_waits_have_names),
		cmocka_unit_test(time_and_pixels_agree),
		cmocka_unit_test(everything_is_drawn),
		cmocka_unit_test(what_is_chosen_has_a_frame),
		cmocka_unit_test(locks_are_told_when_they_were_waited_for),
		cmocka_unit_test(picking_finds_what_is_there),
		cmocka_unit_test(dense_lanes_show_shares),
		cmocka_unit_test(orders_come_from_who_gave_them),
		cmocka_unit_test(a_life_is_seen),
		cmocka_unit_test(nothing_is_fine_too),
		cmocka_unit_test(the_scene_is_as_it_was),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
