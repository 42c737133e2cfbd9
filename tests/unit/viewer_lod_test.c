/* The level-of-detail tree against counting by hand. */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/keep/retired.h"
#include "model/lod/lod.h"
#include "model/lod/lodsteps.h"
#include "model/lod/lodstore.h"
#include "tests/unit/lod_totals.h"

#define STATES 40

struct change {
	int64_t t;
	uint16_t state;
};

struct world {
	struct lod lod;
	struct lod_state states[STATES];
	_Atomic uint64_t bytes;
	struct lod_env env;
	struct retired retired;
	struct lod_store store;
	enum lod_kind kind;
	struct change *v;
	size_t n;
	uint64_t seed;
};

static uint64_t
next(struct world *w)
{
	w->seed = w->seed * 6364136223846793005ull + 1442695040888963407ull;
	return (w->seed >> 33);
}

/* Those that a lane of a thread may have, or of an object. */
static uint8_t
class_of(uint64_t seed, uint32_t state)
{
	static const uint8_t object[] = { 0, 9, 10, 11, 12, 13, 14, 15 };

	return (
	    seed % 2 == 0 ? object[state % 8] : (uint8_t)(state % LOD_PLACES));
}

/* Of each third change, in some stretches of few. */
static uint32_t
number_of(size_t i)
{
	return ((
	    uint32_t)(i % 3 == 0 && (i / 640 % 2 == 0 || i % 33 == 0) ? i : 0));
}

/* n changes: bursts, pauses, some of them of many seconds, and ties. */
static void
world_make(struct world *w, size_t n, uint64_t seed)
{
	int64_t t = 1000;

	memset(w, 0, sizeof(*w));
	w->seed = seed;
	for (uint32_t i = 0; i < STATES; i++)
		w->states[i] = (struct lod_state){ .name = i % 7,
			.class = class_of(seed, i),
			.fresh = i & 1 };
	w->env =
	    (struct lod_env){ w->states, &w->bytes, &w->retired, &w->store };
	w->kind = seed % 2 == 0 ? LOD_OF_OBJECT : LOD_OF_THREAD;
	lod_init(&w->lod, w->kind);
	w->v = calloc(n, sizeof(*w->v));
	w->n = n;
	for (size_t i = 0; i < n; i++) {
		uint64_t kind = next(w) % 1000;

		t += kind == 0   ? (int64_t)(next(w) % 9000000000ull)
		     : kind < 50 ? 0
				 : (int64_t)(next(w) % 5000);
		w->v[i].t = t;
		w->v[i].state = (uint16_t)(next(w) % STATES);
		assert_int_equal(lod_append(&w->lod, &w->env, t, w->v[i].state,
				     number_of(i)),
		    0);
	}
}

static void
world_free(struct world *w)
{
	lod_clear(&w->lod);
	lod_store_clear(&w->store);
	retired_clear(&w->retired);
	free(w->v);
}

static void
brute(const struct world *w, int64_t t0, int64_t t1, int64_t end,
    int64_t by_class[LOD_CLASSES], uint64_t *spans)
{
	memset(by_class, 0, LOD_CLASSES * sizeof(*by_class));
	*spans = 0;
	for (size_t i = 0; i < w->n; i++) {
		int64_t a = w->v[i].t, b = i + 1 < w->n ? w->v[i + 1].t : end;

		if (w->v[i].state % 2 == 1 && a >= t0 && a < t1)
			++*spans;
		a = a < t0 ? t0 : a;
		b = b > t1 ? t1 : b;
		if (b > a)
			by_class[w->states[w->v[i].state].class] += b - a;
	}
}

/* More are only said to begin when they do; seldom is it left unsaid. */
static void
many_is_certain(const struct world *w, int64_t t0, int64_t t1, uint64_t begin)
{
	assert_false(lod_many_begin(&w->lod, t0, t1, begin));
	for (uint64_t most = 0; most < begin; most += begin / 7 + 1)
		if (begin - most > 4 * LOD_LEAF)
			assert_true(lod_many_begin(&w->lod, t0, t1, most));
}

static void
totals_equal_counting(void **state)
{
	static const size_t sizes[] = { 1, 2, 8, 9, 64, 65, 300, 4097, 20000 };
	struct world w;

	(void)state;
	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
		world_make(&w, sizes[k], k + 1);
		int64_t first = w.v[0].t, end = w.v[w.n - 1].t + 5000;

		for (int r = 0; r < 60; r++) {
			int64_t want[LOD_CLASSES], got[LOD_CLASSES] = { 0 };
			uint64_t ws, gs = 0;
			int64_t t0 =
			    first - 100 +
			    (int64_t)(next(&w) % (uint64_t)(end - first + 200));
			int64_t t1 =
			    t0 + (int64_t)(next(&w) %
					   (uint64_t)(end - first + 200)) /
				     (1 << r % 20);

			if (r == 0)
				t0 = first - 1, t1 = end + 1;
			if (r % 3 == 1) { /* on the changes themselves */
				t0 = w.v[next(&w) % w.n].t;
				t1 = w.v[next(&w) % w.n].t;
			}
			brute(&w, t0, t1, end, want, &ws);
			totals_by_class(&w.lod, w.states, t0, t1, end, got,
			    &gs);
			assert_memory_equal(want, got, sizeof(want));
			if (t1 > t0)
				assert_int_equal(ws, gs);
			many_is_certain(&w, t0, t1, t1 > t0 ? ws : 0);
		}
		world_free(&w);
	}
}

static void
shares_are_within_one(void **state)
{
	static const unsigned widths[] = { 1, 7, 100, 333 };
	struct world w;
	uint64_t sum[333 * LOD_CLASSES];
	struct lod_steps steps;

	(void)state;
	world_make(&w, 30000, 99);
	int64_t first = w.v[0].t, end = w.v[w.n - 1].t + 7;

	for (int r = 0; r < 20; r++) {
		unsigned n = widths[r % 4];
		int64_t t0 =
		    first + (int64_t)(next(&w) % (uint64_t)(end - first));
		int64_t t1 = t0 + (end - t0) / (1 << r) + (int64_t)n;

		if (r >= 16) /* more pixels than ns */
			t1 = t0 + (int64_t)n / 3 + 1;
		memset(sum, 0, sizeof(sum));
		assert_int_equal(lod_steps_init(&steps, t0, t1, n), 0);
		lod_pixels(&w.lod, w.states, t0, t1, n, 0, n, end, sum,
		    r % 3 == 0 ? NULL : &steps, NULL, NULL);
		lod_steps_end(&steps, 0, n, sum);
		lod_steps_clear(&steps);
		for (unsigned i = 0; i < n; i++) {
			int64_t want[LOD_CLASSES];
			uint64_t spans, d = (uint64_t)(t1 - t0);
			int64_t a = t0 + (int64_t)(d / n * i + d % n * i / n);
			int64_t b = t0 + (int64_t)(d / n * (i + 1) +
						   d % n * (i + 1) / n);

			brute(&w, a, b, end, want, &spans);
			for (int c = 0; b > a && c < LOD_CLASSES; c++) {
				double x =
				    (double)want[c] * 255 / (double)(b - a);
				double y = sum[i * LOD_CLASSES + c] / 256.0;

				/* a step of a node, half of a pixel */
				assert_true(x - y < 1.51 && y - x < 1.51);
			}
		}
	}
	world_free(&w);
}

/* ns in [t0, t1) of the name that has most of it. */
static uint64_t
brute_name(const struct world *w, int64_t t0, int64_t t1, int64_t end,
    uint64_t ns[7])
{
	uint64_t most = 0;

	memset(ns, 0, 7 * sizeof(*ns));
	for (size_t i = 0; i < w->n && w->v[i].t < t1; i++) {
		int64_t a = w->v[i].t, b = i + 1 < w->n ? w->v[i + 1].t : end;
		uint32_t name = w->states[w->v[i].state].name;

		a = a < t0 ? t0 : a;
		b = b > t1 ? t1 : b;
		ns[name] += b > a && name != 0 ? (uint64_t)(b - a) : 0;
		most = ns[name] > most ? ns[name] : most;
	}
	return (most);
}

#define LANES 5

/* Of lanes of every density: their sums, and a name that one has most of. */
static void
many_are_their_sum(void **state)
{
	enum {
		PX = 150
	};
	uint32_t name[PX];
	uint64_t sum[PX * LOD_CLASSES], weight[PX], ns[7], most, own, spans, d;
	int64_t got[LOD_CLASSES], end, t0, t1, a, b;
	struct lod_steps steps;
	struct world w[LANES];

	(void)state;
	for (unsigned i = 0; i < LANES; i++)
		world_make(&w[i], 3000 + 40 * i, 11 + 2 * i);
	end = w[0].v[w[0].n - 1].t + 1000;
	for (unsigned r = 0; r < 12; r++) {
		/* of the last one half of the changes, down to two */
		t0 = w[0].v[w[0].n - 1 - (1500u >> r)].t + r;
		t1 = r % 4 == 3 ? end - 500 : end + 500;
		memset(sum, 0, sizeof(sum));
		memset(name, 0, sizeof(name));
		memset(weight, 0, sizeof(weight));
		assert_int_equal(lod_steps_init(&steps, t0, t1, PX), 0);
		for (unsigned i = 0; i < LANES; i++)
			lod_pixels(&w[i].lod, w[i].states, t0, t1, PX, 3,
			    PX - 2, end, sum, &steps, name, weight);
		lod_steps_end(&steps, 3, PX - 2, sum);
		lod_steps_clear(&steps);
		d = (uint64_t)(t1 - t0);
		for (unsigned x = 3; x < PX - 2; x++) {
			double want[LOD_CLASSES] = { 0 };

			a = t0 + (int64_t)(d * x / PX);
			b = t0 + (int64_t)(d * (x + 1) / PX);
			most = own = 0;
			for (unsigned i = 0; i < LANES; i++) {
				uint64_t m = brute_name(&w[i], a, b, end, ns);

				most = m > most ? m : most;
				m = ns[name[x]];
				own = m > own ? m : own;
				brute(&w[i], a, b, end, got, &spans);
				for (int c = 0; c < LOD_CLASSES; c++)
					want[c] += (double)got[c];
			}
			for (int c = 0; c < LOD_CLASSES; c++)
				assert_true(
				    fabs(want[c] / (double)(b - a) * 255 -
					 sum[x * LOD_CLASSES + c] / 256.0) <=
				    LANES * 1.51);
			assert_true(own + (uint64_t)(b - a) / 20 + 1 >= most);
			assert_true((name[x] == 0) == (most == 0));
		}
		for (unsigned x = 0; x < PX; x++)
			if (x < 3 || x >= PX - 2)
				assert_int_equal(name[x], 0);
	}
	for (unsigned i = 0; i < LANES; i++)
		world_free(&w[i]);
}

/* In one row: more of them than 32 bits of sums have room for. */
static void
very_many_lanes_have_room(void **state)
{
	enum {
		VERY_MANY = 70000
	};
	uint64_t sum[LOD_CLASSES] = { 0 };
	struct lod_steps steps;
	struct world w;

	(void)state;
	world_make(&w, 2, 5);
	int64_t end = w.v[1].t + 100;

	assert_int_equal(lod_steps_init(&steps, end - 50, end, 1), 0);
	for (int i = 0; i < VERY_MANY; i++)
		lod_pixels(&w.lod, w.states, end - 50, end, 1, 0, 1, end, sum,
		    i % 2 == 0 ? &steps : NULL, NULL, NULL);
	lod_steps_end(&steps, 0, 1, sum);
	lod_steps_clear(&steps);
	assert_int_equal(sum[w.states[w.v[1].state].class],
	    (uint64_t)VERY_MANY * LOD_FULL);
	world_free(&w);
}

static void
pieces_come_back(void **state)
{
	struct world w;
	struct lod_cursor c;
	struct lod_piece p;
	size_t i;

	(void)state;
	world_make(&w, 5000, 3);
	assert_int_equal(lod_seek(&w.lod, INT64_MIN, &c), 1);
	for (i = 0; lod_next(&w.lod, &c, &p); i++) {
		assert_int_equal(p.t0_ns, w.v[i].t);
		assert_int_equal(p.state, w.v[i].state);
		assert_int_equal(p.id, number_of(i));
		assert_int_equal(p.t1_ns,
		    i + 1 < w.n ? w.v[i + 1].t : INT64_MAX);
	}
	assert_int_equal(i, w.n);
	for (int r = 0; r < 200; r++) {
		size_t at = next(&w) % (w.n - 1);

		if (w.v[at].t == w.v[at + 1].t)
			continue;
		assert_int_equal(lod_seek(&w.lod, w.v[at + 1].t - 1, &c), 1);
		assert_int_equal(lod_next(&w.lod, &c, &p), 1);
		assert_int_equal(p.t0_ns, w.v[at].t);
	}
	world_free(&w);
}

static void
a_change_costs_few_bytes(void **state)
{
	struct world w;

	(void)state;
	world_make(&w, 1 << 18, 5);
	/* 33 bits of long pauses; half of it for numbers of each third */
	assert_true((double)w.bytes / (double)w.n < 9);
	world_free(&w);
}

static void
times_never_go_back(void **state)
{
	struct world w;
	struct lod_cursor c;
	struct lod_piece p;

	(void)state;
	world_make(&w, 3, 8);
	assert_int_equal(lod_append(&w.lod, &w.env, 5, 1, 0), 0);
	assert_int_equal(lod_seek(&w.lod, INT64_MAX - 1, &c), 1);
	assert_int_equal(lod_next(&w.lod, &c, &p), 1);
	assert_int_equal(p.t0_ns, w.v[2].t);
	world_free(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_equal_counting),
		cmocka_unit_test(shares_are_within_one),
		cmocka_unit_test(many_are_their_sum),
		cmocka_unit_test(very_many_lanes_have_room),
		cmocka_unit_test(pieces_come_back),
		cmocka_unit_test(a_change_costs_few_bytes),
		cmocka_unit_test(times_never_go_back),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
