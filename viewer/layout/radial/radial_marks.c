/*
 * What is drawn around the tree: its rings below, and above it where tasks
 * are hidden, how many, and which one is selected.
 */
#include <math.h>
#include <string.h>

#include "layout/radial/radial_inside.h"

#define LABEL_PX    52 /* along the circle, for one number */
#define LABELS      24
#define LABEL_LEAST 100 /* of so many tasks one at least is told of */
#define WEDGE_PX    2.0 /* narrower ones are lines */
#define MOST_RAD    0.2 /* of a wedge, that it need not be round */
#define SAMPLES     5
#define RAY_PX      1.7 /* apart, where they begin */

static void
ring(struct radial_drawing *r, uint32_t k, uint8_t alpha)
{
	struct item *it =
	    scene_mark(r->s, ITEM_CIRCLE, (int32_t)lrint(r->cx * SCENE_ONE),
		(int32_t)lrint(r->cy * SCENE_ONE),
		(int32_t)lrint(k * r->d * SCENE_ONE), r->pal->line);

	if (it != NULL)
		it->alpha = alpha;
}

static bool
has_circle(uint32_t rings, uint32_t step, uint32_t k)
{
	return (k + 1 == rings || (k % step == 0 && k + step / 2 < rings));
}

uint32_t
radial_ring_level(const struct radial_layout *l, uint32_t ring)
{
	struct condense c = { .ratio = l->lc.ratio[0], .t = l->lc.t };

	if (ring == 0 || ring >= l->rings || l->ring_step == 0 ||
	    !has_circle(l->rings, l->ring_step, ring))
		return (UINT32_MAX);
	return (condense_level(&c, ring) - l->lc.above);
}

/*
 * Circles of the rings, as many as have 22 px between them, and the last one;
 * the others, fainter, when they are asked for.
 */
void
radial_rings(struct radial_drawing *r)
{
	static const uint32_t steps[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500 };
	uint32_t step = 1000, rings = r->tree.condense.rings;

	r->l->ring_step = 0;
	if (r->v->form != RADIAL_POLYGONS)
		return;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (steps[i] * r->d >= 22) {
			step = steps[i];
			break;
		}
	r->l->ring_step = step;
	for (uint32_t k = 1; k < rings && k * r->d <= r->reach; k++) {
		if (has_circle(rings, step, k))
			ring(r, k, 255);
		else if (r->v->all_rings)
			ring(r, k, 120);
	}
}

/* Numbers of what is hidden, gathered by direction. */
struct hidden {
	uint64_t tasks[LABELS];
	double far[LABELS]; /* px from the centre */
	unsigned n;
};

/* Of a task and of some of those below it, which are hidden. */
uint32_t
radial_mean_colour(const struct radial_drawing *r, uint32_t task)
{
	const struct model *m = r->tree.m;
	uint32_t sample[SAMPLES], n = 0, rgb = 0, dot, one;

	sample[n++] = task;
	for (uint32_t t = model_task_first(m, task);
	     t != TASK_NONE && n < SAMPLES; t = model_task_first(m, t)) {
		sample[n++] = t;
		one = model_task_next(m, t);
		if (one != TASK_NONE && n < SAMPLES)
			sample[n++] = one;
	}
	for (uint32_t i = 0; i < n; i++) {
		one = radial_colour_of(r, sample[i], &dot);
		rgb = i == 0 ? one : palette_mix(rgb, one, 255 / (i + 1));
	}
	return (rgb);
}

/* From the task to the ring that is the mean of those of what is hidden, as
 * wide as its sector. */
static void
wedge(struct radial_drawing *r, const struct radial_node *n, double far)
{
	double angle = radial_angle(r->v, n), half = (double)n->arc_rad / 2;
	uint32_t rgb, dot;
	struct item *it;
	size_t at = r->s->n, first = r->s->npoints;

	half = half > MOST_RAD / 2 ? MOST_RAD / 2 : half;
	if (2 * half * far < WEDGE_PX) {
		rgb = radial_colour_of(r, n->task, &dot);
		scene_line(r->s, n->x, n->y,
		    (int32_t)lrint((r->cx + far * cos(angle)) * SCENE_ONE),
		    (int32_t)lrint((r->cy + far * sin(angle)) * SCENE_ONE),
		    SCENE_ONE, rgb);
	} else {
		rgb = radial_mean_colour(r, n->task);
		scene_point(r->s, n->x, n->y);
		radial_point(r, far, angle - half);
		radial_point(r, far, angle + half);
		scene_poly(r->s, first, rgb);
	}
	if (r->s->n == at)
		return;
	it = &r->s->items[at];
	it->alpha = HIDDEN_ALPHA;
	it->of = OF_TASK;
	it->id = n->task;
}

/* "+12k": three figures at most. */
static void
shorten(char *buf, size_t n, uint64_t v)
{
	static const char unit[] = " kMG";
	double x = (double)v;
	int i = 0;

	for (; x >= 999.5 && i < 3; i++)
		x /= 1000;
	if (i == 0)
		snprintf(buf, n, "+%u", (unsigned)v);
	else
		snprintf(buf, n, x < 9.95 ? "+%.1f%c" : "+%.0f%c", x, unit[i]);
}

/*
 * Numbers from the first direction on; one that would lie on the one before
 * is added to it.
 */
static void
labels(struct radial_drawing *r, struct hidden *h)
{
	double angle, x, y, px = 0, py = 0, far;
	uint64_t sum = 0;
	char text[16];

	for (unsigned i = 0; i <= h->n; i++) {
		if (i < h->n && h->tasks[i] == 0)
			continue;
		angle = (i + 0.5) * TURN / h->n + TOP + r->v->rotate_rad;
		far = 14 + (i < h->n ? h->far[i] : 0);
		x = r->cx + far * cos(angle);
		y = r->cy + far * sin(angle);
		if (i < h->n && sum > 0 && fabs(x - px) < 40 &&
		    fabs(y - py) < 14) {
			sum += h->tasks[i];
			continue;
		}
		if (sum * LABEL_LEAST > r->l->tasks) {
			shorten(text, sizeof(text), sum);
			py = py < 10 ? 10 : py;
			scene_text(r->s,
			    (int32_t)lrint(
				(px - 3.2 * (double)strlen(text)) * SCENE_ONE),
			    (int32_t)lrint((py + 4) * SCENE_ONE), 0, 0,
			    r->pal->dim, text);
		}
		px = x;
		py = y;
		sum = i < h->n ? h->tasks[i] : 0;
	}
}

/*
 * Where tasks are too small to be drawn, a faint wedge of their mean colour
 * goes to the ring that is the mean of theirs; outside of the tree stands how
 * many they are in this direction.
 */
void
radial_hidden(struct radial_drawing *r)
{
	struct radial_layout *l = r->l;
	struct hidden h = { .n = 0 };
	uint32_t ring = UINT32_MAX;
	double far, round, last = 0, edge = (r->fit_rings - 0.5) * r->d;
	unsigned i;

	if (l->pruned == 0 || r->v->form != RADIAL_POLYGONS)
		return;
	round = TURN * r->d * (r->tree.condense.rings - 1) / LABEL_PX;
	h.n = round < 1 ? 1 : round > LABELS ? LABELS : (unsigned)round;
	for (const struct radial_node *n = l->nodes; n < l->nodes + l->nnodes;
	     n++) {
		if (n->task == TASK_NONE)
			continue;
		i = (unsigned)((n->from_rad + n->arc_rad / 2) / TURN * h.n);
		i = i < h.n ? i : h.n - 1;
		far = n->ring * r->d;
		if (n->pruned > 0) {
			far = radial_mean_ring(&r->tree, n->task) * r->d;
			far = far < (n->ring + 0.7) * r->d
				  ? (n->ring + 0.7) * r->d
				  : far;
			far = far > edge && n->ring * r->d < edge ? edge : far;
			if (n->ring != ring ||
			    (n->from_rad - last) * n->ring * r->d > RAY_PX) {
				wedge(r, n, far);
				ring = n->ring;
				last = n->from_rad;
			}
			h.tasks[i] += n->pruned;
		}
		h.far[i] = far > h.far[i] ? far : h.far[i];
	}
	labels(r, &h);
}

/* Rings the selected task, or the nearest above it that is drawn. */
void
radial_selected(struct radial_drawing *r)
{
	uint32_t t = model_task_by_id(r->tree.m, r->v->selected_task);
	const struct radial_node *n;
	struct item *it;

	if (r->v->selected_task == 0 || t == TASK_NONE)
		return;
	n = radial_find(r->l, r->tree.m, t);
	if (n == NULL)
		return;
	it = scene_mark(r->s, ITEM_CIRCLE, n->x, n->y, 6 * SCENE_ONE,
	    r->pal->text);
	if (it != NULL) {
		it->of = OF_TASK;
		it->id = n->task;
	}
}
