/*
 * What the selected task has from others, and others from it: a value that
 * one task made (future_set) and another took (future_get).  The links of the
 * model lie between threads; whose they are is told by the task that ran
 * there at that time.  A value that came only after its taker had begun was
 * waited for: such an edge tells of a suspension.
 */
#include <math.h>
#include <stdlib.h>

#include "event.h"
#include "layout/radial/radial_inside.h"

#define LINKS_MAX 4096
#define EDGES_MAX 128
#define SPANS_MAX 8
#define BESIDE_PX 64.0 /* the head of one that goes on is not seen */

/* The task that a thread is in at an instant. */
static uint32_t
task_on(const struct model *m, uint32_t lane, int64_t t_mon_ns)
{
	struct span s[SPANS_MAX];
	size_t n =
	    model_lane_spans(m, lane, t_mon_ns, t_mon_ns + 1, s, SPANS_MAX);
	uint32_t task = TASK_NONE, found;

	n = n > SPANS_MAX ? SPANS_MAX : n;
	for (size_t i = 0; i < n; i++) {
		if (s[i].kind != SPAN_task)
			continue;
		found = model_task_by_id(m, s[i].id);
		task = found != TASK_NONE ? found : task;
	}
	return (task);
}

static bool
waited(const struct model *m, uint32_t taker, int64_t made_ns)
{
	int64_t begun = model_task_begin(m, taker);

	return (model_task_suspended(m, taker) && begun != INT64_MIN &&
		begun < made_ns);
}

/* Of a line what lies within the window and some px around it; false: none. */
static bool
cut(const struct radial_drawing *r, double p[4])
{
	double lo[2] = { -BESIDE_PX, -BESIDE_PX }, from = 0, to = 1;
	double hi[2] = { r->v->width + BESIDE_PX, r->v->height + BESIDE_PX };
	double at[2] = { p[0], p[1] }, by[2] = { p[2] - p[0], p[3] - p[1] };

	for (int i = 0; i < 2; i++) {
		double a = (lo[i] - at[i]) / by[i], b = (hi[i] - at[i]) / by[i];

		if (by[i] == 0) {
			if (at[i] < lo[i] || at[i] > hi[i])
				return (false);
			continue;
		}
		from = fmax(from, fmin(a, b));
		to = fmin(to, fmax(a, b));
	}
	for (int i = 0; i < 2 && from < to; i++) {
		p[i] = at[i] + from * by[i];
		p[2 + i] = at[i] + to * by[i];
	}
	return (from < to);
}

/*
 * From where the one lies to where the other lies, whatever of them is drawn,
 * so that it stays the same line when the view is zoomed and moved.
 */
static bool
draw(struct radial_drawing *r, const struct radial_edge *e)
{
	struct radial_node a, b;
	double p[4];
	struct item *it;

	if (!radial_locate(r, e->from, &a) || !radial_locate(r, e->to, &b) ||
	    (a.x == b.x && a.y == b.y))
		return (false);
	p[0] = (double)a.x / SCENE_ONE;
	p[1] = (double)a.y / SCENE_ONE;
	p[2] = (double)b.x / SCENE_ONE;
	p[3] = (double)b.y / SCENE_ONE;
	if (!cut(r, p))
		return (true); /* it lies beside the window */
	it = scene_add(r->s, ITEM_ARROW,
	    e->waited ? r->pal->state[LANE_wait_lock] : r->pal->accent);
	if (it == NULL)
		return (false);
	it->x0 = (int32_t)lrint(p[0] * SCENE_ONE);
	it->y0 = (int32_t)lrint(p[1] * SCENE_ONE);
	it->x1 = (int32_t)lrint(p[2] * SCENE_ONE);
	it->y1 = (int32_t)lrint(p[3] * SCENE_ONE);
	it->w = SCENE_ONE * 5 / 4;
	it->alpha = 220;
	it->of = OF_TASK;
	it->id = e->from;
	return (true);
}

/* Which two tasks a link is between; false: not with the one that is asked. */
static bool
ends(const struct model *m, const struct link *k, uint32_t task,
    struct radial_edge *e)
{
	if (k->kind0 != EV_future_set || k->t1_mon_ns == INT64_MAX)
		return (false);
	e->from = task_on(m, k->lane0, k->t0_mon_ns);
	if (e->from == TASK_NONE)
		return (false);
	e->to = task_on(m, k->lane1, k->t1_mon_ns);
	if (e->to == TASK_NONE || (e->from != task && e->to != task))
		return (false);
	e->waited = waited(m, e->to, k->t0_mon_ns);
	return (true);
}

size_t
radial_edges_of(const struct model *m, uint32_t task, struct radial_edge *out,
    size_t max)
{
	struct link *links = malloc((LINKS_MAX + 1) * sizeof(*links));
	const struct task *t = model_task(m, task);
	int64_t t0 = t->begin_mon_ns, t1 = t->end_mon_ns;
	size_t n = 0, found;
	unsigned door;

	if (links == NULL || t0 == INT64_MIN) {
		free(links);
		return (0);
	}
	t1 = t1 == INT64_MIN ? model_last_ns(m) : t1;
	found = model_links(m, t0, t1 + 1, links, LINKS_MAX);
	found = found > LINKS_MAX ? LINKS_MAX : found;
	door = model_enter(m);
	for (size_t i = 0; i < found && n < max; i++)
		n += ends(m, &links[i], task, &out[n]);
	model_leave(m, door);
	free(links);
	return (n);
}

void
radial_edges(struct radial_drawing *r)
{
	struct radial_edge e[EDGES_MAX];
	uint32_t t = model_task_by_id(r->tree.m, r->v->selected_task);
	size_t n;

	if (!r->v->edges || r->v->selected_task == 0 || t == TASK_NONE)
		return;
	n = radial_edges_of(r->tree.m, t, e, EDGES_MAX);
	for (size_t i = 0; i < n; i++) {
		if (!draw(r, &e[i]))
			continue;
		if (e[i].to == t)
			r->l->values.in++;
		else
			r->l->values.out++;
		r->l->values.waited += e[i].waited;
	}
}
