/*
 * How far a node can be relied on: the state and bound of its clock, whether it
 * is silent or its clock is not believed, and what was lost, late or orphaned.
 *
 * The times in which something was not as it should be are kept as a list of
 * each node, in the order in which they began.  They are few: a period ends
 * when the state changes, not with each segment of the clock map.
 */
#include <errno.h>

#include "clockmap.h"
#include "model/run/inside.h"

void
health_init(struct node_data *n)
{
	chunk_init(&n->doubts, sizeof(struct doubt), 2);
	for (int i = 0; i < DOUBTS; i++)
		n->doubt_open[i] = 0;
}

void
health_clear(struct node_data *n)
{
	chunk_clear(&n->doubts);
}

static void
doubt_begin(struct model *m, struct node_data *n, enum doubt_of of, int64_t t,
    uint8_t state, int64_t error_ns)
{
	uint32_t i = atomic_load_explicit(&n->ndoubts, memory_order_relaxed);
	struct doubt *d = chunk_make(&n->doubts, i, &held_of(m)->bytes);

	if (d == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	*d = (struct doubt){ t, INT64_MAX, error_ns, (uint8_t)of, state };
	n->doubt_open[of] = i + 1;
	atomic_store_explicit(&n->ndoubts, i + 1, memory_order_release);
}

static void
doubt_end(struct node_data *n, enum doubt_of of, int64_t t)
{
	struct doubt *d;

	if (n->doubt_open[of] == 0)
		return;
	d = chunk_at(&n->doubts, n->doubt_open[of] - 1);
	PUT(d->t1_mon_ns, t > d->t0_mon_ns ? t : d->t0_mon_ns);
	n->doubt_open[of] = 0;
}

/* A segment of the node's clock map. */
void
health_segment(struct model *m, struct node_data *n,
    const struct msg_segment *s)
{
	/* what was never measured has no bound */
	int64_t error_ns = s->error_ns == INT64_MAX ? 0 : s->error_ns;
	struct doubt *d = NULL;

	atomic_store_explicit(&n->error_ns, error_ns, memory_order_relaxed);
	atomic_store_explicit(&n->clock_state, s->state, memory_order_relaxed);
	if (n->doubt_open[DOUBT_CLOCK] != 0)
		d = chunk_at(&n->doubts, n->doubt_open[DOUBT_CLOCK] - 1);
	if (d != NULL && d->state == s->state) {
		if (error_ns > d->error_ns)
			PUT(d->error_ns, error_ns);
		return;
	}
	doubt_end(n, DOUBT_CLOCK, s->base_mon_ns);
	if (s->state != CLOCK_LOCKED)
		doubt_begin(m, n, DOUBT_CLOCK, s->base_mon_ns, s->state,
		    error_ns);
}

/* What monitord says about a node, or about what happened on it. */
void
health_event(struct model *m, uint32_t node, const struct event *e)
{
	struct node_data *n = lane_of_node(m, node) == UINT32_MAX
				  ? NULL
				  : chunk_at(&defs_of(m)->nodes, node);

	if (n == NULL)
		return;
	switch (e->kind) {
	case EV_lost:
		PUT(n->lost, n->lost + e->a);
		break;
	case EV_late:
		PUT(n->late, n->late + e->a);
		break;
	case EV_orphan:
		PUT(n->orphans, n->orphans + 1);
		break;
	case EV_found: /* of an orphan of this node */
		PUT(n->orphans, n->orphans - 1);
		PUT(n->early, n->early + 1);
		break;
	case EV_clock_step:
		PUT(n->steps, n->steps + 1);
		break;
	case EV_stall: /* told when it has been silent for so long */
		doubt_end(n, DOUBT_SILENT, e->t_mon_ns);
		doubt_begin(m, n, DOUBT_SILENT, e->t_mon_ns - word_ns(e->a), 0,
		    0);
		PUT(n->stalls, n->stalls + 1);
		break;
	case EV_rejoin:
		doubt_end(n, DOUBT_SILENT, e->t_mon_ns);
		break;
	case EV_distrust:
		doubt_end(n, DOUBT_WRONG, e->t_mon_ns);
		doubt_begin(m, n, DOUBT_WRONG, e->t_mon_ns, 0, word_ns(e->a));
		break;
	case EV_trust:
		doubt_end(n, DOUBT_WRONG, e->t_mon_ns);
		break;
	}
}

/* readers */

static void
doubt_get(const struct doubt *d, struct doubt *out)
{
	*out = (struct doubt){ d->t0_mon_ns, SEE(d->t1_mon_ns),
		SEE(d->error_ns), d->of, d->state };
}

size_t
model_node_doubts(const struct model *m, uint32_t node, int64_t t0, int64_t t1,
    struct doubt *out, size_t max)
{
	const struct node_data *n = node_defined(m, node);
	uint32_t count;
	struct doubt d;
	size_t got = 0;

	if (n == NULL)
		return (0);
	count = atomic_load_explicit(&n->ndoubts, memory_order_acquire);
	for (uint32_t i = 0; i < count && got < max; i++) {
		doubt_get(chunk_at(&n->doubts, i), &d);
		if (d.t0_mon_ns < t1 && d.t1_mon_ns >= t0)
			out[got++] = d;
	}
	return (got);
}

void
model_node_health(const struct model *m, uint32_t node, struct node_health *h)
{
	const struct node_data *n = node_defined(m, node);
	uint32_t count;
	struct doubt d;

	*h = (struct node_health){ .clock_state = CLOCK_UNSYNCED };
	if (n == NULL)
		return;
	h->clock_state = (uint8_t)atomic_load_explicit(&n->clock_state,
	    memory_order_relaxed);
	h->error_ns = atomic_load_explicit(&n->error_ns, memory_order_relaxed);
	h->lost = SEE(n->lost);
	h->late = SEE(n->late);
	h->orphans = SEE(n->orphans);
	h->early = SEE(n->early);
	h->stalls = SEE(n->stalls);
	h->steps = SEE(n->steps);
	count = atomic_load_explicit(&n->ndoubts, memory_order_acquire);
	/* those that last are among the last of their sort */
	for (uint32_t i = count > 16 ? count - 16 : 0; i < count; i++) {
		doubt_get(chunk_at(&n->doubts, i), &d);
		if (d.t1_mon_ns != INT64_MAX)
			continue;
		h->silent |= d.of == DOUBT_SILENT;
		h->wrong |= d.of == DOUBT_WRONG;
		if (d.of == DOUBT_SILENT)
			h->silent_since_ns = d.t0_mon_ns;
	}
}
