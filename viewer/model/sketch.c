/*
 * See sketch.h.  A lane is a row of cells in order of time, one for each block
 * that it has events in.  Once there are too many, each cell becomes one with
 * that of the neighbouring block (then of the next two, four, ...) if it has
 * one there, so that no lane vanishes as long as there are fewer lanes than
 * cells.  Pixels are made from steps: whatever its length, a cell costs four
 * additions a class, at its ends.
 */
#include "model/sketch.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/run/run.h"

#define CLASSES   (LANE_OBJECT_NODE - 1) /* of lanes, but for idle */
#define LOST      (LANE_lost - 1)
#define CELLS_MIN 16
#define SHIFT_MAX 31
/* beyond, times cannot be reckoned with */
#define TIME_MAX  ((int64_t)1 << 59) /* as NEAR_NS of the model */

struct cell {
	int64_t t0_mon_ns, t1_mon_ns; /* first and last event */
	uint32_t group, events;       /* group: number of the block >> shift */
	uint8_t share[CLASSES];       /* of the events, in 1/255 */
};

struct sketch_lane {
	uint32_t location, n, cap;
	struct cell *cell;
};

struct sketch {
	struct sketch_lane *lane;
	uint32_t nlanes, lanes_cap;
	uint32_t *slot; /* hash of locations: lane + 1 */
	uint32_t nslots;
	size_t ncells, cells_max;
	unsigned shift;
	uint32_t blocks;
	uint64_t events;
	int64_t first_ns, last_ns;
};

/* What a thread is most likely to be in that makes such events. */
static const uint8_t lane_class_of[EVENT_CLASSES] = {
	[CLASS_life] = LANE_running,
	[CLASS_task] = LANE_running,
	[CLASS_block] = LANE_running,
	[CLASS_call] = LANE_running,
	[CLASS_message] = LANE_wait_message,
	[CLASS_rpc] = LANE_wait_rpc,
	[CLASS_lock] = LANE_wait_lock,
	[CLASS_object] = LANE_transit,
	[CLASS_memory] = LANE_overhead,
	[CLASS_phase] = LANE_running,
	[CLASS_note] = LANE_running,
	[CLASS_monitor] = LANE_lost,
	[CLASS_sample] = LANE_running,
};

struct sketch *
sketch_new(size_t cells_max)
{
	struct sketch *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return (NULL);
	s->cells_max = cells_max == 0          ? SKETCH_CELLS
		       : cells_max < CELLS_MIN ? CELLS_MIN
					       : cells_max;
	s->first_ns = INT64_MAX;
	s->last_ns = INT64_MIN;
	s->lanes_cap = 64;
	s->nlanes = 1; /* of all */
	s->nslots = 128;
	s->lane = calloc(s->lanes_cap, sizeof(*s->lane));
	s->slot = calloc(s->nslots, sizeof(*s->slot));
	if (s->lane != NULL && s->slot != NULL)
		return (s);
	sketch_free(s);
	errno = ENOMEM;
	return (NULL);
}

void
sketch_free(struct sketch *s)
{
	if (s == NULL)
		return;
	for (uint32_t i = 0; s->lane != NULL && i < s->nlanes; i++)
		free(s->lane[i].cell);
	free(s->lane);
	free(s->slot);
	free(s);
}

/* --- lanes by location --- */

/* Where it is, or would be. */
static uint32_t
slot_of(const struct sketch *s, uint32_t location)
{
	uint32_t i = location * 0x9e3779b1u;

	for (i ^= i >> 15;; i++) {
		i &= s->nslots - 1;
		if (s->slot[i] == 0 ||
		    s->lane[s->slot[i] - 1].location == location)
			return (i);
	}
}

static bool
slots_grow(struct sketch *s)
{
	uint32_t *slot = calloc((size_t)s->nslots * 2, sizeof(*slot));

	if (slot == NULL)
		return (false);
	free(s->slot);
	s->slot = slot;
	s->nslots *= 2;
	for (uint32_t i = 1; i < s->nlanes; i++)
		s->slot[slot_of(s, s->lane[i].location)] = i + 1;
	return (true);
}

/* NULL with errno set; EINVAL: there are too many. */
static struct sketch_lane *
lane_of(struct sketch *s, uint32_t location)
{
	uint32_t at = slot_of(s, location);
	struct sketch_lane *p;

	if (s->slot[at] != 0)
		return (&s->lane[s->slot[at] - 1]);
	errno = EINVAL;
	if (s->nlanes > SKETCH_LANES)
		return (NULL);
	if (s->nlanes == s->lanes_cap) {
		p = reallocarray(s->lane, s->lanes_cap, 2 * sizeof(*p));
		if (p == NULL)
			return (NULL);
		s->lane = p;
		s->lanes_cap *= 2;
	}
	if (s->nlanes * 2 >= s->nslots && !slots_grow(s))
		return (NULL);
	s->slot[slot_of(s, location)] = s->nlanes + 1;
	p = &s->lane[s->nlanes++];
	*p = (struct sketch_lane){ .location = location };
	return (p);
}

uint32_t
sketch_lane(const struct sketch *s, uint32_t location)
{
	uint32_t lane = s->slot[slot_of(s, location)];

	return (lane == 0 ? SKETCH_NONE : lane - 1);
}

/* --- cells --- */

/* What is there at all stays at least a little. */
static uint8_t
share_of(uint64_t part, uint64_t all)
{
	uint64_t v = (part + all / 2) / all;

	return ((uint8_t)(part > 0 && v == 0 ? 1 : v));
}

static void
cell_join(struct cell *a, const struct cell *b)
{
	uint64_t all = (uint64_t)a->events + b->events;

	for (int c = 0; c < CLASSES; c++)
		a->share[c] = share_of((uint64_t)a->share[c] * a->events +
					   (uint64_t)b->share[c] * b->events,
		    all);
	a->events = all > UINT32_MAX ? UINT32_MAX : (uint32_t)all;
	if (b->t0_mon_ns < a->t0_mon_ns)
		a->t0_mon_ns = b->t0_mon_ns;
	if (b->t1_mon_ns > a->t1_mon_ns)
		a->t1_mon_ns = b->t1_mon_ns;
}

/* Neighbouring groups become one. */
static void
coarsen(struct sketch *s)
{
	s->ncells = 0;
	s->shift++;
	for (uint32_t i = 0; i < s->nlanes; i++) {
		struct sketch_lane *l = &s->lane[i];
		uint32_t n = 0;

		for (uint32_t k = 0; k < l->n; k++) {
			l->cell[k].group /= 2;
			if (n > 0 && l->cell[n - 1].group == l->cell[k].group)
				cell_join(&l->cell[n - 1], &l->cell[k]);
			else
				l->cell[n++] = l->cell[k];
		}
		l->n = n;
		s->ncells += n;
	}
}

/* -1: ENOMEM. */
static int
lane_push(struct sketch *s, struct sketch_lane *l, struct cell *c)
{
	uint32_t cap = l->cap == 0 ? 4 : l->cap * 2;
	struct cell *p;

	while (s->ncells >= s->cells_max && s->shift < SHIFT_MAX)
		coarsen(s);
	c->group = s->blocks >> s->shift;
	if (l->n > 0 && l->cell[l->n - 1].group == c->group) {
		cell_join(&l->cell[l->n - 1], c);
		return (0);
	}
	if (l->n == l->cap) {
		p = reallocarray(l->cell, cap, sizeof(*p));
		if (p == NULL)
			return (-1);
		l->cell = p;
		l->cap = cap;
	}
	l->cell[l->n++] = *c;
	s->ncells++;
	return (0);
}

static struct cell
cell_of(const struct block_lane *l)
{
	struct cell c = { .t0_mon_ns = l->first_mon_ns,
		.t1_mon_ns = l->last_mon_ns,
		.events = l->events };
	uint64_t by_class[CLASSES] = { 0 };
	uint32_t rest = l->events;

	for (int i = 0; i < EVENT_CLASSES; i++) {
		by_class[lane_class_of[i] - 1] += l->class_events[i];
		rest -= l->class_events[i];
	}
	by_class[LANE_overhead - 1] += rest; /* of classes yet to come */
	for (int i = 0; i < CLASSES; i++)
		c.share[i] = share_of(by_class[i] * 255, l->events);
	return (c);
}

static bool
is_possible(const struct tracefile_entry *e, const struct block_lane *lane,
    size_t n)
{
	uint64_t events = 0, classes;

	if (e->late || e->first_mon_ns > e->last_mon_ns ||
	    e->first_mon_ns < -TIME_MAX || e->last_mon_ns > TIME_MAX)
		return (false);
	for (size_t i = 0; i < n; i++) {
		const struct block_lane *l = &lane[i];

		classes = 0;
		for (int c = 0; c < EVENT_CLASSES; c++)
			classes += l->class_events[c];
		if (l->events == 0 || classes > l->events ||
		    l->first_mon_ns > l->last_mon_ns ||
		    l->first_mon_ns < e->first_mon_ns ||
		    l->last_mon_ns > e->last_mon_ns)
			return (false);
		events += l->events;
	}
	return (n > 0 && events == e->events);
}

int
sketch_add(struct sketch *s, const struct tracefile_entry *e,
    const struct block_lane *lane, size_t n)
{
	struct block_lane all = { .events = e->events,
		.first_mon_ns = e->first_mon_ns,
		.last_mon_ns = e->last_mon_ns };
	struct sketch_lane *l;
	struct cell c;

	if (!is_possible(e, lane, n) || e->first_mon_ns < s->last_ns ||
	    s->blocks == UINT32_MAX) {
		errno = EINVAL;
		return (-1);
	}
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < EVENT_CLASSES; k++)
			all.class_events[k] += lane[i].class_events[k];
	c = cell_of(&all);
	if (lane_push(s, &s->lane[SKETCH_ALL], &c) == -1)
		return (-1);
	for (size_t i = 0; i < n; i++) {
		c = cell_of(&lane[i]);
		l = lane_of(s, lane[i].location);
		if (l == NULL && errno == EINVAL)
			continue;
		if (l == NULL || lane_push(s, l, &c) == -1)
			return (-1);
	}
	s->blocks++;
	s->events += e->events;
	s->last_ns = e->last_mon_ns;
	if (e->first_mon_ns < s->first_ns)
		s->first_ns = e->first_mon_ns;
	return (0);
}

int64_t
sketch_first_ns(const struct sketch *s)
{
	return (s->first_ns);
}

int64_t
sketch_last_ns(const struct sketch *s)
{
	return (s->last_ns);
}

uint64_t
sketch_events(const struct sketch *s)
{
	return (s->events);
}

size_t
sketch_cells(const struct sketch *s)
{
	return (s->ncells);
}

/* --- pixels --- */

/* Those of a lane that touch [t0, t1), one by one. */
struct walk {
	const struct sketch_lane *l;
	uint32_t at;
	int64_t t0, t1;
	double each; /* ns of a pixel */
	unsigned n;
	double a, b; /* where the last one lies, in px */
};

static struct walk
walk_begin(const struct sketch *s, uint32_t lane, int64_t t0, int64_t t1,
    unsigned n)
{
	struct walk w = { .l = &s->lane[lane], .t0 = t0, .t1 = t1, .n = n };
	uint32_t lo = 0, hi = w.l->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (w.l->cell[mid].t1_mon_ns < t0)
			lo = mid + 1;
		else
			hi = mid;
	}
	w.at = lo;
	w.each = ((double)t1 - (double)t0) / n;
	return (w);
}

/* At least a pixel each; what sticks out is cut off.  NULL: no more. */
static const struct cell *
walk_next(struct walk *w)
{
	const struct cell *c;

	if (w->at == w->l->n || w->each <= 0)
		return (NULL);
	c = &w->l->cell[w->at++];
	if (c->t0_mon_ns >= w->t1)
		return (NULL);
	w->a = ((double)c->t0_mon_ns - (double)w->t0) / w->each;
	w->b = ((double)c->t1_mon_ns - (double)w->t0) / w->each;
	w->a = w->a < 0 ? 0 : w->a > w->n - 1 ? floor(w->a) : w->a;
	w->a = w->a > w->n - 1 ? w->n - 1 : w->a;
	w->b = w->b > w->n ? w->n : w->b;
	if (w->b < w->a + 1) {
		w->a = floor(w->a);
		w->b = w->a + 1;
	}
	return (c);
}

/* From x on so much more, in each pixel as much as there is of it. */
static void
step(float *sum, double x, float by)
{
	unsigned i = (unsigned)x;
	float part = (float)(x - i) * by;

	sum[(size_t)i * LANE_CLASSES] += by - part;
	sum[((size_t)i + 1) * LANE_CLASSES] += part;
}

void
sketch_spread(const struct sketch *s, uint32_t lane, int64_t t0, int64_t t1,
    unsigned n, float *sum)
{
	struct walk w = walk_begin(s, lane, t0, t1, n);
	const struct cell *c;

	while ((c = walk_next(&w)) != NULL) {
		unsigned all = 0;

		for (int k = 0; k < CLASSES; k++)
			all += c->share[k];
		for (int k = 0; k < CLASSES; k++) {
			float by = (float)c->share[k] / (float)all;

			if (by <= 0)
				continue;
			step(sum + k + 1, w.a, by);
			step(sum + k + 1, w.b, -by);
		}
	}
}

/* Short cells, of which each has a pixel, may be more than there is room for.
 */
static void
limit(float *out, const float *sum, float lanes)
{
	float all = 0;

	for (int c = 0; c < LANE_CLASSES; c++)
		all += sum[c] > 0 ? sum[c] : 0;
	all = all > lanes ? all : lanes;
	for (int c = 0; c < LANE_CLASSES; c++)
		out[c] = sum[c] > 0 ? sum[c] / all : 0;
}

void
sketch_sums(unsigned n, unsigned lanes, float *sum)
{
	float now[LANE_CLASSES] = { 0 };

	for (unsigned i = 0; i < n; i++, sum += LANE_CLASSES) {
		for (int c = 0; c < LANE_CLASSES; c++)
			now[c] += sum[c];
		limit(sum, now, (float)lanes);
	}
}

void
sketch_alerts(const struct sketch *s, uint32_t lane, int64_t t0, int64_t t1,
    unsigned n, uint8_t *alert)
{
	struct walk w = walk_begin(s, lane, t0, t1, n);
	const struct cell *c;

	while ((c = walk_next(&w)) != NULL)
		for (unsigned i = (unsigned)w.a;
		     c->share[LOST] > 0 && i < n && i < w.b; i++)
			alert[i] = 1;
}

void
sketch_density(const struct sketch *s, int64_t t0, int64_t t1, unsigned n,
    uint32_t *density)
{
	struct walk w = walk_begin(s, SKETCH_ALL, t0, t1, n);
	const struct cell *c;
	double from, to, each;

	while ((c = walk_next(&w)) != NULL) {
		each = c->events * w.each /
		       ((double)c->t1_mon_ns - (double)c->t0_mon_ns + 1);
		each = each < c->events ? each : c->events;
		for (unsigned i = (unsigned)w.a; i < n && i < w.b; i++) {
			from = i > w.a ? i : w.a;
			to = i + 1 < w.b ? i + 1 : w.b;
			density[i] += (uint32_t)(each * (to - from) + 0.5);
		}
	}
}
