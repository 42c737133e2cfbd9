/* The radial layout against VISTA's own numbers. */
#include "tests/check.h"

#include "tests/unit/viewer_radial.h"

static void
quicksort_has_vista_sectors(void **state)
{
	struct model *m = quicksort_model();
	struct radial_view v = square(800);
	struct radial_layout l = { 0 };
	struct radial_tree t;
	struct scene s = { 0 };
	const struct radial_node *n;

	(void)state;
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.levels, 7);
	assert_int_equal(l.drawn, 23);
	assert_int_equal(radial_tree_open(&t, m, &v, &l), 0);
	for (uint32_t k = 1; k < 24; k++) {
		n = node_of(&l, k - 1);
		assert_non_null(n);
		assert_int_equal(n->ring, quicksort[k].level);
		NEAR(radial_weight(&t, k - 1), quicksort[k].weight, 1e-9);
		NEAR(n->from_rad * 180 / M_PI, quicksort[k].from, 0.01);
		NEAR(n->arc_rad * 180 / M_PI, quicksort[k].arc, 0.01);
	}
	/* the root in the middle; the first leaf on the last ring */
	assert_int_equal(l.nodes[0].x, 400 * SCENE_ONE);
	n = node_of(&l, 9);
	NEAR(hypot(n->x - 400 * SCENE_ONE, n->y - 400 * SCENE_ONE),
	    6 * l.ring_px * SCENE_ONE, 2);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

static void
quicksort_condenses_as_vista(void **state)
{
	struct model *m = quicksort_model();
	struct radial_view v = square(32);
	struct radial_layout l = { 0 };
	struct radial_tree t;
	struct scene s = { 0 };
	static const struct {
		uint8_t k, weight, condensed;
	} want[] = { { 1, 30, 1 }, { 3, 6, 1 }, { 5, 3, 3 }, { 7, 17, 3 },
		{ 6, 3, 1 }, { 13, 2, 1 }, { 10, 1, 0 }, { 18, 2, 0 },
		{ 23, 2, 0 } };
	const struct radial_kids *kids;

	(void)state;
	/* one more level than the book's, so that 4 rings make it 2 : 1 */
	spawn(m, 24, 10);
	radial_layout(m, &palette_dark, &v, &l, &s);
	assert_int_equal(l.levels, 8);
	assert_int_equal(l.lc.levels[0], 8);
	assert_int_equal(l.lc.ratio[0], 2);
	assert_int_equal(l.lc.levels[1], 0);
	assert_int_equal(l.condensed, 11);
	assert_int_equal(radial_tree_open(&t, m, &v, &l), 0);
	assert_non_null(t.cache);
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		NEAR(radial_weight(&t, want[i].k - 1u), want[i].weight, 1e-9);
		assert_int_equal(radial_absorbed(&t, want[i].k - 1u),
		    want[i].condensed + (want[i].k == 10));
	}
	/* E's children, as the thesis lists them: in order of spawn */
	kids = radial_kids(&t, 6);
	assert_non_null(kids);
	assert_int_equal(kids->n, 7);
	for (uint32_t n = 0; n < 7; n++)
		assert_int_equal(kids->task[n] + 1,
		    ((uint32_t[]){ 13, 18, 19, 20, 21, 22, 23 })[n]);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
}

static void
condensing_fills_the_rings(void **state)
{
	struct condense c = condense_levels(174, 106);
	uint32_t kept, ring;

	(void)state;
	assert_int_equal(c.t, 38); /* Semigroup: 38 of 1 : 1, 136 of 2 : 1 */
	assert_int_equal(c.ratio, 1);
	assert_int_equal(c.levels - c.t, 136);
	c = condense_levels(340, 100);
	assert_int_equal(c.t, 180);
	assert_int_equal(c.ratio, 3);
	c = condense_levels(57, 106);
	assert_int_equal(c.rings, 57);
	for (uint32_t h = 1; h <= 120; h++)
		for (uint32_t levels = 1; levels <= 420; levels++) {
			c = condense_levels(levels, h);
			kept = 0;
			for (uint32_t i = 0; i < levels; i++) {
				ring = condense_ring(&c, i);
				if (condense_keeps(&c, i))
					assert_int_equal(ring, kept++);
				else
					assert_int_equal(ring, kept - 1);
			}
			assert_int_equal(kept, levels < h ? levels : h);
		}
}

static void
pascal_has_its_numbers(void **state)
{
	static const struct {
		int rows;
		uint32_t tasks, deepest;
	} cases[] = { { 10, 206, 19 }, { 34, 2114, 55 }, { 35, 2235, 56 },
		{ 36, 2364, 58 } };
	struct make_log log;
	struct scene s = { 0 };
	struct radial_layout l = { 0 };
	struct radial_view v = square(850);
	struct model *m;
	char text[2048] = "", levels[64];
	FILE *f;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		m = pascal_model(&log, cases[i].rows);
		radial_layout(m, &palette_dark, &v, &l, &s);
		assert_int_equal(l.tasks, cases[i].tasks);
		assert_int_equal(l.deepest, cases[i].deepest);
		assert_int_equal(l.drawn + l.pruned + l.condensed, l.tasks);
		assert_int_equal(l.as.points + l.as.lines + l.as.polygons,
		    l.drawn);
		assert_int_equal(l.pes, 5);
		if (cases[i].rows == 35) {
			describe_levels(levels, sizeof(levels), &l);
			assert_string_equal(levels, "LC: 57(1)");
			f = fmemopen(text, sizeof(text), "w");
			describe_radial(f, m, &v, &l);
			fclose(f);
			assert_non_null(strstr(text, "tasks: 2235"));
			assert_non_null(strstr(text, "deepest level: 56"));
			assert_non_null(strstr(text,
			    "bigp 918 setc 612 "
			    "makeRow 323 bigPlus 306 makeRows 35"));
			assert_non_null(strstr(text, "PEs used: 5"));
		}
		radial_layout_free(&l);
		model_free(m);
		make_log_free(&log);
	}
	scene_free(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quicksort_has_vista_sectors),
		cmocka_unit_test(quicksort_condenses_as_vista),
		cmocka_unit_test(condensing_fills_the_rings),
		cmocka_unit_test(pascal_has_its_numbers),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
