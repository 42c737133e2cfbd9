/*
 * Sums of functions over the whole run.  The model keeps them as spans end;
 * what goes on is added here: a wait, of all functions that it lies over.
 */
#include <stdlib.h>

#include "model/inside.h"

#define DEPTH_FEW 64 /* as a rule */

struct stats_rows {
	struct name_stats *out;
	uint32_t functions;
	/* by number of a function: where it is in out + 1; the last that
	 * counted for it */
	uint32_t *row, *seen;
};

/* Each function of the stack once, and the innermost by itself. */
static void
wait_add(const struct model *m, const struct span *s, size_t n, int64_t ns,
    struct stats_rows *r, uint32_t turn)
{
	uint32_t f, at;

	for (size_t i = 0; i < n; i++) {
		f = function_find(m, s[i].kind, s[i].name);
		at = f < r->functions ? r->row[f] : 0;
		if (at == 0)
			continue;
		if (r->seen[f] != turn)
			r->out[at - 1].waits_ns += ns;
		r->seen[f] = turn;
		if (i + 1 == n)
			r->out[at - 1].blocked_ns += ns;
	}
}

/* A thread that waits. */
static void
thread_add(const struct model *m, uint32_t lane, int64_t now,
    struct stats_rows *r)
{
	struct span last, few[DEPTH_FEW], *s;
	int64_t end;
	size_t n;

	if (model_lane_ended(m, lane, &end) ||
	    model_lane_span_at(m, lane, now, &last) != 1 ||
	    last.kind < SPAN_wait_message || last.t0_mon_ns >= now)
		return;
	n = model_stack_all(m, lane, now, few, DEPTH_FEW, &s);
	if (n > 1)
		wait_add(m, s, n - 1, now - last.t0_mon_ns, r, lane + 1);
	if (s != few)
		free(s);
}

size_t
model_name_stats(const struct model *m, struct name_stats *out, size_t max)
{
	uint32_t functions = model_functions(m) + 1;
	struct stats_rows r = { .out = out, .functions = functions };
	size_t n;
	unsigned door;

	r.row = max == 0 ? NULL : calloc(functions, 2 * sizeof(*r.row));
	n = functions_kept(m, out, max, r.row, functions);
	if (r.row == NULL)
		return (n);
	r.seen = r.row + functions;
	door = model_enter(m);
	for (uint32_t i = 0; i < model_lanes(m); i++)
		if (model_lane(m, i)->kind == LANE_THREAD)
			thread_add(m, i, model_last_ns(m), &r);
	model_leave(m, door);
	free(r.row);
	return (n);
}
