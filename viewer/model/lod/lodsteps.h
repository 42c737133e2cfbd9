/*
 * Shares of very many lanes together, pixel by pixel: what lodpixels.c does not
 * collect itself, see lodsteps.c.
 */
#ifndef VIEWER_LODSTEPS_H
#define VIEWER_LODSTEPS_H

#include "model/lod/lod.h"

/*
 * Lanes that come into a class within a pixel, less those that leave it.  (Were
 * both numbers of one size, they would be read as one and wait for each other.)
 */
struct lod_step {
	uint64_t ns; /* the sum of when */
	uint32_t n;  /* how many */
};

struct lod_steps {
	int64_t t0_ns;
	double scale; /* pixels a ns */
	unsigned n;
	uint32_t classes;     /* bit by bit: which have some */
	int64_t *edge;        /* of pixels, n + 2; the last: never */
	struct lod_step *row; /* of each class n + 1, and of all */
};

/* For n equal pixels of [t0, t1).  -1: ENOMEM.  O(n). */
int lod_steps_init(struct lod_steps *, int64_t t0, int64_t t1, unsigned n);
void lod_steps_clear(struct lod_steps *);
/* Adds what pixels first to until - 1 have to their sums, see lod_pixels(), and
 * is of no use afterwards. */
void lod_steps_end(struct lod_steps *, unsigned first, unsigned until,
    uint64_t *sum);

/* Where the pieces of a class go; there is no need to tell of class 0. */
static inline struct lod_step *
lod_steps_row(const struct lod_steps *s, unsigned class)
{
	return (s->row + class * (s->n + 1ull));
}

/* Where those of any class go; what has no other is of class 0. */
static inline struct lod_step *
lod_steps_known(const struct lod_steps *s)
{
	return (lod_steps_row(s, LOD_CLASSES));
}

/* The pixel of t, which is within [t0, t1]; of t1 it is n. */
static inline unsigned
lod_steps_at(const struct lod_steps *s, int64_t t)
{
	unsigned i = (unsigned)((double)(t - s->t0_ns) * s->scale);

	/* what is rounded is off by one at most */
	i = i > s->n ? s->n : i;
	i += t >= s->edge[i + 1];
	return (i - (t < s->edge[i]));
}

/* From a, in pixel i, to b, in pixel j; in one: its ns less b - a will do. */
static inline void
lod_step_piece(struct lod_step *row, unsigned i, int64_t a, unsigned j,
    int64_t b)
{
	row[i].n++;
	row[i].ns += (uint64_t)a;
	row[j].n--;
	row[j].ns -= (uint64_t)b;
}

#endif
