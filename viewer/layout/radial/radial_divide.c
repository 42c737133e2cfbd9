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

#include "layout/radial/radial_divide_inside.h"

bool
radial_is_late(const struct division *d, uint32_t task)
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
bool
radial_is_outside(const struct division *d, double from, double arc)
{
	double a;

	if (d->r->seen_arc >= TURN)
		return (false);
	a = from_seen(d, from);
	return (a > d->r->seen_arc && a + arc < TURN);
}

bool
radial_is_inside(const struct division *d, double from, double arc)
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

	if (radial_is_late(d, c))
		return (0);
	if (radial_is_outside(d, from, arc)) {
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
double
radial_next_sector(const struct division *d, double w, double *from)
{
	double arc = w / d->total * d->arc;

	*from = d->from + d->given / d->total * d->arc;
	/* a child that is counted a frame later than it is hung */
	if (*from + arc > d->from + d->arc)
		arc = d->from + d->arc - *from;
	return (arc);
}

double
radial_weigh(const struct division *d, uint32_t c, uint32_t *size)
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

int
radial_place_child(struct division *d, uint32_t c, uint32_t size, double w)
{
	double from, arc = radial_next_sector(d, w, &from);

	if (w <= 0 || arc < 0)
		return (0);
	d->given += w;
	return (add(d, c, size, from, arc));
}

static int
divide_child(struct division *d, uint32_t c)
{
	uint32_t size;
	double w = radial_weigh(d, c, &size);

	return (radial_place_child(d, c, size, w));
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
	uint32_t size = centre ? radial_size(t, TASK_NONE) : k->size, *count;
	double rings = t->condense.rings;

	if (centre)
		d->total = radial_weight_below(t, TASK_NONE, 0);
	else
		d->total = rings * size - (double)k->sum - (rings - n->ring);
	if ((count = counted_as(d, n)) != NULL) {
		*count += size - !centre;
		return (0);
	}
	for (uint32_t i = centre ? l->first : k->first; i != KEPT_NONE;
	     i = k->next) {
		k = &l->kept[i];
		d->kept = i;
		if (centre && radial_is_alone(t, k))
			continue;
		if (radial_place_child(d, k->task, k->size,
			rings * k->size - (double)k->sum) == -1)
			return (-1);
	}
	return (0);
}

/* Behind the trees of a forest: those of a single task, a node a name. */
static int
groups(struct division *d, uint32_t task)
{
	const struct radial_tree *t = &d->r->tree;
	struct radial_layout *l = d->r->l;
	const struct single_tasks *s;
	size_t nodes;

	if (task != TASK_NONE || !t->sums)
		return (0);
	d->kept = KEPT_NONE;
	for (uint32_t i = 0; i < t->forest->n; i++) {
		s = &t->forest->group[i];
		nodes = l->nnodes;
		if (radial_place_child(d, s->first, s->tasks, radial_leaf(t)) ==
		    -1)
			return (-1);
		if (l->nnodes == nodes)
			continue;
		d->last->group = true;
		d->last->condensed = s->tasks;
		l->singles.groups++;
		l->singles.tasks += s->tasks;
	}
	return (0);
}

int
radial_divide(struct radial_drawing *r, size_t i)
{
	struct radial_node *n = &r->l->nodes[i]; /* until one is added */
	uint32_t ring = n->ring + 1, task = n->task;
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

	if (n->summary || n->group)
		return (0);
	if (is_listed(r, n))
		return (divide_listed(&d, n) == -1 ? -1 : groups(&d, task));
	d.rings = radial_rings_from(&r->tree, n->task) - (n->task != TASK_NONE);
	d.total = radial_weight_below(&r->tree, n->task, n->ring);
	if ((count = counted_as(&d, n)) != NULL) {
		*count +=
		    radial_size(&r->tree, n->task) - (n->task != TASK_NONE);
		return (0);
	}
	if (radial_is_wide(r, n->task, &wide))
		return (radial_divide_wide(&d, &wide) == -1 ? -1
							    : groups(&d, task));
	kids = radial_kids(&r->tree, n->task);
	if (kids == NULL)
		return (-1);
	for (uint32_t k = 0; k < kids->n; k++)
		if (divide_child(&d, kids->task[k]) == -1)
			return (-1);
	return (groups(&d, task));
}

/* The weight of the children before c; -1: it is none. */
static double
weight_before(struct radial_drawing *r, uint32_t task, uint32_t c)
{
	const struct radial_kids *kids;
	struct wide_task w;
	double sum = 0;
	uint32_t k;

	if (radial_is_wide(r, task, &w))
		return (radial_wide_before(r, &w, c));
	kids = radial_kids(&r->tree, task);
	if (kids == NULL)
		return (-1);
	for (k = 0; k < kids->n && kids->task[k] != c; k++)
		sum += radial_weight(&r->tree, kids->task[k]);
	return (k < kids->n ? sum : -1);
}

bool
radial_sector_of(struct radial_drawing *r, struct radial_node *n, uint32_t c)
{
	double total = radial_weight_below(&r->tree, n->task, n->ring), w;
	bool summed = n->task == TASK_NONE && radial_is_summed(&r->tree, c);
	double before = total <= 0 ? -1
			: summed   ? radial_group_before(&r->tree, total, c)
				   : weight_before(r, n->task, c);

	if (before < 0)
		return (false);
	w = summed ? radial_leaf(&r->tree) : radial_weight(&r->tree, c);
	n->from_rad = (float)(n->from_rad + before / total * n->arc_rad);
	n->arc_rad = (float)(w > 0 ? w / total * n->arc_rad : 0);
	n->task = c;
	n->ring++;
	return (true);
}
