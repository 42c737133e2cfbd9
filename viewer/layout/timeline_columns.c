/*
 * Columns that are kept.
 *
 * While a run grows only what is behind its last event can still change, but
 * for late events, of which the model tells.  So a lane's columns up to there
 * stay, move along when the view has moved by whole pixels, and only the rest
 * is asked for.  Of a run that stands still all columns stay.
 *
 * A coarse picture is made of what there is: the columns of the last exact one,
 * stretched, and beyond them an eighth of the columns, made wide.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/timeline_inside.h"

static struct timeline_columns *
columns_new(int32_t n)
{
	size_t head = sizeof(struct timeline_columns);
	struct timeline_columns *c =
	    calloc(1, head + (size_t)n * (sizeof(*c->name) + LANE_CLASSES));

	if (c == NULL)
		return (NULL);
	c->n = n;
	c->name = (uint32_t *)(void *)(c + 1);
	c->share = (uint8_t *)(c->name + n);
	return (c);
}

/* By how many pixels the view has moved on; -1: not so that they can stay. */
static int32_t
columns_shift(const struct timeline_draw *d, const struct timeline_columns *c)
{
	int64_t span = d->v->t1_mon_ns - d->v->t0_mon_ns, each = span / c->n;
	int64_t moved = d->v->t0_mon_ns - c->t0_mon_ns;

	if (c->t1_mon_ns - c->t0_mon_ns != span || c->version != d->version)
		return (-1);
	if (moved == 0)
		return (0);
	if (each == 0 || span % c->n != 0 || moved % each != 0 || moved < 0 ||
	    moved >= span)
		return (-1);
	return ((int32_t)(moved / each));
}

/* How many columns end before what can still change. */
static int32_t
columns_final(const struct timeline_draw *d)
{
	double span = (double)(d->v->t1_mon_ns - d->v->t0_mon_ns), n;

	if (d->final_mon_ns >= d->v->t1_mon_ns)
		return (d->v->width);
	n = ((double)d->final_mon_ns - (double)d->v->t0_mon_ns) / span *
	    d->v->width;
	return (n < 1 ? 0 : (int32_t)n - 1); /* what is rounded is less */
}

#define WIDE 8 /* px of a coarse column */

/* Which of the columns of c shows the middle of pixel x; -1: none. */
static int32_t
column_of(const struct timeline_draw *d, const struct timeline_columns *c,
    int32_t x)
{
	double each = (double)(d->v->t1_mon_ns - d->v->t0_mon_ns) / d->v->width;
	double span = (double)(c->t1_mon_ns - c->t0_mon_ns);
	double t = (double)(d->v->t0_mon_ns - c->t0_mon_ns) + each * (x + 0.5);

	return (t < 0 || t >= span ? -1 : (int32_t)(t * c->n / span));
}

/* Column x of `to` becomes what the wide ones are there. */
static void
columns_widen(struct timeline_columns *to, const struct timeline_columns *from,
    int32_t x)
{
	int32_t at = x / WIDE < from->n ? x / WIDE : from->n - 1;

	memcpy(to->share + (size_t)x * LANE_CLASSES,
	    from->share + (size_t)at * LANE_CLASSES, LANE_CLASSES);
	to->name[x] = from->name[at];
}

/* What is kept stays kept, for the exact picture and the next coarse one. */
static const struct timeline_columns *
columns_coarse(struct timeline_draw *d, uint32_t lane,
    const struct timeline_columns *kept)
{
	int32_t w = d->v->width, at;
	struct timeline_columns *c = d->spare, *wide = NULL;

	if (c == NULL || c->n != w) {
		free(c);
		c = d->spare = columns_new(w);
	}
	if (c == NULL)
		return (NULL);
	for (int32_t x = 0; x < w; x++) {
		at = kept == NULL ? -1 : column_of(d, kept, x);
		if (at >= 0) {
			memcpy(c->share + (size_t)x * LANE_CLASSES,
			    kept->share + (size_t)at * LANE_CLASSES,
			    LANE_CLASSES);
			c->name[x] = kept->name[at];
			continue;
		}
		if (wide == NULL) {
			wide = columns_new((w + WIDE - 1) / WIDE);
			if (wide == NULL)
				return (NULL);
			model_lane_pixels(d->m, lane, d->v->t0_mon_ns,
			    d->v->t1_mon_ns, (unsigned)wide->n, 0, wide->share,
			    wide->name);
		}
		columns_widen(c, wide, x);
	}
	free(wide);
	c->lane = UINT32_MAX; /* nobody's */
	c->final = 0;
	return (c);
}

const struct timeline_columns *
timeline_columns(struct timeline_draw *d, uint32_t lane, bool kept)
{
	struct timeline_columns **at =
	    kept ? &d->l->kept[lane % TIMELINE_KEPT] : &d->spare;
	struct timeline_columns *c = *at;
	int32_t w = d->v->width, by = -1, keep = 0;
	bool its = c != NULL && c->lane == lane && c->model == d->m;

	if (d->v->coarse && !(its && c->n == w && columns_shift(d, c) >= 0))
		return (columns_coarse(d, lane, kept && its ? c : NULL));
	if (c == NULL || c->n != w) {
		free(c);
		c = *at = columns_new(w);
	} else if (its) {
		by = columns_shift(d, c);
	}
	if (c == NULL)
		return (NULL);
	if (by >= 0 && c->final > by)
		keep = c->final - by;
	if (by > 0 && keep > 0) {
		memmove(c->share, c->share + (size_t)by * LANE_CLASSES,
		    (size_t)keep * LANE_CLASSES);
		memmove(c->name, c->name + by, (size_t)keep * sizeof(*c->name));
	}
	model_lane_pixels(d->m, lane, d->v->t0_mon_ns, d->v->t1_mon_ns,
	    (unsigned)w, (unsigned)keep, c->share, c->name);
	c->model = d->m;
	c->lane = lane;
	c->t0_mon_ns = d->v->t0_mon_ns;
	c->t1_mon_ns = d->v->t1_mon_ns;
	c->version = d->version;
	c->final = columns_final(d);
	return (c);
}

void
timeline_columns_free(struct timeline_layout *l)
{
	for (int i = 0; i < TIMELINE_KEPT; i++) {
		free(l->kept[i]);
		l->kept[i] = NULL;
	}
}
