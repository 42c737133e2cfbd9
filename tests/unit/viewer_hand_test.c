/*
 * Rows put together and other names, by hand: what the file says of them, which
 * rows there are, and that a group did what its members did.
 */
#include "tests/unit/viewer_timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/run/hand.h"
#include "ui/notes/groups.h"

/* Lines as of a file; the number of the first that is refused, 0: none. */
static int
read_lines(struct hand *h, const char *const *line)
{
	const char *why;

	for (int i = 0; line[i] != NULL; i++)
		if (groups_parse(h, line[i], &why) == -1) {
			assert_non_null(why);
			return (i + 1);
		}
	return (0);
}

static void
written(const struct hand *h, const char *want)
{
	char *got;
	size_t n;
	FILE *f = open_memstream(&got, &n);

	groups_write(f, h);
	fclose(f);
	assert_string_equal(got, want);
	free(got);
}

static void
what_is_written_is_read(void **state)
{
	static const char *const lines[] = { "group 5,3:4 two  words",
		"name row 12 the captain", "name function 7 a\xc3\xa4",
		"group 9,7 io", "group 4 io", "group 40 two  words",
		"name row 3 x", "name row 12 Jo", NULL };
	static const char *const less[] = { "group 1 x", "afresh", "group 2 y",
		NULL };
	struct hand *h = hand_new();
	uint64_t was;

	(void)state;
	assert_int_equal(read_lines(h, lines), 0);
	written(h, "name row 3 x\nname row 12 Jo\nname function 7 a\xc3\xa4\n"
		   "group 3,5,40 two  words\ngroup 4,7,9 io\n");
	assert_string_equal(hand_called(&h->rows, 12), "Jo");
	assert_null(hand_called(&h->rows, 11));
	was = h->version;
	assert_int_equal(hand_call(h, &h->rows, 12, ""), 0);
	assert_null(hand_called(&h->rows, 12));
	hand_leave(h, 3);
	hand_leave(h, 5);
	hand_leave(h, 40);
	assert_null(hand_find(h, "two  words")); /* gone with its last one */
	assert_true(h->version > was);
	hand_dissolve(h, hand_find(h, "io"));
	written(h, "name row 3 x\nname function 7 a\xc3\xa4\n");
	assert_int_equal(read_lines(h, less), 0);
	written(h, "group 2 y\n");
	hand_free(h);
}

static void
what_is_wrong_is_refused(void **state)
{
	static const char *const wrong[] = { "group", "group 3", "group 3:1 x",
		"group 3, x", "group ,3 x", "group 3;4 x", "group -1 x",
		"group 4278190080 x", "group 0:10000 x", "group 3 4",
		"group 3 .", "group 3 a\x01", "group 3 \xff",
		"group 99999999999999999999 x", "name", "name row",
		"name row x y", "name row 4278190080 y", "name row 3",
		"name lock 3 y", "name function 3 \xc3" };
	struct hand *h = hand_new();
	char line[100];
	const char *why;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(groups_parse(h, wrong[i], &why), -1);
		assert_non_null(why);
		assert_int_not_equal(why[0], '\0');
	}
	/* 64 bytes: one more than there may be */
	for (size_t i = 0; i < 2; i++) {
		snprintf(line, sizeof(line), "%s%064d",
		    i == 0 ? "group 3 x" : "name row 3 ", 0);
		assert_int_equal(groups_parse(h, line, &why), -1);
		assert_non_null(strstr(why, "at most 63 bytes"));
	}
	written(h, "");
	/* not about groups and names: another has to say */
	assert_int_equal(groups_parse(h, "note 1s all x", &why), -1);
	assert_null(why);
	assert_int_equal(groups_parse(h, "afresh x", &why), -1);
	assert_null(why);
	hand_free(h);
}

static void
there_is_an_end_to_it(void **state)
{
	struct hand *h = hand_new();
	char line[64];
	const char *why;
	int n = 0;

	(void)state;
	for (;; n++) {
		snprintf(line, sizeof(line), "group %d g%d", n, n);
		if (groups_parse(h, line, &why) == -1)
			break;
	}
	assert_int_equal(n, HAND_GROUPS_MAX);
	hand_clear(h);
	for (n = 0;; n++) {
		snprintf(line, sizeof(line), "name row %d x", 5000 - n);
		if (groups_parse(h, line, &why) == -1)
			break;
	}
	assert_int_equal(n, HAND_NAMES_MAX);
	assert_int_equal(groups_parse(h, "group 0:9999 all", &why), 0);
	assert_int_equal(groups_parse(h, "group 10000 all", &why), -1);
	assert_int_equal(groups_parse(h, "group 9999 all", &why), 0);
	hand_free(h);
}

/* --- rows --- */

struct hands {
	struct fixture x;
	struct hand *h;
	uint8_t folded[64];
};

static void
begin(struct hands *k)
{
	memset(k, 0, sizeof(*k));
	start(&k->x);
	k->h = hand_new();
	model_set_hand(k->x.m, k->h);
	k->x.v.hand.of = k->h;
	k->x.v.folded = k->folded;
	k->x.v.nfolded = sizeof(k->folded);
}

static void
end(struct hands *k)
{
	model_set_hand(k->x.m, NULL);
	finish(&k->x);
	hand_free(k->h);
}

static uint32_t
lane_of(const struct hands *k, int thread)
{
	return (model_location_lane(k->x.m, k->x.at[thread]));
}

static void
join(struct hands *k, const char *name, uint32_t lane)
{
	struct hand_group *g = hand_find(k->h, name);

	if (g == NULL)
		g = hand_make(k->h, name, 0);
	assert_int_equal(hand_join(k->h, g, lane), 0);
	k->folded[lane] |= TIMELINE_GROUPED;
}

static void
rows_are(struct hands *k, const char *want)
{
	char got[512] = "", label[64];

	k->x.v.hand.version = k->h->version;
	timeline_layout(k->x.m, &palette_dark, &k->x.v, &k->x.l, &k->x.s);
	for (size_t i = 0; i < k->x.l.nrows; i++) {
		const struct timeline_row *r = &k->x.l.rows[i];

		model_lane_label(k->x.m, r->lane, label, sizeof(label));
		snprintf(got + strlen(got), sizeof(got) - strlen(got),
		    "%s%u %s%s", i == 0 ? "" : ", ", r->indent, label,
		    r->folded     ? "+"
		    : r->foldable ? "-"
				  : "");
	}
	assert_string_equal(got, want);
}

static void
members_stand_below_their_group(void **state)
{
	struct hands k;
	uint32_t n1;

	(void)state;
	begin(&k);
	k.x.v.show_objects = k.x.v.show_locks = false;
	n1 = model_lane(k.x.m, model_lane(k.x.m, lane_of(&k, 3))->parent)
		 ->parent;
	k.folded[model_lane(k.x.m, lane_of(&k, 2))->parent] = TIMELINE_FOLDED;
	join(&k, "mine", lane_of(&k, 1));
	join(&k, "mine", n1);
	rows_are(&k, "0 mine-, 1 node n1-, 2 prog  PO 1, 1 second, 0 node n0-, "
		     "1 prog  PO 1-, 2 first, 1 tool  PO 2+");
	assert_int_equal(k.x.l.lane_row[lane_of(&k, 1)], 3);
	hand_find(k.h, "mine")->flags = TIMELINE_FOLDED;
	k.h->version++;
	rows_are(&k, "0 mine+, 0 node n0-, 1 prog  PO 1-, 2 first, "
		     "1 tool  PO 2+");
	/* what is folded away is in the group's row, with all below it */
	assert_int_equal(k.x.l.lane_row[lane_of(&k, 1)], 0);
	assert_int_equal(k.x.l.lane_row[n1], 0);
	assert_int_equal(k.x.l.lane_row[lane_of(&k, 3)], 0);
	assert_int_equal(k.x.l.lane_row[lane_of(&k, 0)], 3);
	memcpy(k.x.v.filter, "MINE", 5);
	hand_find(k.h, "mine")->flags = 0;
	k.h->version++;
	rows_are(&k, "0 mine-, 1 node n1-, 2 prog  PO 1, 1 second");
	memset(k.x.v.filter, 0, sizeof(k.x.v.filter));
	hand_find(k.h, "mine")->flags = TIMELINE_HIDDEN;
	k.h->version++;
	rows_are(&k, "0 node n0-, 1 prog  PO 1-, 2 first, 1 tool  PO 2+");
	end(&k);
}

static void
classes_fold_one_by_one(void **state)
{
	struct hands k;
	struct fixture *x = &k.x;

	(void)state;
	begin(&k);
	x->v.show_locks = false;
	memset(k.folded, TIMELINE_FOLDED, sizeof(k.folded));
	k.folded[model_lane(x->m, model_object_lane(x->m, 7))->parent] = 0;
	hand_classes(k.h, x->m);
	rows_are(&k, "0 node n0+, 0 node n1+, 0 objects-, 1 ship 0");
	AT(0, object_create, 1100, 8, 0, x->f);
	AT(0, object_create, 1110, 9, 0, x->g);
	AT(0, object_create, 1120, 10, 0, x->f);
	AT(0, object_create, 1130, 11, 0, 0);
	feed(x);
	hand_classes(k.h, x->m);
	rows_are(&k, "0 node n0+, 0 node n1+, 0 objects-, 1 ship-, 2 ship 0, "
		     "2 ship 1, 1 work-, 2 work 0, 2 work 1, 1 object 4");
	hand_find(k.h, "work")->flags = TIMELINE_FOLDED;
	k.h->version++;
	rows_are(&k, "0 node n0+, 0 node n1+, 0 objects-, 1 ship-, 2 ship 0, "
		     "2 ship 1, 1 work+, 1 object 4");
	assert_int_equal(x->l.lane_row[model_object_lane(x->m, 10)], 6);
	AT(0, object_create, 1140, 12, 0, x->f);
	AT(0, object_create, 1150, 13, 0, x->g);
	feed(x);
	hand_classes(k.h, x->m);
	rows_are(&k, "0 node n0+, 0 node n1+, 0 objects-, 1 ship-, 2 ship 0, "
		     "2 ship 1, 2 ship 2, 1 work+, 1 object 4");
	assert_int_equal(x->l.lane_row[model_object_lane(x->m, 12)], 7);
	end(&k);
}

/* By brute force: its spans, cut to the range. */
static void
add_spans(const struct model *m, uint32_t lane, int64_t t0, int64_t t1,
    int64_t *by_class)
{
	struct span v[64];
	size_t n = model_lane_spans(m, lane, t0, t1, v, 64);

	assert_true(n <= 64);
	for (size_t i = 0; i < n; i++) {
		int64_t a = v[i].t0_mon_ns > t0 ? v[i].t0_mon_ns : t0;
		int64_t b = v[i].t1_mon_ns < t1 ? v[i].t1_mon_ns : t1;

		by_class[v[i].class] += b - a;
	}
}

static void
a_group_did_what_its_members_did(void **state)
{
	struct hands k;
	uint8_t share[2][50 * LANE_CLASSES];
	int64_t want[LANE_CLASSES], got[LANE_CLASSES], l0, l1, m0, m1;
	uint32_t id, n0;

	(void)state;
	begin(&k);
	n0 = model_lane(k.x.m, model_lane(k.x.m, lane_of(&k, 0))->parent)
		 ->parent;
	for (int i = 0; i < 3; i++)
		join(&k, "all of n0", lane_of(&k, i));
	id = hand_find(k.h, "all of n0")->pub.id;
	for (int64_t t0 = 0; t0 < 900 * US; t0 += 70 * US)
		for (int64_t t1 = t0 + 10 * US; t1 < 1000 * US; t1 += 90 * US) {
			memset(want, 0, sizeof(want));
			for (int i = 0; i < 3; i++)
				add_spans(k.x.m, lane_of(&k, i), t0, t1, want);
			model_lane_totals(k.x.m, id, t0, t1, got, NULL);
			got[LANE_idle] = want[LANE_idle] = 0;
			assert_memory_equal(got, want, sizeof(got));
			/* and so it looks as their node does */
			model_lane_pixels(k.x.m, id, t0, t1, 50, 0, 50,
			    share[0], NULL);
			model_lane_pixels(k.x.m, n0, t0, t1, 50, 0, 50,
			    share[1], NULL);
			assert_memory_equal(share[0], share[1],
			    sizeof(share[0]));
		}
	assert_true(model_lane_life(k.x.m, id, &l0, &l1));
	assert_true(model_lane_life(k.x.m, n0, &m0, &m1));
	assert_int_equal(l0, m0);
	assert_int_equal(l1, m1);
	/* a single one: without those that have left */
	hand_leave(k.h, lane_of(&k, 0));
	hand_leave(k.h, lane_of(&k, 1));
	memset(want, 0, sizeof(want));
	add_spans(k.x.m, lane_of(&k, 2), 0, 700 * US, want);
	model_lane_totals(k.x.m, id, 0, 700 * US, got, NULL);
	got[LANE_idle] = want[LANE_idle] = 0;
	assert_memory_equal(got, want, sizeof(got));
	/* one that is gone asks for nothing */
	hand_leave(k.h, lane_of(&k, 2));
	assert_false(model_lane_there(k.x.m, id));
	assert_int_equal(model_lane(k.x.m, id)->kind, LANE_GROUP);
	model_lane_totals(k.x.m, id, 0, 700 * US, got, NULL);
	assert_int_equal(got[LANE_running], 0);
	assert_false(model_lane_life(k.x.m, id, &l0, &l1));
	end(&k);
}

static void
label_is(const struct hands *k, uint32_t lane, const char *want)
{
	char buf[64];

	model_lane_label(k->x.m, lane, buf, sizeof(buf));
	assert_string_equal(buf, want);
}

static void
names_by_hand_come_first(void **state)
{
	struct hands k;
	struct model *m;
	uint32_t thread, po, node;
	char buf[64];

	(void)state;
	begin(&k);
	m = k.x.m;
	thread = lane_of(&k, 0);
	po = model_lane(m, thread)->parent;
	node = model_lane(m, po)->parent;
	hand_call(k.h, &k.h->rows, thread, "Ahab");
	hand_call(k.h, &k.h->rows, po, "Pequod");
	hand_call(k.h, &k.h->rows, node, "sea");
	hand_call(k.h, &k.h->rows, model_object_lane(m, 7), "whale");
	hand_call(k.h, &k.h->functions, k.x.f, "hunt");
	label_is(&k, thread, "Ahab");
	label_is(&k, po, "Pequod  PO 1");
	label_is(&k, node, "node sea");
	label_is(&k, model_object_lane(m, 7), "whale");
	label_is(&k, lane_of(&k, 1), "second");
	assert_string_equal(model_node_name(m, 1), "sea");
	assert_string_equal(model_node_name(m, 2), "n1");
	assert_string_equal(model_program(m, 1, 1), "Pequod");
	assert_string_equal(model_program(m, 2, 1), "prog");
	assert_string_equal(model_name(m, k.x.f), "hunt");
	assert_string_equal(model_name_recorded(m, k.x.f), "work");
	model_lane_label_recorded(m, po, buf, sizeof(buf));
	assert_string_equal(buf, "prog  PO 1");
	hand_call(k.h, &k.h->rows, po, "");
	hand_call(k.h, &k.h->functions, k.x.f, "");
	label_is(&k, po, "prog  PO 1");
	assert_string_equal(model_name(m, k.x.f), "work");
	end(&k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(what_is_wrong_is_refused),
		cmocka_unit_test(there_is_an_end_to_it),
		cmocka_unit_test(members_stand_below_their_group),
		cmocka_unit_test(classes_fold_one_by_one),
		cmocka_unit_test(a_group_did_what_its_members_did),
		cmocka_unit_test(names_by_hand_come_first),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
