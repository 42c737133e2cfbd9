/*
 * The controlled logical clock, on line.
 *
 * Any order of processing in which causes come before effects gives the same
 * times, so there is no need to sort first: lanes are worked off one after
 * another, each until it needs something that is not there yet (Kahn's
 * topological order, by streams).  That is kind to the cache, and what waits is
 * woken by exactly the event it waited for.
 */
#include "causal.h"

#include <stdlib.h>
#include <string.h>

#define ORPHANED_MAX (1 << 20) /* 100 MB at most */

int
causal_init(struct causal *c, int64_t l_min_ns, size_t causes_max,
    struct doubt *doubt)
{
	memset(c, 0, sizeof(*c));
	causes_init(&c->causes, causes_max);
	c->causes.traced = true;
	causes_init(&c->pending, SIZE_MAX);
	causes_init(&c->orphaned, ORPHANED_MAX);
	c->doubt = doubt;
	c->l_min_ns = l_min_ns;
	return (
	    causes_begin(&c->causes) == -1 || causes_begin(&c->orphaned) == -1
		? -1
		: 0);
}

void
causal_clear(struct causal *c)
{
	causes_clear(&c->causes);
	causes_clear(&c->pending);
	causes_clear(&c->orphaned);
	free(c->parked);
	free(c->woken);
	memset(c, 0, sizeof(*c));
}

size_t
causal_bytes(const struct causal *c)
{
	return (causes_bytes(&c->causes) + causes_bytes(&c->pending) +
		causes_bytes(&c->orphaned));
}

int
causal_lanes(struct causal *c, struct lane *lanes, size_t n)
{
	uint32_t *p;

	p = realloc(c->parked, n * sizeof(*p));
	if (p == NULL)
		return (-1);
	c->parked = p;
	p = realloc(c->woken, n * sizeof(*p));
	if (p == NULL)
		return (-1);
	c->woken = p;
	c->lanes = lanes;
	return (0);
}

static void
causal_park(struct causal *c, uint32_t lane, uint64_t id, uint32_t need,
    int64_t mapped_ns, int64_t low_ns)
{
	struct lane *l = &c->lanes[lane];

	l->parked = true;
	l->place = c->parked_n;
	c->parked[c->parked_n++] = lane;
	l->wait_id = id;
	l->wait_need = need;
	l->wait_next = CAUSE_LANE_NONE;
	l->wait_low_ns = low_ns;
	l->wait_from_ns = c->now_ns;
	l->wait_expire_ns = mapped_ns + c->margin_ns;
}

static void
causal_wake(struct causal *c, uint32_t lane)
{
	struct lane *l = &c->lanes[lane];
	uint32_t last = c->parked[--c->parked_n];

	l->parked = false;
	c->parked[l->place] = last;
	c->lanes[last].place = l->place;
	c->woken[c->woken_n++] = lane;
}

/*
 * Behind the others that wait for the same, when each cause serves one; else
 * the least demanding first, so that one look tells whether to wake.
 */
static void
causal_enlist(struct causal *c, struct cause *e, uint32_t lane, bool one)
{
	struct lane *l = &c->lanes[lane];
	uint32_t *at = &e->waiter;

	while (*at != CAUSE_LANE_NONE &&
	       (one || c->lanes[*at].wait_need < l->wait_need))
		at = &c->lanes[*at].wait_next;
	l->wait_next = *at;
	*at = lane;
}

static int64_t
causal_after(const struct causal *c, const struct lane *l,
    const struct cause *e)
{
	/* later even on one node, so that no reader can take them the wrong
	 * way round */
	return (e->t_mon_ns + (e->node == l->node ? 1 : c->l_min_ns));
}

/* The cause's mapped time, if it is known and one node's; else false. */
static bool
causal_mapped(const struct cause *e, uint32_t *node, int64_t *mapped_ns)
{
	*node = e->shift_ns == UINT32_MAX ? CAUSE_NODE_NONE : e->node;
	*mapped_ns = e->t_mon_ns - e->shift_ns;
	return (*node != CAUSE_NODE_NONE);
}

/*
 * A cause and its effect have met; the times given are the mapped ones of both
 * (the cause's only if it is one node's), and the effect's lower bound without
 * and with the cause.  False: the effect shall not be moved so far, because
 * some time is nonsense.  Either the cause is later than any clock error
 * allows (had the streams come in other pieces, the effect would have been let
 * go before it came), or it has itself been moved so far, or the clock of its
 * node is not believed.
 */
static bool
causal_met(const struct causal *c, const struct lane *l, uint32_t node,
    int64_t cause_mapped_ns, int64_t effect_mapped_ns, int64_t low_ns,
    int64_t after_ns)
{
	if (node != CAUSE_NODE_NONE && node != l->node) {
		if (c->match != NULL)
			c->match(c->match_arg, node, l->node, cause_mapped_ns,
			    effect_mapped_ns);
		doubt_message(c->doubt, node, l->node, cause_mapped_ns,
		    effect_mapped_ns);
	}
	if (node != CAUSE_NODE_NONE &&
	    cause_mapped_ns - effect_mapped_ns > c->margin_ns)
		return (false);
	if (after_ns <= low_ns)
		return (true);
	if (after_ns - effect_mapped_ns > c->margin_ns)
		return (false);
	return (node == l->node || !doubt_is(c->doubt, node) ||
		after_ns - effect_mapped_ns <=
		    doubt_limit(c->doubt, node, l->node));
}

/*
 * An effect goes without its cause; should that come, it is told.  Of one that
 * needs them all, the last of those that are missing.
 */
static void
causal_orphan(struct causal *c, const struct lane *l, struct event *ev,
    uint64_t id, int64_t corr_ns)
{
	bool all = event_table[ev->kind].match == MATCH_all;
	const struct cause *here = NULL;
	struct cause *e;

	ev->flags |= EVENT_ORPHAN;
	c->orphans++;
	if (id == 0)
		return;
	e = all ? causes_find(&c->orphaned, id) : NULL;
	if (e == NULL)
		e = causes_add(&c->orphaned, id);
	if (e == NULL)
		return;
	if (all)
		here = causes_find(&c->causes, id);
	e->t_mon_ns = corr_ns;
	e->node = l->node;
	e->known++;
	e->missing = l->wait_need - (here == NULL ? 0 : here->known);
}

static void
causal_tell(struct causal *c, const struct event *cause, int64_t corr_ns,
    int64_t effect_ns)
{
	c->found++;
	if (c->on_found != NULL)
		c->on_found(c->found_arg, cause, corr_ns, effect_ns);
}

/* True: this cause has no effect to wait for any more. */
static bool
causal_find(struct causal *c, const struct event *ev, uint64_t id,
    uint8_t match, int64_t corr_ns)
{
	struct cause *e;

	while ((e = causes_find(&c->orphaned, id)) != NULL) {
		int64_t effect_ns = e->t_mon_ns;
		uint32_t effects = e->known;

		if (--e->missing > 0)
			return (false);
		causes_remove(&c->orphaned, e);
		for (; effects > 0; effects--)
			causal_tell(c, ev, corr_ns, effect_ns);
		if (match == MATCH_one)
			return (true);
	}
	return (false);
}

/*
 * An effect has had so many causes.  What is one's is gone with it.  Where all
 * causes belong to one effect, the end of a block, they are gone as well, and
 * the number may be used again; where a turn is part of the key they stay for
 * the others that wait for them.  True: the entry is gone.
 */
static bool
causal_spend(struct causal *c, const struct event_desc *d, struct cause *e,
    uint32_t need)
{
	if (d->match == MATCH_many ||
	    (d->match == MATCH_all && d->key == KEY_AB))
		return (false);
	e->known -= need < e->known ? need : e->known;
	if (e->known > 0 || e->waiter != CAUSE_LANE_NONE)
		return (false);
	causes_remove(&c->causes, e);
	return (true);
}

static void
causal_meet(struct causal *c, const struct lane *l, struct event *ev,
    uint32_t node, int64_t mapped_ns, int64_t after_ns, int64_t *corr_ns)
{
	if (causal_met(c, l, node, mapped_ns, ev->t_mon_ns, *corr_ns,
		after_ns)) {
		if (*corr_ns < after_ns)
			*corr_ns = after_ns;
		c->matched++;
	} else {
		causal_orphan(c, l, ev, 0, *corr_ns);
		c->disbelieved++;
	}
}

/*
 * Of so many causes that an effect needs, those that are here or on their way
 * in a log that is wholly known.
 */
static uint32_t
causal_there(struct causal *c, const struct cause *e, uint64_t id,
    uint32_t need, bool one)
{
	const struct cause *expected = causes_find(c->expected, id);
	const struct cause *pending = causes_find(&c->pending, id);
	uint64_t there = e == NULL ? 0 : e->known;

	there += expected == NULL ? 0 : expected->known;
	there += pending == NULL ? 0 : pending->known;
	/* each of those that wait already takes one */
	for (uint32_t at = e == NULL || !one ? CAUSE_LANE_NONE : e->waiter;
	     at != CAUSE_LANE_NONE && there > 0; at = c->lanes[at].wait_next)
		there--;
	return (there < need ? (uint32_t)there : need);
}

/* It is behind those causes that there are, and lacks the others. */
static void
causal_lacks(struct event *ev, uint32_t had)
{
	if (event_table[ev->kind].match == MATCH_all && had < ev->c)
		ev->flags |= EVENT_ORPHAN;
}

static bool
causal_effect(struct causal *c, uint32_t lane, const struct event_desc *d,
    struct event *ev, uint64_t id, int64_t *corr_ns)
{
	struct lane *l = &c->lanes[lane];
	bool one = d->match == MATCH_one;
	uint32_t need = d->match == MATCH_all ? ev->c : 1;
	struct cause *e;
	int64_t after, mapped;
	uint32_t node;

	if (need == 0)
		return (true);
	e = causes_find(&c->causes, id);
	if (c->expected != NULL) {
		need = causal_there(c, e, id, need, one);
		if (need == 0) {
			causal_orphan(c, l, ev, 0, *corr_ns);
			return (true);
		}
	}
	if (e != NULL && e->known >= need) {
		after = causal_after(c, l, e);
		causal_mapped(e, &node, &mapped);
		causal_spend(c, d, e, need);
		causal_meet(c, l, ev, node, mapped, after, corr_ns);
		causal_lacks(ev, need);
		return (true);
	}
	causal_park(c, lane, id, need, ev->t_mon_ns, *corr_ns);
	if (e == NULL)
		e = causes_add(&c->causes, id);
	if (e != NULL)
		causal_enlist(c, e, lane, one);
	return (false);
}

/* The first event was waited with: its cause has come, or is given up. */
static void
causal_resume(struct causal *c, struct lane *l, struct event *ev,
    int64_t *corr_ns)
{
	if (l->given) {
		causal_meet(c, l, ev, l->given_node, l->given_mapped_ns,
		    l->given_ns, corr_ns);
		causal_lacks(ev, l->wait_need);
	} else if (causes_forgotten(&c->causes, l->wait_id)) {
		if (*corr_ns < c->causes.forgotten_ns + c->l_min_ns)
			*corr_ns = c->causes.forgotten_ns + c->l_min_ns;
		c->forgotten++;
	} else {
		causal_orphan(c, l, ev, l->wait_id, *corr_ns);
	}
	l->given = l->forced = false;
}

static void
causal_give(struct causal *c, struct cause *e)
{
	uint32_t lane = e->waiter;
	struct lane *l = &c->lanes[lane];

	e->waiter = l->wait_next;
	l->given = true;
	l->given_ns = causal_after(c, l, e);
	causal_mapped(e, &l->given_node, &l->given_mapped_ns);
	causal_wake(c, lane);
}

static void
causal_cause(struct causal *c, uint32_t node, const struct event_desc *d,
    uint64_t id, int64_t corr_ns, int64_t shift_ns)
{
	struct cause *e = causes_find(&c->causes, id);

	if (e == NULL || (e->known > 0 && d->match == MATCH_one)) {
		e = causes_add(&c->causes, id);
		if (e == NULL) {
			c->dropped++;
			return;
		}
	}
	if (e->known > 0 && d->match == MATCH_many)
		return; /* the first one counts */
	if (e->known == 0)
		e->node = node;
	else if (e->node != node)
		e->node = CAUSE_NODE_NONE;
	if (e->known < UINT32_MAX)
		e->known++;
	if (e->t_mon_ns < corr_ns) {
		e->t_mon_ns = corr_ns;
		e->shift_ns =
		    shift_ns < UINT32_MAX ? (uint32_t)shift_ns : UINT32_MAX;
	}
	if (e->waiter == CAUSE_LANE_NONE)
		return;
	if (d->match == MATCH_one) {
		causal_give(c, e);
		e->known = 0;
		e->t_mon_ns = INT64_MIN;
		if (e->waiter == CAUSE_LANE_NONE)
			causes_remove(&c->causes, e);
		return;
	}
	while (e->waiter != CAUSE_LANE_NONE &&
	       c->lanes[e->waiter].wait_need <= e->known) {
		uint32_t need = c->lanes[e->waiter].wait_need;

		causal_give(c, e);
		if (causal_spend(c, d, e, need))
			break;
	}
}

bool
causal_step(struct causal *c, uint32_t lane, struct event *ev, uint64_t id,
    int64_t *corr_ns)
{
	struct lane *l = &c->lanes[lane];
	const struct event_desc *d = &event_table[ev->kind];

	if (d->role == ROLE_EFFECT && (l->given || l->forced)) {
		causal_resume(c, l, ev, corr_ns);
		return (true);
	}
	if (d->role == ROLE_EFFECT)
		return (causal_effect(c, lane, d, ev, id, corr_ns));
	if (c->orphaned.young.n + c->orphaned.old.n > 0 &&
	    causal_find(c, ev, id, d->match, *corr_ns))
		return (true);
	causal_cause(c, l->node, d, id, *corr_ns, *corr_ns - ev->t_mon_ns);
	return (true);
}

void
causal_pend(struct causal *c, uint64_t id)
{
	struct cause *e = causes_find(&c->pending, id);

	if (e == NULL)
		e = causes_add(&c->pending, id);
	if (e != NULL)
		e->known++;
}

void
causal_unpend(struct causal *c, uint64_t id)
{
	struct cause *e = causes_find(&c->pending, id);

	if (e != NULL && --e->known == 0)
		causes_remove(&c->pending, e);
}

bool
causal_pending(struct causal *c, uint32_t lane)
{
	const struct lane *l = &c->lanes[lane];
	const struct cause *coming = causes_find(&c->pending, l->wait_id);
	const struct cause *here;

	if (coming == NULL)
		return (false);
	here = causes_find(&c->causes, l->wait_id);
	return (
	    coming->known + (here == NULL ? 0 : here->known) >= l->wait_need);
}

void
causal_release(struct causal *c, uint32_t lane)
{
	struct lane *l = &c->lanes[lane];
	struct cause *e = causes_find(&c->causes, l->wait_id);
	uint32_t *at;

	if (e != NULL) {
		at = &e->waiter;
		while (*at != CAUSE_LANE_NONE && *at != lane)
			at = &c->lanes[*at].wait_next;
		if (*at == lane)
			*at = l->wait_next;
		if (e->waiter == CAUSE_LANE_NONE && e->known == 0)
			causes_remove(&c->causes, e);
	}
	l->forced = true;
	causal_wake(c, lane);
}

int
causal_remember(struct causal *c, const struct event *ev)
{
	const struct event_desc *d = event_desc(ev->kind);
	uint64_t id, dropped = c->dropped;
	struct cause *e;

	if (d == NULL || d->role == ROLE_NONE)
		return (0);
	id = causes_id(d, ev);
	if (id == 0)
		return (0);
	if (d->role == ROLE_CAUSE) {
		causal_cause(c, CAUSE_NODE_NONE, d, id, ev->t_mon_ns,
		    ev->shift_ns);
	} else {
		e = causes_find(&c->causes, id);
		if (e != NULL && e->known > 0)
			causal_spend(c, d, e,
			    d->match == MATCH_all ? ev->c : 1);
	}
	return (c->dropped == dropped ? 0 : -1);
}
