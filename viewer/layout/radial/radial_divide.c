/*
 * A sector is divided among the children of its task in proportion to their
 * weights: each begins where the weights of those before it reach, so that it
 * does not matter who is passed over on the way.
 *
 * Children closer than half a pixel to the one before are counted with it, and
 * those whose sectors lie beside the window are counted, too.  Of a task with
 * very many children (model/tree_wide.h) whole blocks are passed over where
 * that would happen to each child of them, so the work is bounded by the
 * pixels of the view and not by the children there are.
 */
#include <math.h>

#include "layout/radial/radial_inside.h"
#include "model/tree/tree_wide.h"

#define SEEN_PX 0.5 /* two drawn ones are as far apart, or one is wide */

struct division {
	struct radial_drawing *r;
	uint32_t ring;       /* of the children */
	double from, arc;    /* of the sector */
	double total, given; /* weight of all, of those so far */
	double rings;        /* from that ring on, uncondensed */
	double wide, wider;  /* px per rad on that ring, on the next one */
	bool in_order;       /* children are by time */
	uint32_t kept; /* of a condensed tree: the child, else KEPT_NONE */
	/* the last one that is drawn, and how far along the ring, px */
	struct radial_node *last;
	double seen;
};

static bool
is_late(const struct division *d, uint32_t task)
{
	const struct radial_drawing *r = d->r;
	int64_t at;

	if (r->v->until_mon_ns == INT64_MAX || task == TASK_NONE)
		return (false);
	at = model_task_spawn(r->tree.m, task);
	if (at == INT64_MIN)
		at = model_task_begin(r->tree.m, task);
	return (at != INT64_MIN && at > r->v->until_mon_ns);
}

/* How far behind the first angle of the window. */
static double
from_seen(const struct division *d, double from)
{
	double a = fmod(from - d->r->seen_from, TURN);

	return (a < 0 ? a + TURN : a);
}

/* Does a sector lie beside the window? */
static bool
is_outside(const struct division *d, double from, double arc)
{
	double a;

	if (d->r->seen_arc >= TURN)
		return (false);
	a = from_seen(d, from);
	return (a > d->r->seen_arc && a + arc < TURN);
}

static bool
is_inside(const struct division *d, double from, double arc)
{
	return (d->r->seen_arc >= TURN ||
		from_seen(d, from) + arc <= d->r->seen_arc);
}

/* One that lies there; -1: no memory. */
static int
add(struct division *d, uint32_t c, uint32_t size, double from, double arc)
{
	double mid = (from + arc / 2 - d->from) * d->wide;
	struct radial_tree *t = &d->r->tree;
	struct task_sums sums;

	if (is_late(d, c))
		return (0);
	if (is_outside(d, from, arc)) {
		d->r->l->outside += size;
		return (0);
	}
	if (d->last != NULL && mid - d->seen < SEEN_PX && d->wider * arc < 1) {
		d->last->pruned += size;
		return (0);
	}
	d->last = radial_node_add(d->r, c, d->ring, from, arc);
	if (d->last == NULL)
		return (-1);
	d->last->kept = d->kept;
	d->last->condensed = d->kept != KEPT_NONE
				 ? t->cache->levels.kept[d->kept].absorbed
				 : radial_absorbed(t, c);
	d->seen = mid;
	if (t->summaries && model_task_sums(t->m, c, &sums)) {
		d->last->summary = true;
		d->last->pruned = size;
		d->r->l->summaries++;
	}
	return (0);
}

/* Where the next one begins whose weight this is; returns its angle. */
static double
sector(const struct division *d, double w, double *from)
{
	double arc = w / d->total * d->arc;

	*from = d->from + d->given / d->total * d->arc;
	/* a child that is counted a frame later than it is hung */
	if (*from + arc > d->from + d->arc)
		arc = d->from + d->arc - *from;
	return (arc);
}

static double
weigh(const struct division *d, uint32_t c, uint32_t *size)
{
	const struct radial_tree *t = &d->r->tree;
	uint64_t depths;

	if (t->cache != NULL || t->weights != NULL) {
		*size = radial_size(t, c);
		return (radial_weight(t, c));
	}
	*size = model_task_counts(t->m, c, &depths);
	return (d->rings * *size - (double)depths);
}

static int
place(struct division *d, uint32_t c, uint32_t size, double w)
{
	double from, arc = sector(d, w, &from);

	if (w <= 0 || arc < 0)
		return (0);
	d->given += w;
	return (add(d, c, size, from, arc));
}

static int
divide_child(struct division *d, uint32_t c)
{
	uint32_t size;
	double w = weigh(d, c, &size);

	return (place(d, c, size, w));
}

/* blocks of children */

/* Of a wide task, TASK_NONE: the roots. */
struct wide_task {
	struct wide_view view;
	uint32_t task;
};

static uint32_t
first_kid(const struct division *d, const struct wide_task *k, uint32_t b)
{
	if (k->task == TASK_NONE)
		return (model_task_root(d->r->tree.m, b << WIDE_BITS));
	return (WIDE_SEE(k->view.block[0][b].first));
}

/* The first child behind a block; of the last one: its parent's last. */
static uint32_t
kid_behind(const struct division *d, const struct wide_task *k, unsigned level,
    uint32_t b)
{
	uint64_t next = (uint64_t)(b + 1) << WIDE_BITS * level;
	struct task t;

	if (next < wide_blocks(&k->view, 0))
		return (first_kid(d, k, (uint32_t)next));
	if (k->task == TASK_NONE)
		return (model_task_root(d->r->tree.m, k->view.kids - 1));
	return (model_task_get(d->r->tree.m, k->task, &t)->last_child);
}

/*
 * Would all that begins here be counted with the last one that is drawn?
 * What ends within half a pixel of its middle is none of it a pixel wide on
 * the next ring, which is at most twice as long.
 */
static bool
is_hidden(const struct division *d, double from, double arc)
{
	return ((from + arc - d->from) * d->wide - d->seen < SEEN_PX &&
		is_inside(d, from, arc));
}

/* The child behind c, the i-th of block b; roots may be TASK_NONE. */
static uint32_t
next_kid(const struct division *d, const struct wide_task *k, uint32_t b,
    uint32_t i, uint32_t c)
{
	if (k->task == TASK_NONE)
		return (model_task_root(d->r->tree.m, (b << WIDE_BITS) + i));
	return (c == TASK_NONE ? c : model_task_next(d->r->tree.m, c));
}

/* Are a block's children leaves with numbers in a row? */
static bool
is_run(const struct wide_task *k, uint32_t b)
{
	const struct wide_block *at = &k->view.block[0][b];

	return (k->task != TASK_NONE && k->view.in_order &&
		b + 1 < wide_blocks(&k->view, 0) &&
		WIDE_SEE(at[1].first) - WIDE_SEE(at->first) == WIDE_KIDS &&
		WIDE_SEE(at->size) == WIDE_KIDS);
}

/* Those of a block, which weigh w; the rest as soon as it is hidden. */
static int
divide_kids(struct division *d, const struct wide_task *k, uint32_t b, double w)
{
	uint32_t n = wide_kids(&k->view, 0, b), c = first_kid(d, k, b), size;
	uint32_t left = WIDE_SEE(k->view.block[0][b].size);
	bool run = is_run(k, b), all = d->r->v->until_mon_ns == INT64_MAX;
	double end = d->given + w, from, arc;
	const struct radial_node *last = NULL;

	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			c = run ? c + 1 : next_kid(d, k, b, i, c);
		if (all && d->last != last) { /* so it is one */
			arc = sector(d, end - d->given, &from);
			if (is_hidden(d, from, arc)) {
				d->last->pruned += left;
				break;
			}
			last = d->last;
		}
		if (c == TASK_NONE)
			continue;
		size = 1;
		w = run ? d->rings : weigh(d, c, &size);
		left -= size;
		if (place(d, c, size, w) == -1)
			return (-1);
	}
	return (0);
}

/*
 * Passes over a block if that comes to the same as looking at each of its
 * children.
 */
static bool
pass_over(struct division *d, const struct wide_task *k, unsigned level,
    uint32_t b, double from, double arc, uint32_t size)
{
	if (d->r->v->until_mon_ns != INT64_MAX) {
		if (!d->in_order)
			return (false);
		if (is_late(d, first_kid(d, k, b << WIDE_BITS * level)))
			return (true);
		if (is_late(d, kid_behind(d, k, level, b)))
			return (false);
	}
	if (is_outside(d, from, arc)) {
		d->r->l->outside += size;
		return (true);
	}
	if (d->last == NULL || !is_hidden(d, from, arc))
		return (false);
	d->last->pruned += size;
	return (true);
}

static int
divide_block(struct division *d, const struct wide_task *k, unsigned level,
    uint32_t b)
{
	const struct wide_block *at = &k->view.block[level][b];
	uint32_t size = WIDE_SEE(at->size), last;
	double w = d->rings * size - (double)WIDE_SEE(at->depths), from, arc;
	double given = d->given + w;

	arc = sector(d, w, &from);
	if (w <= 0 || arc < 0)
		return (0);
	if (!pass_over(d, k, level, b, from, arc, size)) {
		if (level == 0 && divide_kids(d, k, b, w) == -1)
			return (-1);
		last = (b + 1) << WIDE_BITS;
		if (level > 0 && last > wide_blocks(&k->view, level - 1))
			last = wide_blocks(&k->view, level - 1);
		for (uint32_t i = b << WIDE_BITS; level > 0 && i < last; i++)
			if (divide_block(d, k, level - 1, i) == -1)
				return (-1);
	}
	d->given = given;
	return (0);
}

/* Has it so many children?  Only VISTA's weights are known by blocks. */
static bool
is_wide(const struct radial_drawing *r, uint32_t task, struct wide_task *k)
{
	k->task = task;
	return (r->tree.cache == NULL && r->tree.weights == NULL &&
		model_task_wide(r->tree.m, task, &k->view));
}

static int
divide_wide(struct division *d, const struct wide_task *k)
{
	unsigned top = k->view.levels - 1;
	uint32_t n = wide_blocks(&k->view, top);

	d->in_order = model_tree_in_order(d->r->tree.m);
	for (uint32_t b = 0; b < n; b++)
		if (divide_block(d, k, top, b) == -1)
			return (-1);
	return (0);
}

/* Are its children those of a list of the condensed tree? */
static bool
is_listed(const struct radial_drawing *r, const struct radial_node *n)
{
	return (r->tree.cache != NULL && r->tree.by_time &&
		r->tree.weights == NULL &&
		(n->task == TASK_NONE || n->kept != KEPT_NONE));
}

/*
 * The count of those below n if none of them is looked at, else NULL.  Those on
 * rings beyond the window's farthest corner are out of sight, however narrow;
 * those of a narrow sector are counted with their parent.
 */
static uint32_t *
counted_as(const struct division *d, struct radial_node *n)
{
	if (d->r->d * d->ring > d->r->reach)
		return (&d->r->l->outside);
	return (d->wide * d->arc < 1 || d->total <= 0 ? &n->pruned : NULL);
}

/* The same as below by what stands in the list, which each needs a part of. */
static int
divide_listed(struct division *d, struct radial_node *n)
{
	const struct radial_tree *t = &d->r->tree;
	const struct tree_levels *l = &t->cache->levels;
	bool centre = n->task == TASK_NONE;
	const struct kept_task *k = centre ? NULL : &l->kept[n->kept];
	uint32_t size = centre ? l->size : k->size, own = !centre, *count;
	double rings = t->condense.rings;

	d->total = rings * size - (double)(centre ? l->sum : k->sum);
	d->total -= centre ? 0 : rings - n->ring;
	if ((count = counted_as(d, n)) != NULL) {
		*count += size - own;
		return (0);
	}
	for (uint32_t i = centre ? l->first : k->first; i != KEPT_NONE;
	     i = k->next) {
		k = &l->kept[i];
		d->kept = i;
		if (place(d, k->task, k->size,
			rings * k->size - (double)k->sum) == -1)
			return (-1);
	}
	return (0);
}

int
radial_divide(struct radial_drawing *r, size_t i)
{
	struct radial_node *n = &r->l->nodes[i];
	uint32_t ring = n->ring + 1;
	struct division d = { .r = r,
		.ring = ring,
		.from = n->from_rad,
		.arc = n->arc_rad,
		.wide = radial_px_per_rad(r, ring),
		.wider = radial_px_per_rad(r, ring + 1),
		.kept = KEPT_NONE };
	const struct radial_kids *kids;
	struct wide_task wide;
	uint32_t *count;

	if (n->summary)
		return (0);
	if (is_listed(r, n))
		return (divide_listed(&d, n));
	d.rings = radial_rings_from(&r->tree, n->task) - (n->task != TASK_NONE);
	d.total = radial_weight_below(&r->tree, n->task, n->ring);
	if ((count = counted_as(&d, n)) != NULL) {
		*count +=
		    radial_size(&r->tree, n->task) - (n->task != TASK_NONE);
		return (0);
	}
	if (is_wide(r, n->task, &wide))
		return (divide_wide(&d, &wide));
	kids = radial_kids(&r->tree, n->task);
	if (kids == NULL)
		return (-1);
	for (uint32_t k = 0; k < kids->n; k++)
		if (divide_child(&d, kids->task[k]) == -1)
			return (-1);
	return (0);
}

/* The weight of the children before c; those of whole blocks at once. */
static double
weight_before(struct radial_drawing *r, uint32_t task, uint32_t c)
{
	const struct radial_kids *kids;
	struct wide_task w;
	uint32_t b, k, size = 0;
	uint64_t depths = 0;
	double sum = 0, rings;

	if (!is_wide(r, task, &w)) {
		kids = radial_kids(&r->tree, task);
		if (kids == NULL)
			return (-1);
		for (k = 0; k < kids->n && kids->task[k] != c; k++)
			sum += radial_weight(&r->tree, kids->task[k]);
		return (k < kids->n ? sum : -1);
	}
	b = model_wide_find(r->tree.m, task, c);
	for (unsigned l = 0; l < w.view.levels; l++) {
		uint32_t at = b >> WIDE_BITS * l;
		uint32_t from =
		    l + 1 < w.view.levels ? at & ~(WIDE_KIDS - 1) : 0;

		for (; from < at; from++) {
			size += WIDE_SEE(w.view.block[l][from].size);
			depths += WIDE_SEE(w.view.block[l][from].depths);
		}
	}
	rings = radial_rings_from(&r->tree, task) - (task != TASK_NONE);
	sum = rings * size - (double)depths;
	for (uint32_t i = 0; i < wide_kids(&w.view, 0, b); i++) {
		if (task == TASK_NONE)
			k = model_task_root(r->tree.m, (b << WIDE_BITS) + i);
		else
			k = i == 0 ? WIDE_SEE(w.view.block[0][b].first)
				   : model_task_next(r->tree.m, k);
		if (k == c)
			return (sum);
		if (k != TASK_NONE)
			sum += radial_weight(&r->tree, k);
		else if (task != TASK_NONE)
			break;
	}
	return (-1);
}

bool
radial_sector_of(struct radial_drawing *r, struct radial_node *n, uint32_t c)
{
	double total = radial_weight_below(&r->tree, n->task, n->ring);
	double before = total > 0 ? weight_before(r, n->task, c) : -1, w;

	if (before < 0)
		return (false);
	w = radial_weight(&r->tree, c);
	n->from_rad = (float)(n->from_rad + before / total * n->arc_rad);
	n->arc_rad = (float)(w > 0 ? w / total * n->arc_rad : 0);
	n->task = c;
	n->ring++;
	return (true);
}
