/*
 * Shares of very many lanes together, pixel by pixel.
 *
 * Of many lanes it does not matter which of them was in a class, only how many
 * were.  So a piece is noted where it begins, in two numbers: that one more
 * lane is in the class from then on, and when; and taken off again where it
 * ends. With N the lanes that have come by the end of a pixel, less those that
 * have left, and S the sum of the times when they did, they have been in the
 * class for N * end - S up to there; what a pixel has is the difference to the
 * one before.  Exact to the ns, whatever the number of lanes, and a piece costs
 * the same whether it ends in the next pixel or a thousand further on.  One
 * within a pixel only makes S less by its length; and what is idle, mostly
 * about half of all pieces, is what the others leave over.
 *
 * Sums of times overflow; differences of what they are good for do not, and
 * that is all that counts modulo 2^64.
 */
#include "model/lod/lodsteps.h"

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

/* ns, of all lanes, in pixel i; the pixels come in their order. */
struct sweep {
	uint64_t ns, before;
	uint32_t n;
};

static uint64_t
sweep(struct sweep *w, const struct lod_step *row, unsigned i, int64_t edge)
{
	uint64_t now, was = w->before;

	w->n += row[i].n;
	w->ns += row[i].ns;
	now = w->n * (uint64_t)edge - w->ns;
	w->before = now;
	return (now - was);
}

static void
sum_add(const struct lod_steps *s, unsigned class, unsigned i, uint64_t ns,
    uint64_t *sum)
{
	double dur = (double)(s->edge[i + 1] - s->edge[i]);

	if (ns != 0)
		sum[(size_t)i * LOD_CLASSES + class] +=
		    (uint64_t)((double)ns * LOD_FULL / dur + 0.5);
}

void
lod_steps_end(struct lod_steps *s, unsigned first, unsigned until,
    uint64_t *sum)
{
	struct lod_step *idle = lod_steps_row(s, 0), *row;
	struct sweep w = { 0 };
	uint64_t ns;

	row = lod_steps_known(s);
	for (unsigned i = first; i < until; i++)
		idle[i].ns = sweep(&w, row, i, s->edge[i + 1]);
	for (unsigned c = 1; c < LOD_CLASSES; c++) {
		row = lod_steps_row(s, c);
		memset(&w, 0, sizeof(w));
		if (~s->classes & 1u << c)
			continue;
		for (unsigned i = first; i < until; i++) {
			ns = sweep(&w, row, i, s->edge[i + 1]);
			sum_add(s, c, i, ns, sum);
			idle[i].ns -= ns;
		}
	}
	for (unsigned i = first; i < until; i++)
		sum_add(s, 0, i, idle[i].ns, sum);
}
