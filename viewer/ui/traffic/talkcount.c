/*
 * Counts messages and phases of calls of a range from the links.
 *
 * Links are looked at by when their effect was; a piece of time after the
 * other, and a piece with too many links is cut.  What a callee took, and a
 * call as a whole, has no link: both are found by the call's id in the links at
 * its two ends.  Of a call that began before the range the first is sought
 * backwards from there.
 */
#include "talkcount.h"

#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "linkpiece.h"

struct po_key {
	uint64_t place; /* node << 32 | PO */
	uint32_t number;
};

static int
by_place(const void *a, const void *b)
{
	const struct po_key *p = a, *q = b;

	return (p->place < q->place ? -1 : p->place > q->place);
}

/* POs in order of nodes.  NULL: ENOMEM. */
static struct po_key *
po_keys(const struct model *m, uint32_t *n)
{
	uint32_t all = model_pos(m), node, po;
	struct po_key *v = malloc((all + 1) * sizeof(*v));

	*n = 0;
	for (uint32_t i = 0; v != NULL && i < all; i++)
		if (model_po(m, i, &node, &po) == 0 && po != 0)
			v[(*n)++] =
			    (struct po_key){ (uint64_t)node << 32 | po, i };
	if (v != NULL && *n > 1)
		qsort(v, *n, sizeof(*v), by_place);
	return (v);
}

bool
talk_places(const struct model *m, uint32_t lanes, bool threads, uint32_t *out)
{
	uint32_t n;
	struct po_key *pos = po_keys(m, &n), *found, key;

	if (pos == NULL)
		return (false);
	for (uint32_t i = 0; i < lanes; i++) {
		const struct lane *l = model_lane(m, i);

		key.place = (uint64_t)l->node << 32 | l->po;
		out[i] = UINT32_MAX;
		if (l->kind > LANE_DEPTH || l->kind < LANE_PO || n == 0)
			continue;
		found = bsearch(&key, pos, n, sizeof(*pos), by_place);
		if (found != NULL)
			out[i] = !threads                ? found->number
				 : l->kind == LANE_DEPTH ? l->parent
							 : i;
	}
	free(pos);
	return (true);
}

bool
talk_count_begin(struct talk_count *k, const struct model *m, int64_t t0,
    int64_t t1, bool threads)
{
	talk_count_clear(k);
	k->sums.heap = true;
	k->model = m;
	k->t0 = k->at_ns = k->back_ns = t0;
	k->t1 = t1;
	k->step_ns = (t1 - t0) / 64 + 1;
	k->lanes = model_lanes(m);
	k->place = malloc((k->lanes + 1) * sizeof(*k->place));
	return (
	    k->place != NULL && talk_places(m, k->lanes, threads, k->place));
}

void
talk_count_clear(struct talk_count *k)
{
	free(k->place);
	talk_sums_clear(&k->sums);
	underway_clear(&k->calls);
	underway_clear(&k->lacking);
	memset(k, 0, sizeof(*k));
}

static void
found(struct talk_count *k, uint32_t from, uint32_t to, enum talk what,
    uint64_t bytes, int64_t ns)
{
	struct talk_pair p = { from, to, what, 1, bytes, ns };

	if (from != UINT32_MAX && to != UINT32_MAX &&
	    talk_sums_add(&k->sums, &p) == -1)
		k->failed = true;
}

static uint32_t
place_of(const struct talk_count *k, uint32_t lane)
{
	return (lane < k->lanes ? k->place[lane] : UINT32_MAX);
}

/* Those whose effect was in [at, t1): messages, and where calls begin. */
static void
take_begun(struct talk_count *k, const struct link *l, int64_t t1)
{
	bool in = l->t1_mon_ns >= k->at_ns && l->t1_mon_ns < t1;
	bool open = l->t1_mon_ns == INT64_MAX && l->t0_mon_ns >= k->at_ns &&
		    l->t0_mon_ns < t1;
	uint32_t from = place_of(k, l->lane0), to = place_of(k, l->lane1);
	struct underway_call c = { l->id, l->t0_mon_ns,
		open ? INT64_MIN : l->t1_mon_ns, INT64_MIN, INT64_MIN, from, to,
		true };

	if (in && l->kind0 == EV_send)
		found(k, from, to, TALK_MESSAGE, l->bytes,
		    l->t1_mon_ns - l->t0_mon_ns);
	if (l->kind0 != EV_rpc_call || !(in || open))
		return;
	if (in)
		found(k, from, to, TALK_SETUP, l->bytes,
		    l->t1_mon_ns - l->t0_mon_ns);
	if (underway_add(&k->calls, &c) == -1)
		k->failed = true;
}

/* It began before the range. */
static void
lacks(struct talk_count *k, const struct link *l, bool back)
{
	struct underway_call *had = underway_find(&k->lacking, l->id);
	struct underway_call c = { l->id, 0, 0, INT64_MIN, INT64_MIN,
		place_of(k, l->lane1), place_of(k, l->lane0), true };

	if (had != NULL)
		c = *had;
	if (back) {
		c.return_ns = l->t1_mon_ns;
		c.from = place_of(k, l->lane1);
	} else {
		c.end_ns = l->t0_mon_ns;
	}
	if (underway_add(&k->lacking, &c) == -1)
		k->failed = true;
}

/* A call was answered in [at, t1), or its answer was back then. */
static void
take_answer(struct talk_count *k, const struct link *l, int64_t t1, bool back)
{
	int64_t t = back ? l->t1_mon_ns : l->t0_mon_ns;
	struct underway_call *c;

	if (l->kind0 != EV_rpc_end || t < k->at_ns || t >= t1)
		return;
	if (back)
		found(k, place_of(k, l->lane1), place_of(k, l->lane0),
		    TALK_RETURN, l->bytes, l->t1_mon_ns - l->t0_mon_ns);
	c = underway_find(&k->calls, l->id);
	if (c == NULL) {
		lacks(k, l, back);
	} else if (!back) {
		if (c->begin_ns != INT64_MIN)
			found(k, c->from, c->to, TALK_REMOTE, 0,
			    t - c->begin_ns);
	} else {
		found(k, place_of(k, l->lane1), place_of(k, l->lane0),
		    TALK_WHOLE, 0, t - c->call_ns);
		underway_drop(&k->calls, c);
	}
}

/* The first end of a call that came back in the range. */
static void
take_lacking(struct talk_count *k, const struct link *l, int64_t t0)
{
	struct underway_call *c;
	int64_t t = l->t1_mon_ns == INT64_MAX ? l->t0_mon_ns : l->t1_mon_ns;

	if (l->kind0 != EV_rpc_call || t < t0 || t >= k->back_ns)
		return;
	c = underway_find(&k->lacking, l->id);
	if (c == NULL)
		return;
	if (c->end_ns != INT64_MIN && l->t1_mon_ns != INT64_MAX)
		found(k, place_of(k, l->lane0), c->to, TALK_REMOTE, 0,
		    c->end_ns - l->t1_mon_ns);
	if (c->return_ns != INT64_MIN)
		found(k, c->from, c->to, TALK_WHOLE, 0,
		    c->return_ns - l->t0_mon_ns);
	underway_drop(&k->lacking, c);
}

static bool
step_on(struct talk_count *k)
{
	int64_t t1 = k->t1;
	size_t n = 0;
	struct link *links =
	    link_piece(k->model, k->at_ns, k->t1, 1, &k->step_ns, &t1, &n);

	for (size_t i = 0; links != NULL && i < n; i++)
		take_begun(k, &links[i], t1);
	for (size_t i = 0; links != NULL && i < n; i++)
		take_answer(k, &links[i], t1, false);
	for (size_t i = 0; links != NULL && i < n; i++)
		if (links[i].t1_mon_ns != INT64_MAX)
			take_answer(k, &links[i], t1, true);
	k->failed |= links == NULL;
	free(links);
	k->at_ns = t1;
	return (k->failed);
}

static bool
step_back(struct talk_count *k)
{
	int64_t first = model_first_ns(k->model), t0 = first;
	struct link *links;
	size_t n = 0;

	if (k->back_ns <= first)
		return (true);
	links =
	    link_piece(k->model, first, k->back_ns, -1, &k->step_ns, &t0, &n);
	for (size_t i = 0; links != NULL && i < n; i++)
		take_lacking(k, &links[i], t0);
	k->failed |= links == NULL;
	free(links);
	k->back_ns = t0;
	return (k->failed);
}

bool
talk_count_step(struct talk_count *k)
{
	if (k->at_ns < k->t1)
		return (step_on(k) || (k->at_ns >= k->t1 && k->lacking.n == 0));
	return (k->lacking.n == 0 || step_back(k) || k->lacking.n == 0);
}
