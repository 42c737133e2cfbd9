/*
 * What lies over the lanes: one error among a million events at every zoom,
 * links one by one and as a density, stubs, phases of remote calls, the ends
 * of threads.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "layout/time/timeline_inside.h"
#include "tests/unit/make_model.h"

#define US 1000

struct fixture {
	struct make_log log;
	struct model *m;
	struct timeline_layout l;
	struct scene s;
	struct timeline_view v;
	uint32_t at[8], f;
	size_t fed;
};

static void
feed(struct fixture *x)
{
	make_log_blocks(&x->log, 0);
	make_model_tell(x->m, &x->log, &x->fed);
}

/* Two nodes with a process each, of four threads each. */
static int
setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	assert_non_null(x);
	x->m = model_new();
	make_log_head(&x->log, "edges");
	for (uint32_t node = 1; node <= 2; node++) {
		make_log_node(&x->log, node, node == 1 ? "n1" : "n2");
		make_log_po(&x->log, node, 1, "prog");
		for (uint32_t i = 0; i < 4; i++)
			x->at[(node - 1) * 4 + i] =
			    make_log_thread(&x->log, node, 1, i + 1, "");
	}
	x->f = make_log_name(&x->log, "work");
	feed(x);
	x->v = (struct timeline_view){ .width = 500,
		.height = 400,
		.lane_height = 20,
		.links = true,
		.t1_mon_ns = 1000 * US,
		.selected_lane = UINT32_MAX };
	*state = x;
	return (0);
}

static int
teardown(void **state)
{
	struct fixture *x = *state;

	timeline_layout_free(&x->l);
	scene_free(&x->s);
	model_free(x->m);
	make_log_free(&x->log);
	free(x);
	return (0);
}

static void
layout(struct fixture *x)
{
	timeline_layout(x->m, &palette_dark, &x->v, &x->l, &x->s);
}

/* Items of a type (-1: any) and colour that have some of column px. */
static unsigned
items_at(const struct fixture *x, int type, uint32_t rgb, int32_t px)
{
	unsigned n = 0;

	for (size_t i = 0; i < x->s.n; i++) {
		const struct item *it = &x->s.items[i];

		n += (type == -1 || it->type == (unsigned)type) &&
		     it->rgb == rgb && it->x0 <= (px + 2) * SCENE_ONE &&
		     (it->x1 >= (px - 1) * SCENE_ONE ||
			 it->x0 >= (px - 1) * SCENE_ONE);
	}
	return (n);
}

static unsigned
items_of(const struct fixture *x, int type, uint32_t rgb)
{
	unsigned n = 0;

	for (size_t i = 0; i < x->s.n; i++)
		n += x->s.items[i].type == (unsigned)type &&
		     x->s.items[i].rgb == rgb;
	return (n);
}

/* A million calls, 1 us each, over eight threads, and one loss. */
static void
add_million(struct fixture *x, int64_t *t_lost)
{
	struct event e[1000];
	int64_t t = 0;

	for (int i = 0; i < 1000; i++) {
		for (int k = 0; k < 1000; k++, t += 500)
			e[k] = (struct event){ .location = x->at[k / 2 % 8],
				.t_mon_ns = t,
				.a = 1,
				.c = x->f,
				.kind = k % 2 == 0 ? EV_enter : EV_leave };
		if (i == 617) {
			e[123].kind = EV_lost;
			e[123].a = e[123].b = 1;
			e[123].c = LOST_RING_FULL;
			*t_lost = e[123].t_mon_ns;
		}
		model_add_events(x->m, e, 1000);
	}
}

static void
one_error_in_a_million_is_seen(void **state)
{
	struct fixture *x = *state;
	uint32_t error = palette_dark.error;
	uint8_t folded[64], worst[300];
	int64_t t, all, span;

	add_million(x, &t);
	all = model_last_ns(x->m) + 1;
	for (int rows = 0; rows < 4; rows++) {
		/* all rows; processes folded; nodes folded; scrolled away */
		memset(folded, 0, sizeof(folded));
		for (uint32_t i = 0; i < model_lanes(x->m); i++)
			folded[i] = (rows == 1 &&
					model_lane(x->m, i)->kind == LANE_PO) ||
				    rows == 2;
		x->v.folded = folded;
		x->v.nfolded = model_lanes(x->m);
		x->v.height = rows == 3 ? 40 : 400;
		for (span = all * 3; span > 1000; span /= 7) {
			x->v.t0_mon_ns = t - span / 3;
			x->v.t1_mon_ns = x->v.t0_mon_ns + span;
			for (x->v.scroll_y = 0;
			     x->v.scroll_y <= (rows == 3 ? 160 : 0);
			     x->v.scroll_y += 20) {
				layout(x);
				if (items_at(x, ITEM_DIAMOND, error,
					timeline_x(&x->v, t)) == 0)
					fail_msg("not seen: rows %d, span %lld "
						 "ns, scrolled %d",
					    rows, (long long)span,
					    x->v.scroll_y);
			}
		}
	}
	/* in the strip of the whole run */
	for (uint32_t n = 1; n <= 300; n++) {
		unsigned seen = 0;

		timeline_alert_pixels(x->m, 0, all, n, worst);
		for (uint32_t i = 0; i < n; i++)
			seen += worst[i] == 2;
		assert_int_equal(seen, 1);
		assert_int_equal(worst[(size_t)((double)t * n / (double)all)],
		    2);
	}
}

static void
add_messages(struct fixture *x, unsigned n)
{
	struct event e[2];

	for (unsigned i = 0; i < n; i++) {
		int64_t t = (int64_t)i * 1000;

		for (int k = 0; k < 2; k++)
			e[k] = (struct event){
				.location = x->at[k == 0 ? i % 4 : 4 + i % 3],
				.t_mon_ns = t + k * 900,
				.a = i + 1,
				.b = 8,
				.kind = k == 0 ? EV_send : EV_receive
			};
		model_add_events(x->m, e, 2);
	}
	x->v.t0_mon_ns = 0;
	x->v.t1_mon_ns = (int64_t)n * 1000;
}

#define ODD 400000 /* links with numbers that share nothing */

static struct link
odd_link(const struct fixture *x, uint64_t i)
{
	return ((struct link){ .t0_mon_ns = (int64_t)i * 1000,
	    .t1_mon_ns = i % 97 == 0 ? INT64_MAX : (int64_t)i * 1000 + 500,
	    .lane0 = model_location_lane(x->m, x->at[i % 8]),
	    .lane1 = i % 97 == 0
			 ? UINT32_MAX
			 : model_location_lane(x->m, x->at[(i + 3) % 8]),
	    .kind0 = EV_send,
	    .id = (i + 1) << 32 | i * 7,
	    .bytes = i % 5 == 0 ? 123457 + i : i % 1000 << i % 16 });
}

/* However a link is kept, short or whole, it comes back as it was. */
static void
links_come_back_as_they_were(void **state)
{
	struct fixture *x = *state;
	struct link got[64], want;
	struct event e[2];
	size_t n;

	for (uint64_t i = 0; i < ODD; i++) {
		want = odd_link(x, i);
		for (int k = 0; k < 2; k++)
			e[k] = (struct event){
				.location = x->at[(i + (k == 0 ? 0 : 3)) % 8],
				.t_mon_ns = want.t0_mon_ns + k * 500,
				.a = want.id,
				.b = want.bytes,
				.kind = k == 0 ? EV_send : EV_receive
			};
		model_add_events(x->m, e, i % 97 == 0 ? 1 : 2);
	}
	for (uint64_t i = 0; i + 50 < ODD; i += 50) {
		n = model_links(x->m, (int64_t)i * 1000,
		    (int64_t)(i + 50) * 1000, got, 64);
		assert_int_equal(n, 50);
		for (uint64_t k = 0; k < n; k++) {
			want = odd_link(x, i + k);
			assert_int_equal(got[k].t0_mon_ns, want.t0_mon_ns);
			assert_int_equal(got[k].t1_mon_ns, want.t1_mon_ns);
			assert_int_equal(got[k].lane0, want.lane0);
			assert_int_equal(got[k].lane1, want.lane1);
			assert_int_equal(got[k].kind0, want.kind0);
			assert_int_equal(got[k].id, want.id);
			assert_int_equal(got[k].bytes, want.bytes);
		}
	}
}

static void
twenty_thousand_links_are_drawn(void **state)
{
	struct fixture *x = *state;

	add_messages(x, 20000);
	layout(x);
	assert_int_equal(x->l.links_total, 20000);
	assert_int_equal(x->l.links_drawn, 20000);
	/* in a crowd they have no heads */
	assert_true(items_of(x, ITEM_LINE, palette_dark.accent) >= 500);
	/* near enough, each is an item of its own */
	x->v.t1_mon_ns = 400 * 1000;
	x->v.width = 4000;
	layout(x);
	assert_int_equal(items_of(x, ITEM_ARROW, palette_dark.accent), 400);
}

static void
more_links_are_a_density(void **state)
{
	struct fixture *x = *state;
	unsigned shaded = 0, where[8] = { 0 };

	add_messages(x, 120000);
	layout(x);
	assert_true(x->l.links_total > 100000);
	assert_in_range(x->l.links_drawn, 500, TIMELINE_DENSE);
	for (size_t i = 0; i < x->s.n; i++) {
		const struct item *it = &x->s.items[i];

		if (it->type != ITEM_RECT || it->alpha == 255 ||
		    it->rgb != palette_dark.accent)
			continue;
		shaded += (unsigned)(it->x1 - it->x0) / SCENE_ONE;
		for (unsigned k = 0; k < 8; k++) {
			uint32_t lane = model_location_lane(x->m, x->at[k]);
			const struct timeline_row *r =
			    &x->l.rows[x->l.lane_row[lane]];

			where[k] += it->y0 >= r->y * SCENE_ONE &&
				    it->y1 <= (r->y + r->height) * SCENE_ONE;
		}
	}
	/* all along, on each row that sends or receives and on no other */
	assert_true(shaded > 7 * 490);
	for (int k = 0; k < 7; k++)
		assert_true(where[k] > 0);
	assert_int_equal(where[7], 0);
}

static void
what_has_not_arrived_is_a_stub(void **state)
{
	struct fixture *x = *state;

	make_log_event(&x->log, x->at[0], EV_send, 100 * US, 1, 8, 0);
	make_log_event(&x->log, x->at[4], EV_enter, 900 * US, 1, 0, x->f);
	feed(x);
	x->v.grows = true;
	layout(x);
	assert_int_equal(items_of(x, ITEM_LINE, palette_dark.accent), 1);
	x->v.grows = false; /* it never will */
	layout(x);
	assert_int_equal(items_of(x, ITEM_LINE, palette_dark.warn), 1);
	x->v.grows = true; /* it is overdue */
	make_log_event(&x->log, x->at[4], EV_leave, 1200000 * US, 1, 0, x->f);
	feed(x);
	layout(x);
	assert_int_equal(items_of(x, ITEM_LINE, palette_dark.warn), 1);
}

static void
phases_of_a_call_are_told(void **state)
{
	struct fixture *x = *state;
	const struct item *out = NULL, *back = NULL, *work = NULL;

	make_log_event(&x->log, x->at[0], EV_rpc_call, 100 * US, 5, 8, x->f);
	make_log_event(&x->log, x->at[4], EV_rpc_begin, 200 * US, 5, 8, x->f);
	make_log_event(&x->log, x->at[4], EV_rpc_end, 600 * US, 5, 8, x->f);
	make_log_event(&x->log, x->at[0], EV_rpc_return, 800 * US, 5, 8, x->f);
	make_log_event(&x->log, x->at[1], EV_block_begin, 100 * US, 6, 2, x->f);
	make_log_event(&x->log, x->at[1], EV_block_end, 800 * US, 6, 0, 0);
	make_log_event(&x->log, x->at[1], EV_thread_end, 900 * US, 77, 0, 0);
	feed(x);
	layout(x);
	for (size_t i = 0; i < x->s.n; i++) {
		const struct item *it = &x->s.items[i];

		out = it->rgb == PALETTE_RPC_OUT ? it : out;
		work = it->rgb == PALETTE_RPC_WORK ? it : work;
		back = it->rgb == PALETTE_RPC_BACK ? it : back;
	}
	assert_non_null(out);
	assert_non_null(work);
	assert_non_null(back);
	assert_in_range(out->x0, 49 * SCENE_ONE, 51 * SCENE_ONE);
	assert_in_range(out->x1, 99 * SCENE_ONE, 101 * SCENE_ONE);
	assert_in_range(back->x0, 299 * SCENE_ONE, 301 * SCENE_ONE);
	assert_in_range(back->x1, 399 * SCENE_ONE, 401 * SCENE_ONE);
	assert_true(work < out); /* below it */
	assert_int_equal(work->y0, out->y0);
	assert_int_equal(work->y1, back->y1);
	assert_int_equal(items_of(x, ITEM_RECT, PALETTE_BLOCK), 2);
	/* its last moment */
	assert_true(items_at(x, ITEM_RECT, palette_dark.text, 450) >= 3);
	assert_int_equal(items_at(x, ITEM_RECT, palette_dark.text, 475), 0);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(one_error_in_a_million_is_seen),
		TEST(links_come_back_as_they_were),
		TEST(twenty_thousand_links_are_drawn),
		TEST(more_links_are_a_density),
		TEST(what_has_not_arrived_is_a_stub),
		TEST(phases_of_a_call_are_told),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
