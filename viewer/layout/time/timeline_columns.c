/*
 * Columns that are kept.
 *
 * While a run grows only what is behind its last event can still change, but
 * for late events, of which the model tells.  So a lane's columns up to there
 * stay, move along when the view has moved by whole pixels, and only the rest
 * is asked for.  Of a run that stands still all columns stay.
 *
 * Of a lane in sight those of the last VIEWS lengths of time are kept, newest
 * first: who zooms in mostly zooms out again.
 *
 * A coarse picture is made of what there is: the columns of the last exact one,
 * stretched, and beyond them an eighth of the columns, made wide.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

#define VIEWS 12 /* of a lane: as many steps of zooming, or the latest */

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

#define NO_SHIFT INT32_MIN

/* By how many pixels the view has moved on; NO_SHIFT: they cannot stay. */
static int32_t
columns_shift(const struct timeline_draw *d, const struct timeline_columns *c,
    bool named)
{
	int64_t span = d->v->t1_mon_ns - d->v->t0_mon_ns, each = span / c->n;
	int64_t moved = d->v->t0_mon_ns - c->t0_mon_ns;

	if (c->t1_mon_ns - c->t0_mon_ns != span || c->version != d->version ||
	    c->named != named)
		return (NO_SHIFT);
	if (moved == 0)
		return (0);
	if (each == 0 || span % c->n != 0 || moved % each != 0 ||
	    moved <= -span || moved >= span)
		return (NO_SHIFT);
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
columns_coarse(struct timeline_draw *d, uint32_t lane, bool named,
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
			    d->v->t1_mon_ns, (unsigned)wide->n, 0,
			    (unsigned)wide->n, wide->share,
			    named ? wide->name : NULL);
		}
		columns_widen(c, wide, x);
	}
	free(wide);
	c->lane = UINT32_MAX; /* nobody's */
	c->final = 0;
	return (c);
}

/*
 * Columns that stay move to where they are now: [*from, *to).  by: pixels that
 * the view has moved on.
 */
static void
columns_move(struct timeline_columns *c, int32_t by, int32_t *from, int32_t *to)
{
	int32_t first = by > 0 ? by : 0; /* of those that stay, as it was */
	int32_t n =
	    (by < 0 && c->final > c->n + by ? c->n + by : c->final) - first;

	*from = first - by;
	*to = n > 0 ? *from + n : *from;
	if (by == 0 || n <= 0)
		return;
	memmove(c->share + (size_t)*from * LANE_CLASSES,
	    c->share + (size_t)first * LANE_CLASSES, (size_t)n * LANE_CLASSES);
	memmove(c->name + *from, c->name + first, (size_t)n * sizeof(*c->name));
}

static void
columns_ask(const struct timeline_draw *d, struct timeline_columns *c,
    uint32_t lane, int32_t from, int32_t to)
{
	model_lane_pixels(d->m, lane, d->v->t0_mon_ns, d->v->t1_mon_ns,
	    (unsigned)c->n, (unsigned)from, (unsigned)to, c->share,
	    c->named ? c->name : NULL);
}

/* All but the first so many. */
static void
columns_drop(struct timeline_columns **at, unsigned keep)
{
	struct timeline_columns *c = *at, *next;

	for (; c != NULL && keep > 0; keep--, c = next) {
		next = c->older;
		at = &c->older;
	}
	*at = NULL;
	for (; c != NULL; c = next) {
		next = c->older;
		free(c);
	}
}

static bool
columns_fit(const struct timeline_draw *d, const struct timeline_columns *c,
    uint32_t lane)
{
	return (c->lane == lane && c->model == d->m && c->n == d->v->width);
}

static void
columns_first(struct timeline_columns **at, struct timeline_columns **where)
{
	struct timeline_columns *c = *where;

	*where = c->older;
	c->older = *at;
	*at = c;
}

/* Those of this view come first; by how much it has moved, or NO_SHIFT. */
static int32_t
columns_find(const struct timeline_draw *d, struct timeline_columns **at,
    uint32_t lane, bool named)
{
	struct timeline_columns **c;
	int32_t by;

	for (c = at; *c != NULL && columns_fit(d, *c, lane); c = &(*c)->older) {
		by = columns_shift(d, *c, named);
		if (by == NO_SHIFT)
			continue;
		columns_first(at, c);
		return (by);
	}
	return (NO_SHIFT);
}

/* Those of a new view: the first of `most`, the oldest gives way. */
static struct timeline_columns *
columns_begin(const struct timeline_draw *d, struct timeline_columns **at,
    uint32_t lane, unsigned most)
{
	struct timeline_columns **c, *new;
	unsigned n = 0;

	if (*at != NULL && !columns_fit(d, *at, lane))
		columns_drop(at, 0);
	for (c = at; *c != NULL && ++n < most && (*c)->version == d->version;)
		c = &(*c)->older;
	if (*c != NULL) { /* the last one, or of another run than now */
		columns_first(at, c);
		return (*at);
	}
	new = columns_new(d->v->width);
	if (new == NULL)
		return (NULL);
	new->older = *at;
	*at = new;
	return (new);
}

const struct timeline_columns *
timeline_columns(struct timeline_draw *d, uint32_t lane, bool named, bool kept)
{
	struct timeline_columns **at =
	    kept ? &d->l->kept[lane % TIMELINE_KEPT] : &d->spare;
	struct timeline_columns *c;
	int32_t w = d->v->width, from = 0, to = 0;
	int32_t by = columns_find(d, at, lane, named);

	c = *at;
	if (d->v->coarse && by == NO_SHIFT)
		return (columns_coarse(d, lane, named,
		    kept && c != NULL && c->lane == lane && c->model == d->m &&
			    c->named == named
			? c
			: NULL));
	if (by == NO_SHIFT)
		c = columns_begin(d, at, lane, kept ? VIEWS : 1);
	else
		columns_move(c, by, &from, &to);
	if (c == NULL)
		return (NULL);
	c->named = named;
	columns_ask(d, c, lane, 0, from);
	columns_ask(d, c, lane, to, w);
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
	for (int i = 0; i < TIMELINE_KEPT; i++)
		columns_drop(&l->kept[i], 0);
}

void
timeline_columns_thin(struct timeline_layout *l, const uint64_t *in_sight)
{
	for (int i = 0; i < TIMELINE_KEPT; i++)
		if (~in_sight[i / 64] >> i % 64 & 1)
			columns_drop(&l->kept[i], 1);
}
