/*
 * VISTA's node allocation and drawing.  Tasks are taken ring by ring, so that
 * the list of what is drawn is its own queue: a task that is taken divides its
 * sector among its children in proportion to their weights and appends them.
 * Where the ring of the children is shorter than a pixel it does not, and
 * counts what is missing.  So the work is bounded by the pixels of the view.
 */
#include "layout/radial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/radial_inside.h"

#define TURN 6.283185307179586
#define TOP  (-TURN / 4)

const char *const radial_colour_name[RADIAL_COLOURS] = { "PE", "time",
	"PE-time", "procedure", "state" };

struct drawing {
	const struct radial_view *v;
	const struct palette *pal;
	struct radial_layout *l;
	struct scene *s;
	struct radial_tree tree;
	double d, cx, cy, reach; /* px */
	uint32_t *kids; /* of node i: first index in nodes, then the next's */
	size_t kids_cap;
};

static struct radial_node *
node_add(struct drawing *r, uint32_t task, uint32_t ring, double from,
    double arc)
{
	struct radial_layout *l = r->l;
	struct radial_node *n;
	double angle = from + arc / 2 + TOP + r->v->rotate_rad;
	size_t cap;

	if (l->nnodes == l->cap) {
		cap = l->cap == 0 ? 1024 : l->cap * 2;
		n = realloc(l->nodes, cap * sizeof(*n));
		if (n == NULL)
			return (NULL);
		l->nodes = n;
		l->cap = cap;
	}
	n = &l->nodes[l->nnodes++];
	*n = (struct radial_node){ .task = task,
		.ring = ring,
		.from_rad = (float)from,
		.arc_rad = (float)arc,
		.condensed =
		    task == TASK_NONE ? 0 : radial_absorbed(&r->tree, task) };
	n->x = (int32_t)lrint((r->cx + r->d * ring * cos(angle)) * SCENE_ONE);
	n->y = (int32_t)lrint((r->cy + r->d * ring * sin(angle)) * SCENE_ONE);
	return (n);
}

static int
too_late(const struct drawing *r, uint32_t task)
{
	const struct task *t = model_task(r->tree.m, task);
	int64_t at = SEE(t->spawn_mon_ns);

	if (at == INT64_MIN)
		at = SEE(t->begin_mon_ns);
	return (at != INT64_MIN && at > r->v->until_mon_ns);
}

/*
 * Gives node i's children their sectors.  Children closer than half a pixel
 * to the one before are counted with it.  Returns -1 when memory is out.
 */
static int
node_divide(struct drawing *r, size_t i, double from, double arc)
{
	uint32_t task = r->l->nodes[i].task, ring = r->l->nodes[i].ring;
	uint32_t c = TASK_NONE, at = 0;
	double total, w, px = r->d * (ring + 1) * arc, seen = -1, mid;
	double end = from + arc, a, start = from;
	struct radial_node *n, *last = NULL;

	total = radial_weight(&r->tree, task) -
		(double)(r->tree.condense.rings - ring);
	if (px < 1 || total <= 0 || r->d * (ring + 1) > r->reach) {
		r->l->nodes[i].pruned +=
		    radial_size(&r->tree, task) - (task != TASK_NONE);
		return (0);
	}
	while ((c = radial_child(&r->tree, task, c, &at)) != TASK_NONE) {
		w = radial_weight(&r->tree, c);
		a = w / total * arc;
		/* a child that is counted a frame later than it is hung */
		if (from + a > end)
			a = end - from;
		if (w <= 0 || a < 0)
			continue;
		mid = (from + a / 2 - start) / arc * px;
		if (too_late(r, c)) {
			from += a;
			continue;
		}
		if (last != NULL && mid - seen < 0.5 &&
		    r->d * (ring + 2) * a < 1) {
			last->pruned += radial_size(&r->tree, c);
			from += a;
			continue;
		}
		n = node_add(r, c, ring + 1, from, a);
		if (n == NULL)
			return (-1);
		last = n;
		seen = mid;
		from += a;
	}
	return (0);
}

static int
kids_mark(struct drawing *r, size_t i, size_t first)
{
	uint32_t *k;
	size_t cap;

	if (i + 2 > r->kids_cap) {
		cap = r->kids_cap == 0 ? 1024 : r->kids_cap * 2;
		k = realloc(r->kids, cap * sizeof(*k));
		if (k == NULL)
			return (-1);
		r->kids = k;
		r->kids_cap = cap;
	}
	r->kids[i] = (uint32_t)first;
	r->kids[i + 1] = (uint32_t)first;
	return (0);
}

static int
place(struct drawing *r)
{
	struct radial_layout *l = r->l;
	uint32_t ring = UINT32_MAX, *first;

	first = realloc(l->ring_first,
	    (r->tree.condense.rings + 2) * sizeof(*first));
	if (first == NULL)
		return (-1);
	l->ring_first = first;
	l->rings = 0;
	l->nnodes = 0;
	if (node_add(r, r->tree.root, 0, 0, TURN) == NULL)
		return (-1);
	for (size_t i = 0; i < l->nnodes; i++) {
		if (l->nodes[i].ring != ring) {
			ring = l->nodes[i].ring;
			first[l->rings++] = (uint32_t)i;
			if (l->rings > r->tree.condense.rings)
				return (-1);
		}
		if (kids_mark(r, i, l->nnodes) == -1 ||
		    node_divide(r, i, l->nodes[i].from_rad,
			l->nodes[i].arc_rad) == -1)
			return (-1);
		r->kids[i + 1] = (uint32_t)l->nnodes;
	}
	first[l->rings] = (uint32_t)l->nnodes;
	return (0);
}

/* colours */

static int64_t
task_time(const struct task *t)
{
	int64_t at = SEE(t->begin_mon_ns);

	return (at != INT64_MIN ? at : SEE(t->spawn_mon_ns));
}

static uint32_t
time_colour(const struct drawing *r, const struct task *t)
{
	int64_t at = task_time(t);
	double span = (double)(r->l->t1_mon_ns - r->l->t0_mon_ns);

	if (at == INT64_MIN)
		return (r->pal->faint);
	return (palette_time(
	    span <= 0 ? 0 : (double)(at - r->l->t0_mon_ns) / span));
}

static uint32_t
pe_colour(const struct drawing *r, const struct task *t)
{
	return (SEE(t->flags) & TASK_BEGUN ? palette_pe(SEE(t->pe))
					   : r->pal->faint);
}

static uint32_t
state_colour(const struct drawing *r, const struct task *t)
{
	unsigned flags = SEE(t->flags);

	if (flags & TASK_ENDED)
		return (SEE(t->suspensions) > 0 ? 0xcc79a7 : 0x4477aa);
	if (flags & TASK_SUSPENDED)
		return (r->pal->state[LANE_wait_message]);
	return (
	    flags & TASK_BEGUN ? r->pal->state[LANE_running] : r->pal->faint);
}

/* Of the polygon or line; *dot: of the vertex. */
static uint32_t
colour_of(const struct drawing *r, uint32_t task, uint32_t *dot)
{
	const struct task *t;
	uint32_t rgb;

	if (task == TASK_NONE)
		return (*dot = r->pal->faint);
	t = model_task(r->tree.m, task);
	switch (r->v->colour) {
	case RADIAL_TIME:
		return (*dot = time_colour(r, t));
	case RADIAL_PE_TIME:
		*dot = pe_colour(r, t);
		return (time_colour(r, t));
	case RADIAL_PROCEDURE:
		rgb = SEE(t->name);
		return (*dot = rgb == 0 ? r->pal->faint
					: palette_name(rgb,
					      model_name(r->tree.m, rgb)));
	case RADIAL_STATE:
		return (*dot = state_colour(r, t));
	default:
		return (*dot = pe_colour(r, t));
	}
}

/* What is known of the tasks drawn: their time, their PEs. */
static void
survey(struct drawing *r)
{
	struct radial_layout *l = r->l;
	uint8_t pes[8192] = { 0 };
	const struct task *t;
	int64_t at;
	unsigned pe;

	l->t0_mon_ns = INT64_MAX;
	l->t1_mon_ns = INT64_MIN;
	l->suspended = l->pes = 0;
	for (size_t i = 0; i < l->nnodes; i++) {
		if (l->nodes[i].task == TASK_NONE)
			continue;
		t = model_task(r->tree.m, l->nodes[i].task);
		at = task_time(t);
		if (at != INT64_MIN && at < l->t0_mon_ns)
			l->t0_mon_ns = at;
		if (at != INT64_MIN && at > l->t1_mon_ns)
			l->t1_mon_ns = at;
		l->suspended += SEE(t->suspensions) > 0;
		pe = SEE(t->pe);
		if (SEE(t->flags) & TASK_BEGUN &&
		    !(pes[pe >> 3] >> (pe & 7) & 1)) {
			pes[pe >> 3] |= (uint8_t)(1u << (pe & 7));
			l->pes++;
		}
	}
	if (l->t0_mon_ns > l->t1_mon_ns)
		l->t0_mon_ns = l->t1_mon_ns = 0;
}

/* shapes */

static void
draw_circles(struct drawing *r)
{
	static const uint32_t steps[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500 };
	uint32_t step = 1000, rings = r->tree.condense.rings;
	struct item *it;
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (steps[i] * r->d >= 22) {
			step = steps[i];
			break;
		}
	for (uint32_t k = step; k < rings + step; k += step) {
		if (k + step / 2 >= rings)
			k = rings - 1;
		if (k == 0 || k * r->d > r->reach)
			return;
		it = scene_mark(r->s, ITEM_CIRCLE,
		    (int32_t)lrint(r->cx * SCENE_ONE),
		    (int32_t)lrint(r->cy * SCENE_ONE),
		    (int32_t)lrint(k * r->d * SCENE_ONE), r->pal->line);
		if (it == NULL || k == rings - 1)
			return;
	}
}

/* Twice the area of a polygon over its longest reach: how thick it is. */
static double
thickness(const struct radial_node *n, const struct radial_node *k, size_t nk)
{
	double area = 0, far = 1, x0, y0, x1, y1, d;

	for (size_t i = 0; i < nk; i++) {
		x0 = k[i].x - n->x;
		y0 = k[i].y - n->y;
		d = sqrt(x0 * x0 + y0 * y0);
		if (d > far)
			far = d;
		if (i + 1 == nk)
			break;
		x1 = k[i + 1].x - n->x;
		y1 = k[i + 1].y - n->y;
		area += x0 * y1 - x1 * y0;
	}
	return (fabs(area) / far);
}

static void
draw_edge(struct drawing *r, const struct radial_node *a,
    const struct radial_node *b, uint32_t rgb, int32_t w)
{
	size_t n = r->s->n;

	scene_line(r->s, a->x, a->y, b->x, b->y, w, rgb);
	if (r->s->n > n) {
		r->s->items[n].of = OF_TASK;
		r->s->items[n].id = a->task;
	}
}

static void
draw_polygon(struct drawing *r, const struct radial_node *n,
    const struct radial_node *k, size_t nk, uint32_t rgb)
{
	struct scene *s = r->s;
	size_t first = s->npoints;
	struct item *it;

	if (scene_point(s, n->x, n->y) == -1)
		return;
	for (size_t i = 0; i < nk; i++)
		if (scene_point(s, k[i].x, k[i].y) == -1)
			return;
	it = scene_add(s, ITEM_POLY, rgb);
	if (it == NULL)
		return;
	it->first = (uint32_t)first;
	it->n = (uint32_t)nk + 1;
	it->of = OF_TASK;
	it->id = n->task;
	/* thin ones would fade away between the pixels */
	if (thickness(n, k, nk) < 1.5 * SCENE_ONE) {
		draw_edge(r, n, &k[0], rgb, SCENE_ONE);
		draw_edge(r, n, &k[nk - 1], rgb, SCENE_ONE);
	}
}

static void
draw_shapes(struct drawing *r)
{
	struct radial_layout *l = r->l;
	const struct radial_node *n;
	int32_t w = r->d > 12 ? 2 * SCENE_ONE : SCENE_ONE * 5 / 4;
	size_t nk;
	uint32_t rgb, dot;

	l->points = l->lines = l->polygons = 0;
	for (size_t i = 0; i < l->nnodes; i++) {
		n = &l->nodes[i];
		nk = r->kids[i + 1] - r->kids[i];
		if (n->task == TASK_NONE)
			continue; /* the centre above the roots is no task */
		rgb = colour_of(r, n->task, &dot);
		if (nk >= 2) {
			draw_polygon(r, n, &l->nodes[r->kids[i]], nk, rgb);
			l->polygons++;
		} else if (nk == 1) {
			draw_edge(r, n, &l->nodes[r->kids[i]], rgb, w);
			l->lines++;
		} else {
			l->points++;
		}
	}
}

static void
draw_dots(struct drawing *r)
{
	struct radial_layout *l = r->l;
	const struct radial_node *n;
	double radius = r->d * 0.2;
	int32_t w;
	struct item *it;
	uint32_t dot;
	size_t nk;

	radius = radius < 0.8 ? 0.8 : radius > 5 ? 5 : radius;
	w = (int32_t)(radius * SCENE_ONE);
	for (size_t i = 0; i < l->nnodes; i++) {
		n = &l->nodes[i];
		nk = r->kids[i + 1] - r->kids[i];
		if (n->task == TASK_NONE ||
		    (nk > 0 && r->v->colour != RADIAL_PE_TIME && r->d < 14))
			continue;
		colour_of(r, n->task, &dot);
		it = scene_mark(r->s, ITEM_DOT, n->x, n->y, w, dot);
		if (it == NULL)
			return;
		it->of = OF_TASK;
		it->id = n->task;
	}
}

/* Rings the selected task, or the nearest above it that is drawn. */
static void
draw_selected(struct drawing *r)
{
	uint32_t t = model_task_by_id(r->tree.m, r->v->selected_task), up;
	const struct radial_node *best = NULL, *n;
	struct item *it;

	if (r->v->selected_task == 0 || t == TASK_NONE)
		return;
	/* its ancestors lie in sectors within each other: follow them */
	for (size_t i = 0; i < r->l->nnodes; i++) {
		n = &r->l->nodes[i];
		if (n->task == TASK_NONE)
			continue;
		if (n->task == t) {
			best = n;
			break;
		}
	}
	for (up = t; best == NULL && up != TASK_NONE;
	     up = SEE_LINK(model_task(r->tree.m, up)->parent))
		for (size_t i = 0; i < r->l->nnodes; i++)
			if (r->l->nodes[i].task == up) {
				best = &r->l->nodes[i];
				break;
			}
	if (best == NULL)
		return;
	it = scene_mark(r->s, ITEM_CIRCLE, best->x, best->y, 6 * SCENE_ONE,
	    r->pal->text);
	if (it != NULL) {
		it->of = OF_TASK;
		it->id = best->task;
	}
}

static void
count(struct drawing *r)
{
	struct radial_layout *l = r->l;
	const struct condense *c = &r->tree.condense;

	l->ring_px = r->d;
	for (; l->rings < c->rings; l->rings++)
		l->ring_first[l->rings + 1] = (uint32_t)l->nnodes;
	l->tasks = r->tree.tasks;
	l->levels = c->levels - r->tree.above;
	l->deepest = l->levels - 1;
	l->levels_1 = c->t > l->levels ? l->levels : c->t;
	l->ratio_1 = c->ratio;
	l->levels_2 = l->levels - l->levels_1;
	l->ratio_2 = l->levels_2 > 0 ? c->ratio + 1 : 0;
	l->drawn = (uint32_t)l->nnodes - r->tree.above;
	l->pruned = 0;
	for (size_t i = 0; i < l->nnodes; i++)
		l->pruned += l->nodes[i].pruned;
	l->condensed = l->tasks - radial_size(&r->tree, r->tree.root);
}

static void
radial_empty(struct radial_layout *l)
{
	l->nnodes = 0;
	l->rings = 0;
	l->tasks = l->levels = l->deepest = 0;
	l->levels_1 = l->ratio_1 = l->levels_2 = l->ratio_2 = 0;
	l->drawn = l->pruned = l->condensed = 0;
	l->points = l->lines = l->polygons = l->suspended = l->pes = 0;
	l->t0_mon_ns = l->t1_mon_ns = 0;
}

void
radial_layout(const struct model *m, const struct palette *pal,
    const struct radial_view *v, struct radial_layout *l, struct scene *s)
{
	struct drawing r = { .v = v, .pal = pal, .l = l, .s = s };
	double w = v->width, h = v->height, least, fit;
	double dx, dy;

	scene_clear(s);
	radial_empty(l);
	if (radial_tree_open(&r.tree, m, v, l) == -1) {
		radial_tree_close(&r.tree);
		return;
	}
	least = v->ring_px_min > 0 ? v->ring_px_min : 4;
	fit = (w < h ? w : h) / 2 / r.tree.condense.rings;
	r.d = (v->zoom > 0 ? v->zoom : 1) * (fit > least ? fit : least);
	r.cx = w / 2 + v->centre_x;
	r.cy = h / 2 + v->centre_y;
	dx = w / 2 + fabs(v->centre_x);
	dy = h / 2 + fabs(v->centre_y);
	r.reach = sqrt(dx * dx + dy * dy) + 2 * r.d;
	if (place(&r) == 0) {
		count(&r);
		survey(&r);
		draw_circles(&r);
		draw_shapes(&r);
		draw_dots(&r);
		draw_selected(&r);
	} else {
		radial_empty(l);
	}
	radial_tree_close(&r.tree);
	free(r.kids);
}

void
radial_layout_free(struct radial_layout *l)
{
	free(l->nodes);
	free(l->ring_first);
	if (l->cache != NULL)
		free(l->cache->by);
	free(l->cache);
	memset(l, 0, sizeof(*l));
}

/*
 * A node is never nearer than its ring, so rings are searched from the one at
 * the pointer outwards and inwards until they are further than the best.
 */
const struct radial_node *
radial_nearest(const struct radial_layout *l, const struct radial_view *v,
    int32_t x, int32_t y)
{
	double cx = v->width / 2.0 + v->centre_x, best = INFINITY;
	double cy = v->height / 2.0 + v->centre_y, far, dx, dy;
	const struct radial_node *n, *found = NULL;
	int32_t rings = 0, mid, ring;

	if (l->nnodes == 0 || l->ring_px <= 0)
		return (NULL);
	rings = (int32_t)l->nodes[l->nnodes - 1].ring + 1;
	far = hypot(x - cx, y - cy);
	mid = far / l->ring_px > rings ? rings : (int32_t)(far / l->ring_px);
	for (int32_t k = 0; k <= 2 * rings + 2; k++) {
		ring = k % 2 == 0 ? mid + k / 2 : mid - (k + 1) / 2;
		if (ring < 0 || ring >= rings ||
		    fabs(ring * l->ring_px - far) > best + 1)
			continue;
		for (size_t i = l->ring_first[ring];
		     i < l->ring_first[ring + 1]; i++) {
			n = &l->nodes[i];
			if (n->task == TASK_NONE)
				continue;
			dx = n->x / (double)SCENE_ONE - x;
			dy = n->y / (double)SCENE_ONE - y;
			if (hypot(dx, dy) < best) {
				best = hypot(dx, dy);
				found = n;
			}
		}
	}
	return (found);
}
