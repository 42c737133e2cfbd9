/*
 * What leaves are packed to comes out again, whatever it is: lanes whose ways
 * to change differ from stretch to stretch, against the list of changes.
 */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/keep/retired.h"
#include "model/lod/lod.h"
#include "model/lod/lodstore.h"
#include "model/lod/lodtree.h"
#include "tests/unit/lod_totals.h"

#define STATES  300
#define CHANGES 12000

struct change {
	int64_t t;
	uint16_t state;
};

struct lane {
	struct lod lod;
	struct lod_state states[STATES];
	_Atomic uint64_t bytes;
	struct lod_env env;
	struct retired retired;
	struct lod_store store;
	struct change v[CHANGES];
	size_t n;
	uint64_t seed;
};

static uint64_t
next(struct lane *w, uint64_t below)
{
	w->seed = w->seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((w->seed >> 33) % below);
}

/* What is done from one change to the next, in one stretch. */
static const struct way {
	const char *name;
	uint32_t from, states; /* those it takes */
	uint32_t turns;        /* state + 1 of each second change; 0: none */
	uint64_t few, many;    /* ns up to */
	uint32_t rare;         /* one of so many takes many */
} ways[] = {
	{ "calls and pauses", 1, 16, 1, 200, 100000, 2 },
	{ "pauses and calls", 17, 5, 1, 70000, 3000000, 3 },
	{ "one state", 7, 1, 0, 1000, 1000, 1 },
	{ "nested", 0, 33, 0, 200, 40000, 2 },
	{ "all the same time", 0, 60, 0, 1, 1, 1 },
	{ "few of many", 70, 3, 0, 1 << 20, 1 << 21, 9 },
	{ "more than a list has", 0, STATES, 0, 500, 500, 1 },
	{ "of other ones", 200, 40, 201, 1, 1ull << 31, 60 },
	{ "for ever", 0, 9, 0, 100, (1ull << 32) + 9, 20 },
};
#define WAYS (sizeof(ways) / sizeof(*ways))

static void
add(struct lane *w, const struct way *y, int64_t *t)
{
	struct change *c = &w->v[w->n++];

	*t +=
	    (int64_t)next(w, next(w, y->rare) == 0 ? y->many + 1 : y->few + 1);
	c->t = *t;
	c->state = (uint16_t)(y->turns > 0 && w->n % 2 == 0
				  ? y->turns - 1
				  : y->from + next(w, y->states));
	assert_int_equal(lod_append(&w->lod, &w->env, c->t, c->state,
			     (uint32_t)(w->n % 5 == 0 ? w->n : 0)),
	    0);
}

/* only: one way all along; WAYS: by turns. */
static struct lane *
lane_make(uint64_t seed, size_t only)
{
	struct lane *w = calloc(1, sizeof(*w));
	int64_t t = 500;

	assert_non_null(w);
	w->seed = seed;
	for (uint32_t i = 0; i < STATES; i++)
		w->states[i] = (struct lod_state){ .name = i % 23,
			.class = (uint8_t)(i % LOD_PLACES),
			.fresh = i % 3 != 0 };
	w->env =
	    (struct lod_env){ w->states, &w->bytes, &w->retired, &w->store };
	lod_init(&w->lod, LOD_OF_THREAD);
	while (w->n < CHANGES) {
		size_t way = only < WAYS ? only : next(w, WAYS);

		for (uint64_t k = 20 + next(w, 400); k > 0 && w->n < CHANGES;
		     k--)
			add(w, &ways[way], &t);
		retired_sweep(&w->retired);
	}
	return (w);
}

static void
lane_free(struct lane *w)
{
	lod_clear(&w->lod);
	lod_store_clear(&w->store);
	retired_clear(&w->retired);
	free(w);
}

static void
same_pieces(struct lane *w)
{
	struct lod_cursor c;
	struct lod_piece p;
	size_t i;

	assert_int_equal(lod_seek(&w->lod, INT64_MIN, &c), 1);
	for (i = 0; lod_next(&w->lod, &c, &p); i++) {
		assert_int_equal(p.t0_ns, w->v[i].t);
		assert_int_equal(p.state, w->v[i].state);
		assert_int_equal(p.id, (i + 1) % 5 == 0 ? i + 1 : 0);
	}
	assert_int_equal(i, w->n);
}

/* By class, and how many begin. */
static void
brute(const struct lane *w, int64_t t0, int64_t t1, int64_t end,
    int64_t by_class[LOD_CLASSES], uint64_t *spans)
{
	memset(by_class, 0, LOD_CLASSES * sizeof(*by_class));
	*spans = 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct lod_state *s = &w->states[w->v[i].state];
		int64_t a = w->v[i].t;
		int64_t b = i + 1 < w->n ? w->v[i + 1].t : end;

		*spans += s->fresh != 0 && a >= t0 && a < t1;
		a = a < t0 ? t0 : a;
		b = b > t1 ? t1 : b;
		by_class[s->class] += b > a ? b - a : 0;
	}
}

static void
same_totals(struct lane *w)
{
	int64_t want[LOD_CLASSES], got[LOD_CLASSES], t0, t1;
	int64_t end = w->v[w->n - 1].t + 100;
	uint64_t spans, told;

	for (int r = 0; r < 30; r++) {
		size_t i = next(w, w->n), j = i + next(w, w->n - i);

		t0 = w->v[i].t + (r % 2);
		t1 = r % 3 == 0 ? end : w->v[j].t + (r % 5);
		memset(got, 0, sizeof(got));
		told = 0;
		brute(w, t0, t1, end, want, &spans);
		assert_true(totals_by_class(&w->lod, w->states, t0, t1, end,
		    got, &told));
		assert_memory_equal(want, got, sizeof(want));
		assert_int_equal(told, t1 > t0 ? spans : 0);
	}
}

/* Pixels of some of the changes, of a lane by itself. */
static void
same_shares(struct lane *w)
{
	enum {
		PX = 40
	};
	int64_t want[LOD_CLASSES], end = w->v[w->n - 1].t + 100, t0, t1, a, b;
	uint8_t share[PX * LOD_CLASSES];
	uint64_t spans, d;

	for (int r = 0; r < 10; r++) {
		size_t i = next(w, w->n - 2000);

		t0 = w->v[i].t + 1;
		t1 = w->v[i + 20 + next(w, 1900)].t + PX;
		lod_shares(&w->lod, w->states, t0, t1, PX, 0, PX, end, share,
		    NULL);
		d = (uint64_t)(t1 - t0);
		for (unsigned x = 0; x < PX; x++) {
			a = t0 + (int64_t)(d / PX * x + d % PX * x / PX);
			b = t0 +
			    (int64_t)(d / PX * (x + 1) + d % PX * (x + 1) / PX);
			brute(w, a, b, end, want, &spans);
			for (int c = 0; c < LOD_CLASSES; c++)
				assert_true(
				    fabs((double)want[c] * 255 /
					     (double)(b - a) -
					 share[x * LOD_CLASSES + c]) < 2.01);
		}
	}
}

static void
each_way_comes_out_again(void **state)
{
	struct lane *w;

	(void)state;
	for (size_t way = 0; way < WAYS; way++) {
		w = lane_make(way + 1, way);
		same_pieces(w);
		same_totals(w);
		same_shares(w);
		lane_free(w);
	}
}

static void
one_way_after_another_too(void **state)
{
	struct lane *w;

	(void)state;
	for (uint64_t seed = 100; seed < 108; seed++) {
		w = lane_make(seed, WAYS);
		same_pieces(w);
		same_totals(w);
		same_shares(w);
		lane_free(w);
	}
}

/* Bytes of the packed leaves of one way, a change. */
static double
leaf_bytes(const char *name)
{
	struct lane *w;
	const struct lod_leaf *leaf;
	size_t way = 0, bytes = 0, n = 0;

	while (strcmp(ways[way].name, name) != 0)
		way++;
	w = lane_make(3, way);
	for (uint32_t i = 0; i < atomic_load(&w->lod.nleaves); i++) {
		leaf = lod_leaf_at(&w->lod, i);
		if (leaf == NULL || !leaf->packed)
			continue;
		bytes += lod_leaf_bytes(leaf);
		n += leaf->n;
	}
	lane_free(w);
	assert_true(n > CHANGES * 3 / 4);
	return ((double)bytes / (double)n);
}

/*
 * A leaf has 20 bytes besides, and 33 for its numbers.  What is told of a
 * change are few bits of a place where calls take turns with pauses, and of a
 * time as many as the longest has only where it is long itself.
 */
static void
leaves_are_small(void **state)
{
	static const struct {
		const char *name;
		double places, times; /* bits of a change, at most */
		double list;          /* bytes of one */
	} cases[] = {
		{ "one state", 0, 10, 0 },
		{ "calls and pauses", 4 / 2.0, (8 + 17) / 2.0, 0 },
		{ "nested", 6, (8 + 16) / 2.0, 0 },
		{ "more than a list has", 6, 9, 2 },
	};
	double most;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		most = (20 + 33) / (double)LOD_LEAF + cases[i].list +
		       (cases[i].places + cases[i].times) / 8;
		assert_true(leaf_bytes(cases[i].name) < most);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_way_comes_out_again),
		cmocka_unit_test(one_way_after_another_too),
		cmocka_unit_test(leaves_are_small),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
