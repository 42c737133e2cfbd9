/*
 * Of the calls that are looked for the longest, as many as are kept: a heap
 * with the shortest of them on top, sorted when all has been looked at.
 */
#include <stdlib.h>
#include <string.h>

#include "model/asked/findcalls_inside.h"

/* Is a to be left out rather than b? */
static int
is_less(const struct found_call *a, const struct found_call *b)
{
	if (a->ns != b->ns)
		return (a->ns < b->ns);
	if (a->t0_mon_ns != b->t0_mon_ns)
		return (a->t0_mon_ns > b->t0_mon_ns);
	if (a->row != b->row)
		return (a->row > b->row);
	return (a->nth > b->nth);
}

static void
swap(struct found_call *a, struct found_call *b)
{
	struct found_call c = *a;

	*a = *b;
	*b = c;
}

static void
sink(struct found_call *v, size_t n, size_t i)
{
	for (size_t k; (k = 2 * i + 1) < n; i = k) {
		if (k + 1 < n && is_less(&v[k + 1], &v[k]))
			k++;
		if (!is_less(&v[k], &v[i]))
			return;
		swap(&v[k], &v[i]);
	}
}

void
find_keep(struct find_calls *f, const struct found_call *c)
{
	struct found_call *v = f->heap;
	size_t i = f->nheap;

	if (i == f->limit) {
		if (is_less(&v[0], c)) {
			v[0] = *c;
			sink(v, i, 0);
		}
		return;
	}
	v[f->nheap++] = *c;
	for (; i > 0 && is_less(&v[i], &v[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&v[i], &v[(i - 1) / 2]);
}

static int
by_length(const void *a, const void *b)
{
	return (is_less(a, b) - is_less(b, a));
}

void
find_sort(struct find_calls *f)
{
	qsort(f->heap, f->nheap, sizeof(*f->heap), by_length);
}

int64_t
find_quantile(const struct find_calls *f, unsigned mille)
{
	uint64_t rank = (f->n * mille + 999) / 1000;
	int64_t ns;

	if (rank == 0)
		return (0);
	if (f->n <= FOUND_MOST)
		return (f->heap[f->n - rank].ns);
	ns = durations_quantile(&f->all, mille);
	return (ns < f->heap[0].ns ? ns : f->heap[0].ns);
}

size_t
find_list(const struct find_calls *f, const struct found_call **out)
{
	*out = f->heap;
	return (f->nheap);
}

size_t
find_so_far(const struct find_calls *f, struct found_call *out, size_t max)
{
	size_t n = f->nheap < max ? f->nheap : max;
	struct found_call *all = malloc((f->nheap + 1) * sizeof(*all));

	if (all == NULL)
		return (0);
	memcpy(all, f->heap, f->nheap * sizeof(*all));
	qsort(all, f->nheap, sizeof(*all), by_length);
	memcpy(out, all, n * sizeof(*all));
	free(all);
	return (n);
}
