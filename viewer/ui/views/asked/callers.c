/*
 * The view Callers: which function called which, added up over all paths of the
 * panels' range; and what calls itself, over whom: who are in a circle have its
 * number.
 */
#include "ui/views/asked/callers.h"

#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "model/run/hand.h"
#include "ui/draw/draw.h"
#include "ui/views/view.h"

/* --- circles: sets that are joined --- */

static uint32_t
first_of(uint32_t *circle, uint32_t f)
{
	while (circle[f] != f)
		f = circle[f] = circle[circle[f]];
	return (f);
}

static void
join(uint32_t *circle, uint32_t a, uint32_t b)
{
	circle[a] = circle[a] == 0 ? a : circle[a];
	circle[b] = circle[b] == 0 ? b : circle[b];
	a = first_of(circle, a);
	b = first_of(circle, b);
	circle[a > b ? a : b] = a > b ? b : a;
}

/* It is further out, too: all between the two are in a circle. */
static void
circle_of(struct edges *e, const struct call *path, const struct call *c)
{
	uint32_t up = c->parent;

	if (c->function == 0 || c->function >= e->functions)
		return;
	join(e->circle, c->function, c->function);
	for (; up != CALL_NONE && path[up].function != c->function;
	     up = path[up].parent)
		if (path[up].function != 0 && path[up].function < e->functions)
			join(e->circle, c->function, path[up].function);
}

/* --- the sums --- */

static int
by_ends(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	const uint64_t p[] = { x->from_name, x->from_kind, x->to_name,
		x->to_kind };
	const uint64_t q[] = { y->from_name, y->from_kind, y->to_name,
		y->to_kind };

	for (size_t i = 0; i < 4; i++)
		if (p[i] != q[i])
			return (p[i] < q[i] ? -1 : 1);
	return (0);
}

int
edge_by_total(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->total_ns != y->total_ns)
		return (x->total_ns < y->total_ns ? 1 : -1);
	if (x->self_ns != y->self_ns)
		return (x->self_ns < y->self_ns ? 1 : -1);
	if (x->calls != y->calls)
		return (x->calls < y->calls ? 1 : -1);
	return (by_ends(a, b));
}

static void
add(struct edge *to, const struct edge *more)
{
	to->calls += more->calls;
	to->outer += more->outer;
	to->total_ns += more->total_ns;
	to->self_ns += more->self_ns;
	to->waits_ns += more->waits_ns;
	to->cpu_ns += more->cpu_ns;
	to->cpu_unknown |= more->cpu_unknown;
	if (more->longest_ns > to->longest_ns)
		to->longest_ns = more->longest_ns;
	if (more->shortest_ns < to->shortest_ns)
		to->shortest_ns = more->shortest_ns;
}

static void
edge_of(const struct call *path, const struct call *c, struct edge *e)
{
	const struct call *up =
	    c->parent == CALL_NONE ? NULL : &path[c->parent];

	*e = (struct edge){ .from_name = up == NULL ? 0 : up->name,
		.from_kind = up == NULL ? 0 : up->kind,
		.to_name = c->name,
		.to_kind = c->kind,
		.to = c->function,
		.calls = c->calls,
		.outer = c->again ? 0 : c->calls,
		.total_ns = c->again ? 0 : c->total_ns,
		.self_ns = c->self_ns,
		.waits_ns = c->blocked_ns,
		.cpu_ns = c->again ? 0 : c->cpu_ns,
		.cpu_unknown = c->cpu_unknown,
		.longest_ns = c->longest_ns,
		.shortest_ns = c->shortest_ns };
}

static void
merge(struct edges *e)
{
	size_t to = 0;

	if (e->n > 1)
		qsort(e->edge, e->n, sizeof(*e->edge), by_ends);
	for (size_t i = 1; i < e->n; i++)
		if (by_ends(&e->edge[to], &e->edge[i]) == 0)
			add(&e->edge[to], &e->edge[i]);
		else
			e->edge[++to] = e->edge[i];
	e->n = e->n == 0 ? 0 : to + 1;
	if (e->n > 1)
		qsort(e->edge, e->n, sizeof(*e->edge), edge_by_total);
}

/* Circles are numbered as they are met in the table. */
static void
number(struct edges *e)
{
	uint32_t *as = calloc(e->functions, sizeof(*as)), f;

	for (size_t i = 0; as != NULL && i < e->n; i++) {
		f = e->edge[i].to;
		if (f == 0 || f >= e->functions || e->circle[f] == 0)
			continue;
		f = first_of(e->circle, f);
		as[f] = as[f] == 0 ? ++e->circles : as[f];
		e->edge[i].circle = as[f];
	}
	free(as);
}

void
edges_clear(struct edges *e)
{
	free(e->edge);
	free(e->circle);
	e->edge = NULL;
	e->circle = NULL;
}

/* --- of whom --- */

struct callers_own *
callers_own(struct ui *ui)
{
	return (view_own(ui, VIEW_CALLERS, sizeof(struct callers_own)));
}

bool
callers_may(const struct ui *ui, uint32_t lane)
{
	return (model_lane_there(ui->model, lane) &&
		(lane >= HAND_LANE ||
		    model_lane(ui->model, lane)->kind <= LANE_DEPTH));
}

uint32_t
callers_row(struct ui *ui)
{
	const struct callers_own *o = callers_own(ui);
	uint32_t lane = ui->time.selected_lane;

	return (o != NULL && o->of_row && callers_may(ui, lane) ? lane
								: UINT32_MAX);
}

struct sums *
callers_sums(struct ui *ui)
{
	return (callers_row(ui) == UINT32_MAX ? &ui->figures.sums
					      : &ui->figures.row_sums);
}

bool
callers_prepare(struct ui *ui)
{
	return (sums_prepare(ui, callers_sums(ui), callers_row(ui)));
}

bool
edges_make(struct ui *ui, struct edges *e)
{
	const struct sums *s = callers_sums(ui);
	const struct call *path;
	size_t n;

	*e = (struct edges){ .functions = model_functions(ui->model) + 1 };
	if (s->shown == NULL || s->of.model != ui->model ||
	    s->of.lane != callers_row(ui))
		return (false);
	n = calls_paths(s->shown, &path);
	e->edge = calloc(n + 1, sizeof(*e->edge));
	e->circle = calloc(e->functions, sizeof(*e->circle));
	if (e->edge == NULL || e->circle == NULL) {
		edges_clear(e);
		return (false);
	}
	for (size_t i = 0; i < n; i++) {
		if (path[i].calls == 0 && path[i].total_ns == 0)
			continue;
		edge_of(path, &path[i], &e->edge[e->n++]);
		if (path[i].again)
			circle_of(e, path, &path[i]);
	}
	merge(e);
	number(e);
	return (true);
}
