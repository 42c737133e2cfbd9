/* What a thread did, path by path, and what comes of it for all of them. */
#include "model/calls/calls_inside.h"

#include <stdlib.h>

struct call_cell *
calls_cell(struct calls *k, uint32_t path)
{
	uint32_t cap = k->thread.cell_cap == 0 ? 64 : k->thread.cell_cap * 2;
	struct call_cell *c;

	if (k->thread.here[path] != 0)
		return (&k->thread.cell[k->thread.here[path] - 1]);
	if (k->thread.ncells == k->thread.cell_cap) {
		c = realloc(k->thread.cell, cap * sizeof(*c));
		if (c == NULL) {
			k->failed = true;
			return (NULL);
		}
		k->thread.cell = c;
		k->thread.cell_cap = cap;
	}
	c = &k->thread.cell[k->thread.ncells++];
	*c = (struct call_cell){ .lane = k->at,
		.path = path,
		.shortest_ns = INT64_MAX,
		.first_ns = INT64_MAX,
		.last_ns = INT64_MIN };
	k->thread.here[path] = k->thread.ncells;
	return (c);
}

/* One of its calls is over. */
static void
cell_over(struct calls *k, struct call_cell *c, int64_t ns)
{
	c->shortest_ns = ns < c->shortest_ns ? ns : c->shortest_ns;
	calls_over(k, c->path, ns);
}

void
calls_cell_run(struct calls *k, struct call_cell *c, bool edge)
{
	if (c->any && !c->cut)
		cell_over(k, c, c->run_ns);
	c->any = true;
	c->cut = edge;
	c->run_ns = 0;
	c->head |= edge;
	c->run_first = edge;
}

void
calls_cell_time(struct call_cell *c, int64_t a, int64_t b, bool waits,
    int64_t cpu_ns)
{
	c->cpu_ns += cpu_ns > 0 ? cpu_ns : 0;
	c->cpu_unknown |= cpu_ns < 0;
	c->been = true;
	c->total_ns += b - a;
	c->blocked_ns += waits ? b - a : 0;
	c->run_ns += b - a;
	if (c->run_first)
		c->head_ns = c->run_ns;
	c->longest_ns = c->run_ns > c->longest_ns ? c->run_ns : c->longest_ns;
	c->first_ns = a < c->first_ns ? a : c->first_ns;
	c->last_ns = b > c->last_ns ? b : c->last_ns;
}

void
calls_cell_add(struct calls *k, struct call_cell *c,
    const struct call_cell *more)
{
	bool joined = c->open && more->head;
	int64_t ns = joined ? c->run_ns + more->head_ns : more->longest_ns;

	if (c->any && !c->cut && !(joined && more->run_first))
		cell_over(k, c, joined ? ns : c->run_ns);
	if (more->shortest_ns < c->shortest_ns)
		c->shortest_ns = more->shortest_ns;
	c->cut = joined && more->run_first ? c->cut : more->cut;
	c->any |= more->any;
	c->cpu_ns += more->cpu_ns;
	c->cpu_unknown |= more->cpu_unknown;
	c->calls += more->calls;
	c->total_ns += more->total_ns;
	c->blocked_ns += more->blocked_ns;
	c->longest_ns = c->longest_ns > ns ? c->longest_ns : ns;
	if (more->longest_ns > c->longest_ns)
		c->longest_ns = more->longest_ns;
	if (joined && c->run_first)
		c->head_ns = ns;
	c->run_ns = joined && more->run_first ? ns : more->run_ns;
	c->run_first = joined && more->run_first && c->run_first;
	c->first_ns =
	    c->first_ns < more->first_ns ? c->first_ns : more->first_ns;
	c->last_ns = c->last_ns > more->last_ns ? c->last_ns : more->last_ns;
	c->been |= more->been;
	c->open = more->open;
}

/* So much more was in the function itself. */
static void
fold_self(struct calls *k, const struct call *p, int64_t ns)
{
	if (p->function != 0 && p->function < k->rows)
		k->row[p->function].self_ns += ns;
}

static void
fold_path(struct calls *k, struct call_cell *c)
{
	struct call *p = &k->path[c->path];

	if (c->any && !c->cut && !c->open)
		cell_over(k, c, c->run_ns);
	p->calls += c->calls;
	p->total_ns += c->total_ns;
	p->self_ns += c->total_ns;
	fold_self(k, p, c->total_ns - c->blocked_ns);
	if (p->parent != CALL_NONE) {
		k->path[p->parent].self_ns -= c->total_ns;
		fold_self(k, &k->path[p->parent], -c->total_ns);
	}
	p->blocked_ns += c->blocked_ns;
	p->cpu_ns += c->cpu_ns;
	p->cpu_unknown |= c->cpu_unknown;
	if (c->longest_ns > p->longest_ns)
		p->longest_ns = c->longest_ns;
	if (c->shortest_ns < p->shortest_ns)
		p->shortest_ns = c->shortest_ns;
	p->first_ns = c->first_ns < p->first_ns ? c->first_ns : p->first_ns;
	p->last_ns = c->last_ns > p->last_ns ? c->last_ns : p->last_ns;
	p->threads += c->been;
	/* the thread that is longest in a path is the one that is told */
	if (c->been && (p->lane == UINT32_MAX || c->total_ns > p->lane_ns)) {
		p->lane = c->lane;
		p->lane_ns = c->total_ns;
	}
}

/* Its waits are those of all functions further out, too. */
static void
fold_waits(struct calls *k, const struct call_cell *c)
{
	const struct call *p;

	for (uint32_t i = c->path; i != CALL_NONE; i = p->parent) {
		p = &k->path[i];
		if (!p->again && p->function != 0 && p->function < k->rows)
			k->row[p->function].waits_ns += c->blocked_ns;
	}
}

/* Tasks: time on this PE, or on the last of them. */
static void
fold_name(struct calls *k, const struct call_cell *c)
{
	const struct call *p = &k->path[c->path];
	struct name_stats *st;

	if (p->function == 0 || p->function >= k->rows)
		return;
	st = &k->row[p->function];
	st->calls += c->calls;
	st->blocked_ns += c->blocked_ns;
	if (c->blocked_ns > 0)
		fold_waits(k, c);
	if (p->again) /* it is part of the time of the outermost */
		return;
	st->outer += c->calls;
	st->total_ns += c->total_ns;
	st->cpu_ns += c->cpu_ns;
	st->cpu_unknown |= c->cpu_unknown;
	if (c->longest_ns > st->max_ns)
		st->max_ns = c->longest_ns;
	if (p->kind == SPAN_task && k->thread.pe >= 0)
		st->by_pe[k->thread.pe > 15 ? 15 : k->thread.pe] +=
		    (uint64_t)c->total_ns;
}

/* What was swept of the thread comes before what was read. */
static void
fold_swept(struct calls *k)
{
	const struct call_cell *c;
	struct call_cell was, *is;
	size_t n = sweep_lane(k->swept, k->at, &c);
	uint32_t path;
	int pe = sweep_pe(k->swept, k->at);

	if (k->thread.pe < 0)
		k->thread.pe = pe;
	for (size_t i = 0; i < n && !k->failed; i++) {
		path = sweep_path(k->swept, k, c[i].path);
		if (path == CALL_NONE)
			return;
		was = c[i];
		was.path = path;
		if (k->thread.here[path] != 0) {
			calls_cell_add(k, &was,
			    &k->thread.cell[k->thread.here[path] - 1]);
			k->thread.cell[k->thread.here[path] - 1] = was;
		} else if ((is = calls_cell(k, path)) != NULL) {
			*is = was;
		}
	}
}

void
calls_fold(struct calls *k)
{
	if (k->swept != NULL)
		fold_swept(k);
	for (uint32_t i = 0; i < k->thread.ncells; i++) {
		fold_path(k, &k->thread.cell[i]);
		fold_name(k, &k->thread.cell[i]);
	}
}
