/*
 * Of many lanes it does not matter which of them was in a class, only how many
 * were.  So a change is noted where it happens, in two numbers: that one more
 * lane is in the class from then on, and when.  With N the lanes that have come
 * by the end of a pixel, less those that have left, and S the sum of the times
 * when they did, they have been in the class for N * end - S up to there; what
 * a pixel has is the difference to the one before.  Exact to the ns, whatever
 * the number of lanes and changes, and a change costs the same whether the next
 * one is in the same pixel or a thousand further on.
 *
 * Sums of times overflow; differences of what they are good for do not, and
 * that is all that counts modulo 2^64.
 */
#include "model/lodsteps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
lod_steps_init(struct lod_steps *s, int64_t t0, int64_t t1, unsigned n)
{
	uint64_t each = (uint64_t)(t1 - t0) / n, rest = (uint64_t)(t1 - t0) % n;

	memset(s, 0, sizeof(*s));
	s->t0_ns = t0;
	s->scale = (double)n / (double)(t1 - t0);
	s->n = n;
	s->edge = malloc((n + 2ull) * sizeof(*s->edge));
	s->row = calloc((n + 1ull) * (LOD_CLASSES + 1), sizeof(*s->row));
	if (s->edge == NULL || s->row == NULL) {
		lod_steps_clear(s);
		errno = ENOMEM;
		return (-1);
	}
	for (uint64_t i = 0; i <= n; i++)
		s->edge[i] = t0 + (int64_t)(each * i + rest * i / n);
	s->edge[n + 1] = INT64_MAX;
	return (0);
}

void
lod_steps_clear(struct lod_steps *s)
{
	free(s->edge);
	free(s->row);
	s->edge = NULL;
	s->row = NULL;
}

/* Of one class. */
static void
row_end(const struct lod_steps *s, unsigned class, unsigned first,
    unsigned until, uint32_t *sum)
{
	const struct lod_step *row = lod_steps_row(s, class);
	uint64_t ns = 0, before = 0, now, dur;
	uint32_t n = 0;

	for (unsigned i = first; i < until; i++) {
		n += row[i].n;
		ns += row[i].ns;
		now = n * (uint64_t)s->edge[i + 1] - ns;
		dur = (uint64_t)(s->edge[i + 1] - s->edge[i]);
		if (now != before)
			sum[(size_t)i * LOD_CLASSES + class] +=
			    (uint32_t)((double)(now - before) * LOD_FULL /
					   (double)dur +
				       0.5);
		before = now;
	}
}

void
lod_steps_end(const struct lod_steps *s, unsigned first, unsigned until,
    uint32_t *sum)
{
	for (unsigned c = 0; c < LOD_CLASSES; c++)
		if (s->classes & 1u << c)
			row_end(s, c, first, until, sum);
}
