/*
 * Pairing causes with effects.  A cause waits in a table of open ends under
 * its key; its effect finds it there, and takes it out if it is the only
 * one.  An effect that comes first (its cause is late) waits the same way.  The
 * table has two generations: when the young one is full the old one is dropped,
 * so what never finds its other half costs a bounded amount of memory.
 *
 * Messages, calls, orders and journeys are links from the moment of their
 * cause; the others become one when both ends are known and lie on different
 * lanes.  Tasks need no table: tree.c pairs them.
 */
#include <errno.h>
#include <stdlib.h>

#include "events_inside.h"
#include "model/keep/memory.h"

#define OPEN_FEW  64u        /* the table's size at first */
#define OPEN_MIN  4096u      /* below that none is ever old */
#define OPEN_MAX  (1u << 19) /* or less, if memory is short */
#define OPEN_PART 16         /* of it that a generation may take */

/* The key of an event; both sides get the same one.  0: pairs with nothing. */
static uint64_t
pair_key(const struct kind_info *k, const struct event *e)
{
	unsigned cause = k->role == ROLE_CAUSE ? e->kind : k->partner;
	uint64_t h = cause * 0x9e3779b97f4a7c15ull;

	if ((k->key == KEY_A && e->a == 0) || (k->key != KEY_A && e->b == 0))
		return (0);
	if (k->key != KEY_B)
		h = idmap_mix(h ^ e->a);
	if (k->key != KEY_A)
		h = idmap_mix(h + e->b);
	return (h == 0 ? 1 : h);
}

static struct open_pair *
open_find_in(struct open_pair *v, uint32_t mask, uint64_t key)
{
	if (v == NULL)
		return (NULL);
	for (uint32_t i = (uint32_t)key & mask;; i = (i + 1) & mask) {
		if (v[i].key == 0)
			return (NULL);
		if (v[i].key == key)
			return (&v[i]);
	}
}

struct open_pair *
open_find(struct open_table *t, uint64_t key)
{
	struct open_pair *p = open_find_in(t->now, t->mask, key);

	return (p != NULL ? p : open_find_in(t->before, t->before_mask, key));
}

/* Those behind it that would not be found any more move up. */
void
open_take(struct open_table *t, struct open_pair *p)
{
	bool young = t->now != NULL && p >= t->now && p <= t->now + t->mask;
	struct open_pair *v = young ? t->now : t->before;
	uint32_t mask = young ? t->mask : t->before_mask;
	uint32_t hole = (uint32_t)(p - v), i;

	for (i = (hole + 1) & mask; v[i].key != 0; i = (i + 1) & mask) {
		/* it may be as far from its place as the hole is */
		if (((i - (uint32_t)v[i].key) & mask) < ((i - hole) & mask))
			continue;
		v[hole] = v[i];
		hole = i;
	}
	v[hole].key = 0;
	t->n -= young;
}

static uint32_t
open_most(const struct model *m)
{
	uint64_t room =
	    model_memory(whole_of(m)) / OPEN_PART / sizeof(struct open_pair);
	uint32_t n = OPEN_MAX;

	while (room > 0 && n > room && n > OPEN_MIN)
		n /= 2;
	return (n);
}

/* Twice the table, or a new generation. */
static int
open_grow(struct model *m, struct open_table *t)
{
	uint32_t size = t->now == NULL ? OPEN_FEW : (t->mask + 1) * 2, j;
	bool young = t->now != NULL && size > open_most(m);
	struct open_pair *v;

	size = young ? t->mask + 1 : size;
	v = memory_zero(size, sizeof(*v));
	if (v == NULL) {
		held_of(m)->failed = ENOMEM;
		return (-1);
	}
	atomic_fetch_add(&held_of(m)->bytes, size * sizeof(*v));
	if (young) {
		if (t->before != NULL)
			atomic_fetch_sub(&held_of(m)->bytes,
			    (t->before_mask + 1) * sizeof(*v));
		memory_free(t->before);
		t->before = t->now;
		t->before_mask = t->mask;
		t->n = 0;
	} else if (t->now != NULL) {
		for (uint32_t i = 0; i <= t->mask; i++) {
			if (t->now[i].key == 0)
				continue;
			j = (uint32_t)t->now[i].key & (size - 1);
			while (v[j].key != 0)
				j = (j + 1) & (size - 1);
			v[j] = t->now[i];
		}
		atomic_fetch_sub(&held_of(m)->bytes,
		    (t->mask + 1) * sizeof(*v));
		memory_free(t->now);
	}
	t->now = v;
	t->mask = size - 1;
	return (0);
}

/* A free place for this key: an older one of the same key is forgotten. */
struct open_pair *
open_add(struct model *m, struct open_table *t, uint64_t key)
{
	struct open_pair *p;
	uint32_t i;

	if (t->now == NULL || t->n * 2 > t->mask)
		if (open_grow(m, t) == -1)
			return (NULL);
	p = open_find_in(t->before, t->before_mask, key);
	if (p != NULL)
		open_take(t, p);
	for (i = (uint32_t)key & t->mask;
	     t->now[i].key != 0 && t->now[i].key != key; i = (i + 1) & t->mask)
		continue;
	p = &t->now[i];
	t->n += p->key == 0;
	*p = (struct open_pair){ .key = key };
	return (p);
}

/* The lane at which an end of a link is drawn. */
static uint32_t
end_lane(struct model *m, const struct location *l, const struct event *e)
{
	uint32_t lane = UINT32_MAX;

	switch (e->kind) {
	case EV_object_request: /* a: the creator, 0 if it is no object */
		if (e->a != 0)
			lane = object_lane(whole_of(m), e->a);
		break;
	case EV_object_create:
	case EV_object_obey:
	case EV_object_depart:
	case EV_object_arrive:
		lane = object_lane(whole_of(m), e->a);
		break;
	}
	return (lane == UINT32_MAX ? l->lane : lane);
}

static void
thread_made(struct model *m, uint32_t lane, uint32_t by)
{
	if (lane != UINT32_MAX && by != UINT32_MAX && lane != by)
		atomic_store_explicit(&lane_at(m, lane)->maker, by + 1,
		    memory_order_relaxed);
}

/* It may be under way when the next checkpoint is taken; returns its number. */
uint32_t
cause_note(struct model *m, uint64_t key)
{
	struct open_table *t = &links_of(m)->open;

	if (fetched_of(m)->whole != NULL || model_memory(m) == 0)
		return (t->nlast++);
	if (t->last == NULL) {
		t->last = memory_zero(LAST_CAUSES, sizeof(*t->last));
		if (t->last == NULL) {
			held_of(m)->failed = ENOMEM;
			return (t->nlast++);
		}
		atomic_fetch_add(&held_of(m)->bytes,
		    LAST_CAUSES * sizeof(*t->last));
	}
	t->last[t->nlast % LAST_CAUSES] = key;
	return (t->nlast++);
}

bool
cause_is_odd(const struct model *m, uint32_t number)
{
	return (links_of(m)->open.nlast - number > talk_apart);
}

void
talk_over(struct model *m, const struct talk_pair *p, int64_t t1_ns, bool odd)
{
	if (fetched_of(m)->whole == NULL)
		stats_talk(m, p);
	talklog_note(m, p, t1_ns, odd);
}

/*
 * A cause of this kind and its effect are known: from the one's PO to the
 * other's at t1_ns.  An answer is one of its call, from the caller to the
 * callee.
 */
static void
pair_over(struct model *m, const struct event *cause, uint32_t from,
    uint32_t to, int64_t t1_ns, bool odd)
{
	static const struct {
		uint8_t talk; /* and one */
		bool back;
	} kinds[EVENT_KINDS] = {
		[EV_send] = { TALK_MESSAGE + 1, false },
		[EV_rpc_call] = { TALK_SETUP + 1, false },
		[EV_rpc_end] = { TALK_RETURN + 1, true },
	};
	struct talk_pair p = { from, to, 0, 1, cause->b,
		t1_ns - cause->t_mon_ns };

	if (kinds[cause->kind].talk == 0)
		return;
	p.what = kinds[cause->kind].talk - 1u;
	if (kinds[cause->kind].back) {
		p.from = to;
		p.to = from;
	}
	talk_over(m, &p, t1_ns, odd);
	if (p.what == TALK_SETUP)
		remote_begun(m, cause->a, p.from, t1_ns, odd);
	else if (p.what == TALK_RETURN)
		remote_returned(m, cause->a, p.to, t1_ns, odd);
}

/* Since when it has waited for the lock that it takes now; INT64_MAX: not. */
static int64_t
waited_since(const struct location *l, int64_t t_ns)
{
	return (l->waited_until_ns == t_ns ? l->waited_from_ns : INT64_MAX);
}

/* Who begins to wait after the release waits for somebody else. */
static uint16_t
free_flag(uint16_t cause, int64_t released_ns, int64_t since_ns)
{
	return (
	    cause == EV_lock_release && since_ns > released_ns ? LINK_FREE : 0);
}

static void
cause_event(struct model *m, const struct location *l, const struct event *e,
    const struct kind_info *k, uint64_t key)
{
	struct open_pair *p = open_find(&links_of(m)->open, key), had;
	uint32_t lane = end_lane(m, l, e);
	struct link link = { e->t_mon_ns, INT64_MAX, lane, UINT32_MAX, e->kind,
		e->flags, e->kind == EV_send ? e->c : 0,
		k->key == KEY_A ? e->a : e->b,
		e->kind == EV_send || k->class == CLASS_rpc ? e->b : 0 };
	uint32_t number = k->early ? cause_note(m, key) : 1;

	if (k->match == MATCH_all && p != NULL && !k->early)
		number = p->number + 1;
	if (k->match != MATCH_one)
		early_others(m, e, k, key);
	if (e->kind == EV_rpc_call)
		remote_called(m, e->a, l->po_number, e->t_mon_ns);
	else if (e->kind == EV_rpc_end)
		remote_ended(m, e->a, l->po_number, e->t_mon_ns);
	p = open_find(&links_of(m)->open, key); /* it may have moved */
	if (p != NULL && p->effect) {           /* the effect was here before */
		link.t1_mon_ns = p->t_ns;
		link.lane1 = p->lane;
		link.flags = p->flags |
			     free_flag(e->kind, e->t_mon_ns, (int64_t)p->bytes);
		if (p->flags & EVENT_ORPHAN)
			early_found(m, p, e, k);
		if (k->early || lane != p->lane)
			link_add(m, &link);
		if (e->kind == EV_thread_create)
			thread_made(m, p->lane, lane);
		had = *p;
		if (k->match == MATCH_one)
			open_take(&links_of(m)->open, p);
		pair_over(m, e, l->po_number, had.po, had.t_ns, true);
		return;
	}
	p = open_add(m, &links_of(m)->open, key);
	if (p == NULL)
		return;
	p->t_ns = e->t_mon_ns;
	p->lane = lane;
	p->po = l->po_number;
	p->kind = e->kind;
	p->bytes = e->b;
	p->number = number;
	if (k->early) {
		p->link = interval_count(&links_of(m)->links);
		link_add(m, &link);
	}
}

static void
effect_event(struct model *m, const struct location *l, const struct event *e,
    const struct kind_info *k, uint64_t key)
{
	struct open_pair *p = open_find(&links_of(m)->open, key), had;
	uint32_t lane = end_lane(m, l, e);
	struct link link;

	if (e->flags & EVENT_ORPHAN && k->match != MATCH_one) {
		early_waits(m, e, k, key);
		p = open_find(&links_of(m)->open, key);
	}
	if (p == NULL && k->match == MATCH_one) {
		p = open_add(m, &links_of(m)->open, key);
		if (p == NULL)
			return;
		p->effect = 1;
		p->t_ns = e->t_mon_ns;
		p->lane = lane;
		p->po = l->po_number;
		p->flags = e->flags;
		p->bytes = (uint64_t)waited_since(l, e->t_mon_ns);
		p->location = e->location;
		return;
	}
	if (p == NULL || p->effect)
		return;
	if (held_of(m)->kinds[p->kind].early) {
		link_finish(m, p->link, e->t_mon_ns, lane, e->flags);
	} else if (lane != p->lane && p->t_ns <= e->t_mon_ns) {
		link =
		    (struct link){ p->t_ns, e->t_mon_ns, p->lane, lane, p->kind,
			    e->flags | free_flag(p->kind, p->t_ns,
					   waited_since(l, e->t_mon_ns)),
			    0, k->key == KEY_A ? e->a : e->b, 0 };
		link_add(m, &link);
	}
	if (p->kind == EV_thread_create)
		thread_made(m, lane, p->lane);
	had = *p;
	if (k->match == MATCH_one)
		open_take(&links_of(m)->open, p);
	if (held_of(m)->kinds[had.kind].early)
		pair_over(m,
		    &(struct event){ .kind = had.kind,
			.t_mon_ns = had.t_ns,
			.a = e->a,
			.b = had.bytes },
		    had.po, l->po_number, e->t_mon_ns,
		    cause_is_odd(m, had.number));
}

/* The next cause from *at on whose link is there; NULL: there is none. */
static struct open_pair *
next_open(const struct model *m, uint32_t *at)
{
	const struct open_table *t = &links_of(m)->open;
	uint32_t n = t->now == NULL ? 0 : t->mask + 1;
	uint32_t before = t->before == NULL ? 0 : t->before_mask + 1;
	struct open_pair *p;

	while (*at < n + before) {
		p = *at < n ? &t->now[*at] : &t->before[*at - n];
		++*at;
		if (p->key != 0 && !p->effect && p->link != UINT32_MAX &&
		    held_of(m)->kinds[p->kind].early)
			return (p);
	}
	return (NULL);
}

/* The whole model knows its effect. */
static bool
has_effect(const struct model *d, const struct open_pair *p)
{
	return (
	    open_find(&links_of(fetched_of(d)->whole)->open, p->key) == NULL);
}

void
links_check(struct model *d)
{
	struct open_pair *p;

	for (uint32_t at = 0; (p = next_open(d, &at)) != NULL;)
		if (has_effect(d, p))
			link_drop(d, p->link);
}

bool
links_lack(const struct model *d, int64_t t)
{
	struct open_pair *p;

	for (uint32_t at = 0; (p = next_open(d, &at)) != NULL;)
		if (p->t_ns < t && has_effect(d, p))
			return (true);
	return (false);
}

uint32_t
links_waiting(const struct model *m, struct link_waiting *out)
{
	const struct open_table *t = &links_of(m)->open;
	uint32_t kept = t->nlast < talk_apart ? t->nlast : talk_apart, n = 0;
	const struct open_pair *p;

	for (uint32_t i = t->nlast - kept; i != t->nlast; i++) {
		p = open_find((struct open_table *)t, t->last[i % LAST_CAUSES]);
		if (p == NULL || p->effect)
			continue;
		if (!link_get(m, p->link, &out[n].link))
			out[n].link = (struct link){ .t0_mon_ns = p->t_ns,
				.lane0 = UINT32_MAX,
				.kind0 = p->kind,
				.flags = p->flags,
				.bytes = p->bytes };
		out[n].key = p->key;
		out[n].number = p->number;
		out[n++].po = p->po;
	}
	return (n);
}

int
links_await(struct model *m, const struct link_waiting *v, uint32_t n)
{
	struct open_pair *p;

	for (uint32_t i = 0; i < n; i++) {
		p = open_add(m, &links_of(m)->open, v[i].key);
		if (p == NULL)
			return (-1);
		p->t_ns = v[i].link.t0_mon_ns;
		p->lane = v[i].link.lane0;
		p->po = v[i].po;
		p->number = v[i].number;
		p->kind = v[i].link.kind0;
		p->bytes = v[i].link.bytes;
		p->link = UINT32_MAX;
		if (v[i].link.lane0 == UINT32_MAX) {
			p->flags = v[i].link.flags;
			continue;
		}
		p->link = interval_count(&links_of(m)->links);
		link_add(m, &v[i].link);
	}
	return (0);
}

void
link_event(struct model *m, struct location *l, const struct event *e)
{
	const struct kind_info *k = &held_of(m)->kinds[e->kind];
	uint64_t key = pair_key(k, e);

	if (key == 0)
		return;
	if (e->kind == EV_rpc_begin)
		remote_note(m, e->a);
	if (k->role == ROLE_CAUSE)
		cause_event(m, l, e, k, key);
	else
		effect_event(m, l, e, k, key);
}

void
link_ahead(const struct model *m, const struct event *e)
{
	const struct kind_info *k;
	uint64_t key;

	if (links_of(m)->open.mask < OPEN_MIN || e->kind >= EVENT_KINDS ||
	    !held_of(m)->kinds[e->kind].keyed)
		return; /* a small table is in the cache */
	k = &held_of(m)->kinds[e->kind];
	key = pair_key(k, e);
	if (key == 0)
		return;
	__builtin_prefetch(
	    &links_of(m)->open.now[key & links_of(m)->open.mask]);
	if (links_of(m)->open.before != NULL)
		__builtin_prefetch(
		    &links_of(m)
			 ->open.before[key & links_of(m)->open.before_mask]);
}
