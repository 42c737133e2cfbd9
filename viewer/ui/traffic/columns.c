/*
 * Adds what lasts to columns of time.
 *
 * What lasts is known at its ends alone: it adds a part to the first and to the
 * last column that it lies in; of all those between only the changes are noted,
 * until everything has been added.
 */
#include "columns.h"

void
columns_add(const struct time_columns *k, int64_t a, int64_t b, double much)
{
	double scale = k->n / (double)(k->t1 - k->t0), x, y;
	unsigned first, last;

	a = a < k->t0 ? k->t0 : a;
	b = b > k->t1 ? k->t1 : b;
	if (b <= a)
		return;
	x = (double)(a - k->t0) * scale;
	y = (double)(b - k->t0) * scale;
	first = x < k->n - 1 ? (unsigned)x : k->n - 1;
	last = y < k->n ? (unsigned)y : k->n;
	if (first == last) {
		k->v[first] += (y - x) * much;
		return;
	}
	k->v[first] += (first + 1 - x) * much;
	k->v[last] += (y - last) * much;
	k->change[first + 1] += much;
	k->change[last] -= much;
}

void
columns_end(const struct time_columns *k)
{
	double now = 0;

	for (unsigned i = 0; i < k->n; i++) {
		now += k->change[i];
		k->v[i] += now;
	}
}
