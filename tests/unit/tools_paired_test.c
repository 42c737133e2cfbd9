/* What can be said of two series in pairs, and what cannot. */
#include "tests/check.h"

#include <math.h>

#include "tests/rnd.h"
#include "tools/run/paired.h"

static void
figures_are_those_of_the_books(void **state)
{
	/* Student's sleep data: t interval 0.70 to 2.46, p = 0.00391 by rank */
	static const double a[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8,
		0.0, 2.0 };
	static const double b[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6,
		4.6, 3.4 };
	double x[10], y[10];
	struct paired p;

	(void)state;
	for (int i = 0; i < 10; i++) {
		x[i] = exp(a[i]);
		y[i] = exp(b[i]);
	}
	assert_int_equal(paired(x, y, 10, &p), 0);
	assert_true(fabs(log(p.ratio) - 1.58) < 1e-9);
	assert_true(fabs(log(p.low) - 0.7001) < 1e-3);
	assert_true(fabs(log(p.high) - 2.4599) < 1e-3);
	assert_true(fabs(p.p - 0.00390625) < 1e-9);
	assert_int_equal(p.verdict, PAIRED_MORE);
	assert_int_equal(paired(y, x, 10, &p), 0);
	assert_int_equal(p.verdict, PAIRED_LESS);
}

static void
few_pairs_say_nothing(void **state)
{
	static const double a[] = { 1, 1, 1, 1, 1 }, b[] = { 2, 2, 2, 2, 2 };
	struct paired p;

	(void)state;
	/* five of one sign are 1 in 16, at best */
	for (size_t n = 1; n <= 5; n++) {
		assert_int_equal(paired(a, b, n, &p), 0);
		assert_int_equal(p.verdict, PAIRED_CANNOT_TELL);
	}
	assert_int_equal(paired(a, a, 5, &p), 0);
	assert_true(p.p == 1 && p.ratio == 1);
}

/* Of 2,000 comparisons of a noisy program with itself few say something. */
static void
a_program_beside_itself_is_seldom_slower(void **state)
{
	double a[10], b[10];
	struct paired p;
	unsigned said = 0, missed = 0;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		for (int i = 0; i < 10; i++) {
			double machine = 1 + (double)(rnd() % 100) / 100;

			a[i] = machine * (1 + (double)(rnd() % 100) / 900);
			b[i] = machine * (1 + (double)(rnd() % 100) / 900);
		}
		assert_int_equal(paired(a, b, 10, &p), 0);
		said += p.verdict != PAIRED_CANNOT_TELL;
		for (int i = 0; i < 10; i++)
			b[i] *= 1.15;
		assert_int_equal(paired(a, b, 10, &p), 0);
		missed += p.verdict != PAIRED_MORE;
	}
	assert_in_range(said, 20, 110); /* 5 % and less */
	assert_true(missed < 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_those_of_the_books),
		cmocka_unit_test(few_pairs_say_nothing),
		cmocka_unit_test(a_program_beside_itself_is_seldom_slower),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
