/*
 * Pascal's triangle as a task program (tasks.h).
 *
 * The numbers are futures: a task that needs one which is not there yet is
 * suspended, and goes on, perhaps on another PE, once the last digit has been
 * set.  So the rows advance as a wavefront: row k needs the numbers of row
 * k - 1.
 *
 * Only the left half of a row is computed; at the end the last row is filled
 * out by its mirror image.  Numbers have digits of radix 10^5.
 *
 *	go		makeRows(1)
 *	makeRows(k)	makeRow(k,0) and makeRows(k+1); at the end fillout
 *	makeRow(k,j)	bigPlus(k,j) and makeRow(k,j+1)
 *	bigPlus(k,j)	C(k+1,j+1) = C(k,j) + C(k,j+1), by bigp(0)
 *	bigp(i)		digit i: setc, and bigp(i+1) with the carry
 *	fillout		rev2 and append(0); rev2: rev3(0)
 *	rev3, append	one step along the row each
 *
 * N = 35 makes 2,235 tasks on 57 levels.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "arguments.h"
#include "tasks.h"

#define RADIX      100000
#define N_MAX      1000
#define DIGITS_MAX (N_MAX / 16 + 2)

/* C(n,k), set digit by digit. */
struct number {
	struct future there;
	uint32_t *digit;
};

static procedure_run go, make_rows, make_row, big_plus, bigp, setc, fillout,
    rev2, rev3, append;

enum {
	GO,
	MAKE_ROWS,
	MAKE_ROW,
	BIG_PLUS,
	BIGP,
	SETC,
	FILLOUT,
	REV2,
	REV3,
	APPEND,
	PROCEDURES
};
static struct procedure procedures[PROCEDURES] = {
	[GO] = { "go", go, 0 },
	[MAKE_ROWS] = { "makeRows", make_rows, 0 },
	[MAKE_ROW] = { "makeRow", make_row, 0 },
	[BIG_PLUS] = { "bigPlus", big_plus, 0 },
	[BIGP] = { "bigp", bigp, 0 },
	[SETC] = { "setc", setc, 0 },
	[FILLOUT] = { "fillout", fillout, 0 },
	[REV2] = { "rev2", rev2, 0 },
	[REV3] = { "rev3", rev3, 0 },
	[APPEND] = { "append", append, 0 },
};

static int n = 35, digits;
static struct number *triangle; /* rows 0..n, n / 2 + 1 numbers each */
static const uint32_t **row;    /* the answer: n + 1 numbers */

/* C(m,j), whose mirror image is C(m,m-j). */
static struct number *
number_at(int m, int j)
{
	if (j > m / 2)
		j = m - j;
	return (&triangle[m * (n / 2 + 1) + j]);
}

static void
call(struct pe *pe, int procedure, int k, int j, int i, uint32_t value)
{
	spawn(pe, &procedures[procedure],
	    (struct task){ .k = k, .j = j, .i = i, .value = value });
}

/* The procedures. */

static bool
go(struct pe *pe, struct task *t)
{
	(void)t;
	call(pe, MAKE_ROWS, 1, 0, 0, 0);
	return (true);
}

static bool
make_rows(struct pe *pe, struct task *t)
{
	if (t->k < n) {
		call(pe, MAKE_ROW, t->k, 0, 0, 0);
		call(pe, MAKE_ROWS, t->k + 1, 0, 0, 0);
	} else {
		call(pe, FILLOUT, 0, 0, 0, 0);
	}
	return (true);
}

static bool
make_row(struct pe *pe, struct task *t)
{
	int sums = (t->k + 1) / 2;

	if (t->j == sums)
		return (true);
	call(pe, BIG_PLUS, t->k, t->j, 0, 0);
	if (t->k % 2 == 0 || t->j < sums - 1)
		call(pe, MAKE_ROW, t->k, t->j + 1, 0, 0);
	return (true);
}

static bool
big_plus(struct pe *pe, struct task *t)
{
	for (; t->have < 2; t->have++)
		if (!await(pe, t, &number_at(t->k, t->j + t->have)->there))
			return (false);
	call(pe, BIGP, t->k, t->j, 0, 0);
	return (true);
}

static bool
bigp(struct pe *pe, struct task *t)
{
	uint32_t sum;

	if (t->i == digits)
		return (true);
	sum = number_at(t->k, t->j)->digit[t->i] +
	      number_at(t->k, t->j + 1)->digit[t->i] + t->value;
	call(pe, SETC, t->k, t->j, t->i, sum % RADIX);
	call(pe, BIGP, t->k, t->j, t->i + 1, sum / RADIX);
	return (true);
}

static bool
setc(struct pe *pe, struct task *t)
{
	struct number *x = number_at(t->k + 1, t->j + 1);

	x->digit[t->i] = t->value;
	future_set(pe, &x->there);
	return (true);
}

static bool
fillout(struct pe *pe, struct task *t)
{
	(void)t;
	call(pe, REV2, 0, 0, 0, 0);
	call(pe, APPEND, 0, 0, 0, 0);
	return (true);
}

static bool
rev2(struct pe *pe, struct task *t)
{
	(void)t;
	call(pe, REV3, 0, 0, 0, 0);
	return (true);
}

/* The right half, from its end. */
static bool
rev3(struct pe *pe, struct task *t)
{
	if (t->i > n / 2)
		return (true);
	if (!await(pe, t, &number_at(n, t->i)->there))
		return (false);
	if (t->i < n - t->i)
		row[n - t->i] = number_at(n, t->i)->digit;
	call(pe, REV3, 0, 0, t->i + 1, 0);
	return (true);
}

/* The left half, from its beginning. */
static bool
append(struct pe *pe, struct task *t)
{
	if (t->i > n / 2)
		return (true);
	if (!await(pe, t, &number_at(n, t->i)->there))
		return (false);
	row[t->i] = number_at(n, t->i)->digit;
	call(pe, APPEND, 0, 0, t->i + 1, 0);
	return (true);
}

/* The same row without tasks, to compare with; sets digits. */
static uint32_t (*expected_row(void))[DIGITS_MAX]
{
	static uint32_t c[N_MAX + 1][DIGITS_MAX];
	uint32_t sum, carry;

	c[0][0] = 1;
	for (int m = 1; m <= n; m++)
		for (int j = m; j > 0; j--) {
			carry = 0;
			for (int d = 0; d < DIGITS_MAX; d++) {
				sum = c[j][d] + c[j - 1][d] + carry;
				c[j][d] = sum % RADIX;
				carry = sum / RADIX;
			}
		}
	for (digits = DIGITS_MAX; digits > 2; digits--)
		if (c[n / 2][digits - 1] != 0)
			break;
	return (c);
}

static void
print_number(const uint32_t *digit)
{
	int d = digits - 1;

	while (d > 0 && digit[d] == 0)
		d--;
	printf("%u", digit[d]);
	while (d-- > 0)
		printf("%05u", digit[d]);
}

static void
triangle_new(void)
{
	size_t numbers = (size_t)(n + 1) * (size_t)(n / 2 + 1);
	struct number *x;

	triangle = calloc(numbers, sizeof(*triangle));
	row = calloc((size_t)n + 1, sizeof(*row));
	if (triangle == NULL || row == NULL)
		err(EX_OSERR, "triangle");
	for (size_t i = 0; i < numbers; i++) {
		x = &triangle[i];
		/* the edge is all ones, and known */
		future_init(&x->there,
		    i % (size_t)(n / 2 + 1) == 0 ? 0 : digits);
		x->digit = calloc((size_t)digits, sizeof(*x->digit));
		if (x->digit == NULL)
			err(EX_OSERR, "triangle");
	}
	for (int m = 0; m <= n; m++)
		number_at(m, 0)->digit[0] = 1;
}

/* Prints the row and who made it; 0 if it is right. */
static int
report(uint32_t (*expected)[DIGITS_MAX])
{
	int wrong = 0;

	printf("row %d:", n);
	for (int j = 0; j <= n; j++) {
		putchar(' ');
		print_number(row[j]);
		wrong += memcmp(row[j], expected[j],
			     (size_t)digits * sizeof(**expected)) != 0;
	}
	putchar('\n');
	tasks_report();
	if (wrong != 0)
		warnx("%d numbers of the row are wrong", wrong);
	return (wrong);
}

static _Noreturn void
usage(int code)
{
	fprintf(code == 0 ? stdout : stderr,
	    "usage: pascal [--pes P] [--spin ITER] [--pace MS] [N]\n"
	    "Computes row N (35) of Pascal's triangle.\n" TASKS_USAGE);
	exit(code);
}

int
main(int argc, char **argv)
{
	uint32_t(*expected)[DIGITS_MAX];
	int used = tasks_options(argc, argv, usage);

	if (used < argc)
		n = (int)number_arg("N", argv[used++], 1, N_MAX);
	if (used < argc)
		usage(EX_USAGE);
	expected = expected_row();
	triangle_new();
	tasks_run(procedures, PROCEDURES, &procedures[GO]);
	return (report(expected) == 0 ? 0 : EX_SOFTWARE);
}
