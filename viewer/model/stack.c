/*
 * The call stack of a thread at any instant, from what its lanes keep: the
 * span of each depth, and the wait that lies over the innermost one.
 *
 * A wait hides the span in which it happens.  What was in that lane before
 * the wait is going on, unless it was idle.
 */
#include <stdlib.h>

#include "model/inside.h"

static void
span_of(const struct model *m, const struct lod_piece *p, unsigned depth,
    struct span *out)
{
	const struct lod_state *s = &lanes_of(m)->states[p->state];

	*out = (struct span){ .t0_mon_ns = p->t0_ns,
		.t1_mon_ns = p->t1_ns,
		.name = s->name,
		.class = s->class,
		.kind = s->kind,
		.depth = (uint16_t)depth,
		.id = span_id(m, s->kind, p->id) };
}

/* Of one lane: its span, and the wait over it into *wait. */
static size_t
stack_add(const struct model *m, uint32_t lane, int64_t t, unsigned depth,
    struct span *out, size_t n, size_t max, struct span *wait)
{
	const struct lod *l = atomic_load(&lane_at(m, lane)->lod);
	struct lod_piece p, over;

	if (l == NULL || !lod_piece_at(l, t, &p))
		return (n);
	if (state_waits(&lanes_of(m)->states[p.state])) {
		span_of(m, &p, depth, wait);
		if (lanes_of(m)->states[p.state].kind == SPAN_none)
			return (n); /* what it says of itself is over nothing */
		over = p;
		if (!lane_under(m, lane, &over, &p))
			return (n);
	}
	if (lanes_of(m)->states[p.state].class == LANE_idle)
		return (n);
	if (n < max)
		span_of(m, &p, depth, &out[n]);
	return (n + 1);
}

size_t
model_stack(const struct model *m, uint32_t lane, int64_t t, struct span *out,
    size_t max)
{
	struct retired *r;
	uint32_t child;
	struct span wait = { .class = LANE_idle };
	const struct lod *own;
	struct lod_piece p;
	unsigned door;
	int64_t end;
	size_t n = 0;

	m = t < INT64_MAX ? detail_of_lane(m, lane, t, t + 1) : m;
	r = (struct retired *)&held_of(m)->retired;
	child = model_lane_first_child(m, lane);
	if (model_lane_ended(m, lane, &end) && t >= end)
		return (0);
	door = retired_enter(r);
	own = atomic_load(&lane_at(m, lane)->lod);
	if (own != NULL && lod_piece_at(own, t, &p) &&
	    lanes_of(m)->states[p.state].class == LANE_lost) {
		if (max > 0)
			span_of(m, &p, 0, &out[0]);
		n = 1;
	} else if (child == UINT32_MAX) {
		n = stack_add(m, lane, t, 0, out, n, max, &wait);
	} else {
		for (size_t was = n - 1; child != UINT32_MAX && n != was;
		     child = model_lane_next_sibling(m, child)) {
			was = n; /* further in there is nothing, either */
			n = stack_add(m, child, t, lane_at(m, child)->pub.depth,
			    out, n, max, &wait);
		}
	}
	if (wait.class != LANE_idle || wait.kind != SPAN_none) {
		if (n < max)
			out[n] = wait;
		n++;
	}
	retired_leave(r, door);
	return (n);
}

size_t
model_stack_all(const struct model *m, uint32_t lane, int64_t t,
    struct span *few, size_t nfew, struct span **all)
{
	size_t room = nfew, n = model_stack(m, lane, t, few, nfew);

	*all = few;
	while (n > room) { /* it may grow meanwhile */
		if (*all != few)
			free(*all);
		room = n;
		*all = malloc(room * sizeof(**all));
		if (*all == NULL) {
			*all = few;
			return (nfew);
		}
		n = model_stack(m, lane, t, *all, room);
	}
	return (n);
}

#define DEPTH_FEW 64 /* as a rule */

uint32_t
model_call_at(const struct model *m, uint32_t lane, int64_t t)
{
	struct span few[DEPTH_FEW], *s;
	size_t n = model_stack_all(m, lane, t, few, DEPTH_FEW, &s);
	uint32_t name;

	while (n > 0 && s[n - 1].kind >= SPAN_wait_message)
		n--;
	/* what it says of itself is no call */
	name = n > 0 && s[n - 1].kind != SPAN_none ? s[n - 1].name : 0;
	if (s != few)
		free(s);
	return (name);
}
