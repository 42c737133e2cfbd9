/* Counters as curves, against every value that was added. */
#include "tests/check.h"
#include "tests/rnd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/curves/series.h"

#define VALUES 9000

struct told {
	int64_t t, v;
};
static struct told told[VALUES];
static size_t ntold;

static uint64_t
below(uint64_t n)
{
	return (rnd() % n);
}

static void
tell(struct series *s, _Atomic uint64_t *bytes, int64_t t, int64_t v)
{
	size_t i = ntold++;

	assert_int_equal(series_add(s, t, v, bytes), 0);
	for (; i > 0 && told[i - 1].t > t; i--)
		told[i] = told[i - 1];
	told[i] = (struct told){ t, v };
}

/* As the header says it, value by value. */
static void
brute(const struct series *s, int64_t t0, int64_t t1, struct series_stats *st)
{
	int64_t since = 0, at = 0, held = 0;
	bool before = false, exact = false;
	double area = 0;

	memset(st, 0, sizeof(*st));
	for (size_t i = 0; i < ntold; i++) {
		if (told[i].t < t0) {
			before = true;
			held = told[i].v;
		}
		exact |= told[i].t == t0;
	}
	if (before && !exact) {
		*st =
		    (struct series_stats){ true, 0, held, held, held, held, 0 };
		since = at = t0;
	}
	for (size_t i = 0; i < ntold; i++) {
		if (told[i].t < t0 || told[i].t >= t1)
			continue;
		if (!st->known) {
			st->first = st->min = st->max = told[i].v;
			since = at = told[i].t;
		}
		area += st->known ? series_number(s, st->last) *
					(double)(told[i].t - at)
				  : 0;
		st->known = true;
		st->n++;
		if (series_number(s, told[i].v) < series_number(s, st->min))
			st->min = told[i].v;
		if (series_number(s, told[i].v) > series_number(s, st->max))
			st->max = told[i].v;
		st->last = told[i].v;
		at = told[i].t;
	}
	if (!st->known)
		return;
	area += series_number(s, st->last) * (double)(t1 - at);
	st->mean = t1 > since ? area / (double)(t1 - since)
			      : series_number(s, st->last);
}

static void
compare(const struct series *s, int64_t t0, int64_t t1)
{
	struct series_stats is, should;

	series_stats(s, t0, t1, &is);
	brute(s, t0, t1, &should);
	assert_int_equal(is.known, should.known);
	if (!is.known)
		return;
	assert_int_equal(is.n, should.n);
	assert_int_equal(is.first, should.first);
	assert_int_equal(is.last, should.last);
	assert_int_equal(is.min, should.min);
	assert_int_equal(is.max, should.max);
	assert_true(
	    fabs(is.mean - should.mean) <= 1e-9 * (1 + fabs(should.mean)));
}

static void
fill(struct series *s, _Atomic uint64_t *bytes, size_t n, bool late)
{
	int64_t t = 1000;

	for (size_t i = 0; i < n; i++) {
		double real = (double)(int64_t)below(2000) / 8 - 100;
		int64_t v = (int64_t)below(2000) - 1000;

		if (s->real)
			memcpy(&v, &real, sizeof(v));
		t += (int64_t)below(5); /* some at the same time */
		tell(s, bytes,
		    late && below(20) == 0
			? 1000 + (int64_t)below((uint64_t)(t - 999))
			: t,
		    v);
	}
}

static void
check_ranges(bool real, bool late, size_t n)
{
	struct series s = { .real = real };
	_Atomic uint64_t bytes = 0;
	int64_t end;

	ntold = 0;
	fill(&s, &bytes, n, late);
	assert_int_equal(s.n, n);
	end = told[n - 1].t;
	compare(&s, INT64_MIN / 4, INT64_MAX / 4);
	compare(&s, 0, 1000);
	compare(&s, end, end + 1);
	compare(&s, end + 5, end + 9);
	for (int i = 0; i < 300; i++) {
		int64_t a = 990 + (int64_t)below((uint64_t)end),
			b = a + 1 + (int64_t)below((uint64_t)end);

		compare(&s, a, i % 3 == 0 ? a + 1 + (b - a) % 50 : b);
	}
	series_clear(&s);
}

static void
ranges_are_exact(void **state)
{
	(void)state;
	check_ranges(false, false, 10);
	check_ranges(false, false, VALUES);
	check_ranges(true, false, VALUES);
}

static void
late_values_are_where_they_belong(void **state)
{
	(void)state;
	check_ranges(false, true, VALUES);
	check_ranges(true, true, 3000);
}

/* A program that counts to a hundred million must not need gigabytes. */
static void
values_take_few_bytes(void **state)
{
	struct series s = { .real = false };
	_Atomic uint64_t bytes = 0;

	(void)state;
	for (int64_t i = 0; i < 64000; i++)
		assert_int_equal(series_add(&s, i * 100000000, i * 97, &bytes),
		    0);
	assert_true(bytes < 64000 * 9);
	series_clear(&s);
}

static void
columns_have_the_extremes_of_their_pixel(void **state)
{
	struct series s = { .real = false };
	struct series_column col[100];
	struct series_stats st;
	_Atomic uint64_t bytes = 0;
	int64_t t0 = 900, t1;

	(void)state;
	ntold = 0;
	fill(&s, &bytes, 5000, false);
	t1 = told[ntold - 1].t;
	t1 += (100 - (t1 - t0) % 100) % 100;
	series_columns(&s, false, t0, t1, 100, col);
	for (int i = 0; i < 100; i++) {
		int64_t step = (t1 - t0) / 100, a = t0 + i * step;

		brute(&s, a, a + step, &st);
		assert_int_equal(col[i].known, st.known);
		assert_true(!st.known || col[i].lo == (double)st.min);
		assert_true(!st.known || col[i].hi == (double)st.max);
		assert_true(!st.known || col[i].last == (double)st.last);
	}
	series_clear(&s);
}

static void
growth_lies_evenly_between_two_values(void **state)
{
	struct series s = { .real = false };
	struct series_column col[4];
	_Atomic uint64_t bytes = 0;
	double rate;

	(void)state;
	assert_false(series_rate(&s, 0, 100, &rate));
	assert_int_equal(series_add(&s, 0, 0, &bytes), 0);
	assert_int_equal(series_add(&s, 2000000000, 100, &bytes), 0);
	assert_int_equal(series_add(&s, 3000000000, 400, &bytes), 0);
	series_columns(&s, true, -1000000000, 3000000000, 4, col);
	assert_false(col[0].known);
	assert_true(col[1].known && col[1].lo == 50 && col[1].hi == 50);
	assert_true(col[2].known && col[2].last == 50);
	assert_true(col[3].known && col[3].lo == 300);
	assert_true(series_rate(&s, 1000000000, 5000000000, &rate));
	assert_true(rate == 87.5); /* behind the last value it grows no more */
	assert_true(series_rate(&s, -9000000000, 3000000000, &rate));
	assert_true(fabs(rate - 400 / 3.) < 1e-9);
	assert_false(series_rate(&s, -9, 0, &rate));
	series_clear(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_exact),
		cmocka_unit_test(late_values_are_where_they_belong),
		cmocka_unit_test(values_take_few_bytes),
		cmocka_unit_test(columns_have_the_extremes_of_their_pixel),
		cmocka_unit_test(growth_lies_evenly_between_two_values),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
