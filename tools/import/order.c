/*
 * Puts effects behind their causes.
 *
 * Events come in the order of their times.  A place whose next event is an
 * effect of something that is still to come waits for it, with all that it
 * does afterwards; when the cause has come they go on behind it, through a
 * heap, since others may stand between.  That ends: each event goes through the
 * heap once for each thing that its place waits for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/import/imported.h"

#define NONE UINT32_MAX

/* A cause: how many there are of it, and how many have come. */
struct key {
	uint64_t a, b; /* b with the kind in its upper bits */
	uint32_t left; /* causes, less those that have had their effects */
	uint32_t come; /* of these */
	uint32_t effects;
	uint32_t waiting; /* the first place that does; NONE */
	int64_t t_mon_ns;
};

/* A place: what it holds back, in a list through next[]. */
struct hold {
	int64_t least_ns; /* no later event of it may be before this */
	uint32_t first, last, next_place;
	uint32_t key; /* that it waits for */
	bool waits;
};

struct order {
	struct imported *m;
	struct key *key;
	uint32_t nkeys;
	uint32_t *slot; /* of keys by hash */
	size_t mask;
	uint32_t *of; /* key of each event; NONE */
	uint32_t *next;
	struct hold *hold;
	uint32_t *heap;
	size_t nheap;
	int64_t now_ns; /* of the last one that has gone */
	int (*cb)(void *, const struct event *);
	void *arg;
};

static int
by_time(const void *x, const void *y)
{
	const struct event *a = x, *b = y;

	if (a->t_node_ns != b->t_node_ns)
		return (a->t_node_ns < b->t_node_ns ? -1 : 1);
	return (a->seq < b->seq ? -1 : a->seq > b->seq);
}

static bool
in_order(const struct imported *m)
{
	for (size_t i = 1; i < m->n; i++)
		if (m->events[i].t_node_ns < m->events[i - 1].t_node_ns)
			return (false);
	return (true);
}

/* --- keys --- */

static bool
key_of(const struct event *e, const struct event_desc *d, uint64_t *a,
    uint64_t *b)
{
	unsigned kind = d->role == ROLE_CAUSE ? d->kind : d->partner;

	*a = d->key == KEY_B ? e->b : e->a;
	*b = d->key == KEY_AB ? e->b : 0;
	if (d->role == ROLE_NONE || kind == EV_none ||
	    (d->key == KEY_AB ? *b : *a) == 0)
		return (false);
	*b ^= (uint64_t)kind << 56;
	return (true);
}

static uint32_t
key_find(struct order *o, uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b * 0xff51afd7ed558ccdu)) * 0x9e3779b97f4a7c15u;
	size_t at = (h ^ h >> 31) & o->mask;
	struct key *k;

	for (; o->slot[at] != 0; at = (at + 1) & o->mask) {
		k = &o->key[o->slot[at] - 1];
		if (k->a == a && k->b == b)
			return (o->slot[at] - 1);
	}
	o->key[o->nkeys] = (struct key){ .a = a, .b = b, .waiting = NONE };
	o->slot[at] = ++o->nkeys;
	return (o->nkeys - 1);
}

static void
find_keys(struct order *o)
{
	struct imported *m = o->m;
	uint64_t a, b;

	for (size_t i = 0; i < m->n; i++) {
		const struct event_desc *d = event_desc(m->events[i].kind);

		o->of[i] = NONE;
		if (!key_of(&m->events[i], d, &a, &b))
			continue;
		o->of[i] = key_find(o, a, b);
		o->key[o->of[i]].left += d->role == ROLE_CAUSE;
	}
}

/* --- the heap: by time, then as it was --- */

static bool
is_before(const struct order *o, uint32_t a, uint32_t b)
{
	const struct event *x = &o->m->events[a], *y = &o->m->events[b];

	return (x->t_mon_ns != y->t_mon_ns ? x->t_mon_ns < y->t_mon_ns : a < b);
}

static void
heap_push(struct order *o, uint32_t e)
{
	size_t i = o->nheap++, up;

	for (; i > 0; i = up) {
		up = (i - 1) / 2;
		if (!is_before(o, e, o->heap[up]))
			break;
		o->heap[i] = o->heap[up];
	}
	o->heap[i] = e;
}

static uint32_t
heap_pop(struct order *o)
{
	uint32_t top = o->heap[0], last = o->heap[--o->nheap];
	size_t i = 0, k;

	while ((k = 2 * i + 1) < o->nheap) {
		if (k + 1 < o->nheap &&
		    is_before(o, o->heap[k + 1], o->heap[k]))
			k++;
		if (!is_before(o, o->heap[k], last))
			break;
		o->heap[i] = o->heap[k];
		i = k;
	}
	o->heap[i] = last;
	return (top);
}

/* --- one event --- */

static struct hold *
hold_of(struct order *o, uint32_t e)
{
	return (&o->hold[o->m->events[e].location - 1]);
}

static void
hold_back(struct order *o, uint32_t e)
{
	struct hold *h = hold_of(o, e);

	o->next[e] = NONE;
	if (h->first == NONE)
		h->first = e;
	else
		o->next[h->last] = e;
	h->last = e;
}

/* The place goes on, not before this time. */
static void
let_go(struct order *o, struct hold *h, int64_t t_ns)
{
	uint32_t e, next;

	h->waits = false;
	if (h->least_ns < t_ns)
		h->least_ns = t_ns;
	for (e = h->first; e != NONE; e = next) {
		next = o->next[e];
		if (o->m->events[e].t_mon_ns < h->least_ns)
			o->m->events[e].t_mon_ns = h->least_ns;
		heap_push(o, e);
	}
	h->first = NONE;
}

/* A cause has come. */
static void
come(struct order *o, const struct event *e, const struct event_desc *d,
    struct key *k)
{
	uint32_t place = k->waiting, next;

	if (++k->come == 1 || d->match != MATCH_many)
		k->t_mon_ns = e->t_mon_ns;
	k->waiting = NONE;
	for (; place != NONE; place = next) {
		next = o->hold[place].next_place;
		let_go(o, &o->hold[place], e->t_mon_ns);
	}
}

/* As many causes as it needs have had their effects: they count no more. */
static void
had(struct key *k, const struct event_desc *d, uint32_t need)
{
	uint32_t effects = d->match == MATCH_all && d->key == KEY_AB ? need : 1;

	if (d->match == MATCH_many || ++k->effects < effects)
		return;
	k->effects = 0;
	k->come -= need;
	k->left -= need;
}

static void
unpair(struct order *o, uint32_t e)
{
	struct event *x = &o->m->events[e];

	if (event_desc(x->kind)->key == KEY_A)
		x->a = 0;
	else
		x->b = 0;
	o->of[e] = NONE;
	o->m->unpaired++;
}

/*
 * An effect: true, and it may go, not before least_ns; false: its place waits
 * from now on.
 */
static bool
effect(struct order *o, uint32_t e, const struct event_desc *d)
{
	struct event *x = &o->m->events[e];
	struct key *k = &o->key[o->of[e]];
	struct hold *h = hold_of(o, e);
	uint32_t need = d->match == MATCH_all ? x->c : 1;

	if (need == 0)
		return (true);
	if (k->left < need) {
		x->flags |= EVENT_ORPHAN;
		o->m->orphans++;
		return (true);
	}
	if (k->come < need) {
		h->waits = true;
		h->key = o->of[e];
		h->next_place = k->waiting;
		k->waiting = x->location - 1;
		return (false);
	}
	if (x->t_mon_ns <= k->t_mon_ns)
		x->t_mon_ns = h->least_ns = k->t_mon_ns + 1;
	had(k, d, need);
	return (true);
}

static int
emit(struct order *o, uint32_t e)
{
	struct event *x = &o->m->events[e];
	const struct event_desc *d = event_desc(x->kind);
	struct event out = *x;
	int64_t shift = x->t_mon_ns - x->t_node_ns;

	if (shift > 0) {
		out.flags |= EVENT_SHIFTED;
		out.shift_ns =
		    shift < UINT32_MAX ? (uint32_t)shift : UINT32_MAX;
		o->m->shifted++;
	}
	o->now_ns = x->t_mon_ns;
	if (ends_close(&o->m->places[x->location - 1], &out, d) == -1)
		return (-1);
	o->m->unpaired += out.a != x->a;
	out.seq = o->m->places[x->location - 1].next_seq++;
	if (d->role == ROLE_CAUSE && o->of[e] != NONE)
		come(o, x, d, &o->key[o->of[e]]);
	return (o->cb(o->arg, &out));
}

/* Its turn has come, by its time. */
static int
take(struct order *o, uint32_t e)
{
	struct event *x = &o->m->events[e];
	const struct event_desc *d = event_desc(x->kind);
	struct hold *h = hold_of(o, e);
	int64_t t_ns;

	if (h->waits) {
		hold_back(o, e);
		return (0);
	}
	if (x->t_mon_ns < h->least_ns) {
		x->t_mon_ns = h->least_ns;
		heap_push(o, e);
		return (0);
	}
	t_ns = x->t_mon_ns;
	if (d->role == ROLE_EFFECT && o->of[e] != NONE) {
		if (!effect(o, e, d)) {
			hold_back(o, e);
			return (0);
		}
		if (x->t_mon_ns > t_ns) { /* it has its cause */
			o->of[e] = NONE;
			heap_push(o, e);
			return (0);
		}
	}
	return (emit(o, e));
}

/* All that is left waits in a circle: one of them goes without its cause. */
static bool
break_circle(struct order *o)
{
	struct hold *best = NULL;
	uint32_t *at;

	for (uint32_t i = 0; i < o->m->nplaces; i++) {
		struct hold *h = &o->hold[i];

		if (h->first != NONE &&
		    (best == NULL || is_before(o, h->first, best->first)))
			best = h;
	}
	if (best == NULL)
		return (false);
	/* its cause must not let it go once more */
	for (at = &o->key[best->key].waiting; &o->hold[*at] != best;)
		at = &o->hold[*at].next_place;
	*at = best->next_place;
	unpair(o, best->first);
	let_go(o, best, o->now_ns);
	return (true);
}

static int
merge(struct order *o)
{
	struct imported *m = o->m;
	size_t at = 0;
	uint32_t e;
	int rc = 0;

	while (rc == 0) {
		if (o->nheap > 0 &&
		    (at == m->n || m->events[o->heap[0]].t_mon_ns <=
				       m->events[at].t_mon_ns))
			e = heap_pop(o);
		else if (at < m->n)
			e = (uint32_t)at++;
		else if (break_circle(o))
			continue;
		else
			break;
		rc = take(o, e);
	}
	return (rc);
}

static int
prepare(struct order *o)
{
	struct imported *m = o->m;
	size_t n = m->n + 1;

	for (o->mask = 63; o->mask < n * 2;)
		o->mask = o->mask * 2 + 1;
	o->key = calloc(n, sizeof(*o->key));
	o->slot = calloc(o->mask + 1, sizeof(*o->slot));
	o->of = calloc(n, sizeof(*o->of));
	o->next = calloc(n, sizeof(*o->next));
	o->heap = calloc(n, sizeof(*o->heap));
	o->hold = calloc((size_t)m->nplaces + 1, sizeof(*o->hold));
	if (o->key == NULL || o->slot == NULL || o->of == NULL ||
	    o->next == NULL || o->heap == NULL || o->hold == NULL)
		return (-1);
	for (uint32_t i = 0; i < m->nplaces; i++)
		o->hold[i] = (struct hold){ .least_ns = INT64_MIN,
			.first = NONE,
			.next_place = NONE };
	return (0);
}

int
imported_each(struct imported *m, int (*cb)(void *, const struct event *),
    void *arg)
{
	struct order o = { .m = m, .cb = cb, .arg = arg };
	int rc = -1, saved;

	if (m->n >= NONE) {
		errno = ENOMEM;
		return (-1);
	}
	if (m->n > 0 && !in_order(m))
		qsort(m->events, m->n, sizeof(*m->events), by_time);
	for (size_t i = 0; i < m->n; i++)
		m->events[i].t_mon_ns = m->events[i].t_node_ns;
	if (prepare(&o) == 0) {
		find_keys(&o);
		rc = merge(&o);
	}
	saved = errno;
	free(o.key);
	free(o.slot);
	free(o.of);
	free(o.next);
	free(o.heap);
	free(o.hold);
	errno = saved;
	return (rc);
}
