/*
 * Which task is at a pixel, and where a task is.
 *
 * The nodes of a ring lie in the order of their angles, so the nearest of a
 * ring is found by bisection.  None of them is nearer to the pixel than the
 * ring is, so rings are tried from the pixel outwards and inwards until they
 * are farther than the best so far.
 */
#include <math.h>
#include <stdlib.h>

#include "layout/radial/radial_inside.h"

struct search {
	const struct radial_layout *l;
	double x, y; /* SCENE_ONE units */
	double at;   /* angle from where the sectors begin, 0 to TURN */
	double best; /* squared distance, SCENE_ONE units */
	const struct radial_node *found;
};

static double
middle(const struct radial_node *n)
{
	return (n->from_rad + n->arc_rad / 2);
}

static double
turned(double a)
{
	a = fmod(a, TURN);
	return (a < 0 ? a + TURN : a);
}

/* First node of [lo, hi) whose middle is not before this angle. */
static size_t
first_from(const struct radial_layout *l, size_t lo, size_t hi, double angle)
{
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (middle(&l->nodes[mid]) < angle)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

static void
try(struct search *s, const struct radial_node *n)
{
	double dx = n->x - s->x, dy = n->y - s->y, d = dx * dx + dy * dy;

	if (d < s->best && n->task != TASK_NONE) {
		s->best = d;
		s->found = n;
	}
}

/* How far to both sides one can be nearer than the best; asin(x) < 1.6 x. */
static double
angle_within(const struct search *s, double radius)
{
	double best = sqrt(s->best) + 2;

	return (best < radius ? 1.6 * best / radius : TURN);
}

/*
 * Nodes to both sides, as long as one can be nearer than the best; rounding
 * moves a node by less than a unit.
 */
static void
try_ring(struct search *s, uint32_t ring, double radius)
{
	size_t lo = s->l->ring_first[ring], hi = s->l->ring_first[ring + 1];
	size_t n = hi - lo, i, k;
	double reach = angle_within(s, radius);

	if (n == 0)
		return;
	i = first_from(s->l, lo, hi, s->at) - lo;
	for (k = 0; k < n; k++) { /* clockwise, over the seam */
		const struct radial_node *x = &s->l->nodes[lo + (i + k) % n];

		if (turned(middle(x) - s->at) > reach)
			break;
		try(s, x);
		reach = angle_within(s, radius);
	}
	for (k = 1; k <= n; k++) {
		const struct radial_node *x =
		    &s->l->nodes[lo + (i + n - k) % n];

		if (turned(s->at - middle(x)) > reach)
			break;
		try(s, x);
		reach = angle_within(s, radius);
	}
}

static const struct radial_node *
nearest_point(const struct radial_layout *l, const struct radial_view *v,
    double dx, double dy, int32_t x, int32_t y, double reach_px)
{
	double far = sqrt(dx * dx + dy * dy);
	struct search s = { .l = l,
		.x = x * (double)SCENE_ONE,
		.y = y * (double)SCENE_ONE,
		.at = turned(atan2(dy, dx) - TOP - v->rotate_rad),
		.best = reach_px * reach_px * SCENE_ONE * SCENE_ONE + 1 };
	int32_t rings = (int32_t)l->nodes[l->nnodes - 1].ring + 1, mid, ring;
	double off;
	int away = 0;

	mid =
	    far / l->ring_px > rings ? rings - 1 : (int32_t)(far / l->ring_px);
	for (int32_t k = 0; k <= 2 * rings + 2 && away < 2; k++) {
		ring = k % 2 == 0 ? mid - k / 2 : mid + (k + 1) / 2;
		if (ring < 0 || ring >= rings)
			continue;
		off = (fabs(ring * l->ring_px - far) - 0.2) * SCENE_ONE;
		if (off > 0 && off * off > s.best) {
			away++; /* twice in a row: on both sides */
			continue;
		}
		away = 0;
		try_ring(&s, (uint32_t)ring, ring * l->ring_px * SCENE_ONE);
	}
	return (s.found);
}

/* The sector that this ring and angle lie in. */
static const struct radial_node *
sector_at(const struct radial_layout *l, double ring, double angle)
{
	const struct radial_node *n;
	size_t lo, hi, i;

	if (!(ring >= 0 && ring < l->rings))
		return (NULL);
	lo = l->ring_first[(uint32_t)ring];
	hi = l->ring_first[(uint32_t)ring + 1];
	i = first_from(l, lo, hi, angle);
	for (size_t k = i > lo ? i - 1 : lo; k < hi && k <= i; k++) {
		n = &l->nodes[k];
		if (n->task != TASK_NONE && angle >= n->from_rad &&
		    angle < n->from_rad + n->arc_rad)
			return (n);
	}
	return (NULL);
}

const struct radial_node *
radial_nearest(const struct radial_layout *l, const struct radial_view *v,
    int32_t x, int32_t y, double reach_px)
{
	double dx = x - v->width / 2.0 - v->centre_x;
	double dy = y - v->height / 2.0 - v->centre_y, zoom;

	if (l->nnodes == 0 || l->ring_px <= 0)
		return (NULL);
	zoom = v->zoom > 0 ? v->zoom : 1;
	if (v->form == RADIAL_ICICLE)
		return (sector_at(l, dy / l->ring_px + l->rings / 2.0,
		    dx / (v->width * zoom) * TURN + TURN / 2));
	if (v->form == RADIAL_SUNBURST)
		return (sector_at(l, sqrt(dx * dx + dy * dy) / l->ring_px,
		    turned(atan2(dy, dx) - TOP - v->rotate_rad)));
	return (nearest_point(l, v, dx, dy, x, y, reach_px));
}

/* Those above a task, by the rings or the levels that they are on. */
struct path {
	uint32_t *task, n;
};

static bool
is_on(const struct path *p, uint32_t task, uint32_t at)
{
	return (at < p->n && p->task[at] == task);
}

/* All above it, by level. */
static int
path_by_level(struct path *p, const struct model *m, uint32_t task)
{
	p->n = model_task_level(m, task) + 1;
	p->task = malloc(p->n * sizeof(*p->task));
	if (p->task == NULL)
		return (-1);
	for (uint32_t i = p->n; i-- > 0;) {
		p->task[i] = task;
		if (task != TASK_NONE)
			task = model_task_parent(m, task);
	}
	return (0);
}

/* Those that are kept, by ring: others may be a hundred thousand. */
static int
path_by_ring(struct path *p, const struct radial_cache *c,
    const struct model *m, uint32_t rings, uint32_t task)
{
	struct kept_levels levels = { c->kept, c->nkept, rings - c->nkept };
	const struct tree_levels *l = &c->levels;

	p->n = rings;
	p->task = malloc((p->n + 1) * sizeof(*p->task));
	if (p->task == NULL)
		return (-1);
	for (uint32_t i = 0; i < p->n; i++)
		p->task[i] = TASK_NONE;
	for (uint32_t k = tree_levels_near(l, m, &levels, task), ring;
	     k != KEPT_NONE; k = l->kept[k].up) {
		ring = condense_ring(&c->condense,
		    model_task_level(m, l->kept[k].task) + c->above -
			c->level0);
		if (ring < p->n)
			p->task[ring] = l->kept[k].task;
	}
	return (0);
}

/* The node of those that are alone and have its name. */
static const struct radial_node *
find_group(const struct radial_layout *l, const struct model *m, uint32_t task)
{
	uint32_t name = model_task_name(m, task);

	for (size_t i = l->ring_first[1]; i < l->ring_first[2]; i++)
		if (l->nodes[i].group &&
		    model_task_name(m, l->nodes[i].task) == name)
			return (&l->nodes[i]);
	return (NULL);
}

/* The path is followed down. */
static const struct radial_node *
find(const struct radial_layout *l, const struct model *m, uint32_t task)
{
	const struct radial_node *n = l->nodes, *k, *next;
	bool by_ring = l->cache != NULL && l->rings < l->levels &&
		       l->cache->model == m &&
		       l->cache->epoch == model_tree_epoch(m) &&
		       task < l->cache->levels.ntasks;
	struct path p;

	if (task == TASK_NONE || l->nnodes == 0)
		return (NULL);
	if (l->singles.groups > 0 && model_is_single(m, task))
		return (find_group(l, m, task));
	if ((by_ring ? path_by_ring(&p, l->cache, m, l->rings, task)
		     : path_by_level(&p, m, task)) == -1)
		return (NULL);
	if (n->task != TASK_NONE &&
	    !is_on(&p, n->task,
		by_ring ? n->ring : model_task_level(m, n->task)))
		n = NULL;
	for (next = n; next != NULL;) {
		n = next;
		next = NULL;
		for (k = l->nodes + n->kids; k < l->nodes + n[1].kids; k++)
			if (is_on(&p, k->task,
				by_ring ? k->ring
					: model_task_level(m, k->task)))
				next = k;
	}
	free(p.task);
	return (n == NULL || n->task == TASK_NONE ? NULL : n);
}

const struct radial_node *
radial_find(const struct radial_layout *l, const struct model *m, uint32_t task)
{
	unsigned door = model_enter(m);
	const struct radial_node *n = find(l, m, task);

	model_leave(m, door);
	return (n);
}
