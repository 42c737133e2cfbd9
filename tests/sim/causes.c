/*
 * What is an orphan is not asked of the log: a cause is in it or not.
 *
 * In a finished log an effect whose cause is in it stands behind it, in order
 * and in time, and only one whose cause is not is an orphan.  While the log
 * grows, an effect may be let go before its cause comes; it says so then.  Or
 * the cause is late, and stands in a block of its own behind the effect's; then
 * its time is the earlier one.
 *
 * What was an orphan and has found its cause is told of.
 *
 * The ids of messages, of values and of barriers are numbers of the crowd, so
 * each has its place; a barrier has one for each turn.
 */
#include "tests/sim/causes.h"

#include <stdlib.h>
#include <string.h>

#include "tests/sim/inside.h"

struct pair {
	int64_t last_ns;          /* corrected time of the latest cause */
	uint32_t causes, needs;   /* that are there, that effects need */
	uint32_t early, unmarked; /* effects before them; no orphans they say */
	int64_t unmarked_ns;      /* the first of those */
};

/* One id: a pair for each turn, of which messages have one. */
struct meeting {
	struct pair *turns;
	size_t n;
	bool due, told; /* the cause of an orphan has come; was found */
};

struct causes {
	struct world *w;
	const char *growing;
	struct meeting *ids;
	size_t n;
};

struct causes *
causes_new(struct world *w, const char *growing)
{
	struct causes *cs = calloc(1, sizeof(*cs));

	if (cs == NULL)
		abort();
	cs->w = w;
	cs->growing = growing;
	return (cs);
}

/* There is a place for this id; false: it is none of the crowd's. */
static bool
has_place(struct causes *cs, uint64_t id)
{
	size_t n = cs->w->crowd.next_id + 1;

	if (id == 0 || id >= n)
		return (false);
	if (id < cs->n)
		return (true);
	cs->ids = realloc(cs->ids, n * sizeof(*cs->ids));
	if (cs->ids == NULL)
		abort();
	memset(cs->ids + cs->n, 0, (n - cs->n) * sizeof(*cs->ids));
	cs->n = n;
	return (true);
}

void
causes_free(struct causes *cs)
{
	for (size_t i = 0; i < cs->n; i++)
		free(cs->ids[i].turns);
	free(cs->ids);
	free(cs);
}

static struct pair *
pair_of(struct causes *cs, const struct event *ev, bool turns)
{
	struct meeting *m = &cs->ids[ev->a];
	size_t turn = turns ? ev->b : 0, n = m->n;

	if (turn >= n) {
		m->n = turns ? turn * 2 + 8 : 1;
		m->turns = realloc(m->turns, m->n * sizeof(*m->turns));
		if (m->turns == NULL)
			abort();
		memset(m->turns + n, 0, (m->n - n) * sizeof(*m->turns));
	}
	return (&m->turns[turn]);
}

static void
is_wrong(struct causes *cs, const struct event *ev, const char *what)
{
	cs->w->r->violations++;
	wrong(cs->w, "%s: %s %llu.%llu, event %llu of location %u: %s",
	    cs->growing != NULL ? cs->growing : "log",
	    event_table[ev->kind].name, (unsigned long long)ev->a,
	    (unsigned long long)ev->b, (unsigned long long)ev->seq,
	    ev->location, what);
}

/* Effects have stood there before the last of their causes has come. */
static bool
too_early(const struct causes *cs, const struct pair *p, const struct event *ev)
{
	if (cs->growing == NULL)
		return (p->early > 0);
	return (p->unmarked > 0 && ((ev->flags & EVENT_LATE) == 0 ||
				       ev->t_mon_ns >= p->unmarked_ns));
}

static void
cause(struct causes *cs, struct pair *p, const struct event *ev, uint32_t needs)
{
	if (p->causes + 1 == needs && too_early(cs, p, ev))
		is_wrong(cs, ev, "its effect stands before it");
	cs->ids[ev->a].due |= p->causes + 1 == needs && p->early > p->unmarked;
	if (p->causes++ == 0 || ev->t_mon_ns > p->last_ns)
		p->last_ns = ev->t_mon_ns;
}

static void
effect(struct causes *cs, struct pair *p, const struct event *ev,
    uint32_t needs)
{
	bool orphan = (ev->flags & EVENT_ORPHAN) != 0;

	p->needs = needs;
	if (p->causes < needs) {
		p->early++;
		if (!orphan &&
		    (p->unmarked++ == 0 || ev->t_mon_ns < p->unmarked_ns))
			p->unmarked_ns = ev->t_mon_ns;
		return;
	}
	if (orphan && cs->growing == NULL)
		is_wrong(cs, ev, "is no orphan");
	if (ev->t_mon_ns <= p->last_ns && !(orphan && cs->growing != NULL))
		is_wrong(cs, ev, "is no later than its cause");
}

void
causes_event(struct causes *cs, const struct event *ev)
{
	if (!has_place(cs, ev->a))
		return;
	switch (ev->kind) {
	case EV_send:
	case EV_future_set:
		cause(cs, pair_of(cs, ev, false), ev, 1);
		break;
	case EV_receive:
	case EV_future_get:
		effect(cs, pair_of(cs, ev, false), ev, 1);
		break;
	case EV_barrier_enter:
		cause(cs, pair_of(cs, ev, true), ev, ev->c);
		break;
	case EV_barrier_leave:
		effect(cs, pair_of(cs, ev, true), ev, ev->c);
		break;
	case EV_found:
		cs->ids[ev->a].told = true;
		break;
	default:
		break;
	}
}

static void
all_told(struct causes *cs)
{
	for (size_t i = 0; i < cs->n; i++) {
		if (!cs->ids[i].due || cs->ids[i].told)
			continue;
		cs->w->r->violations++;
		wrong(cs->w,
		    "%s: the cause of an orphan, %zu, has come and is not told "
		    "of as found",
		    cs->growing, i);
	}
}

/* An effect whose cause is not in the log says so. */
static void
all_marked(struct causes *cs)
{
	for (size_t i = 0; i < cs->n; i++) {
		for (size_t k = 0; k < cs->ids[i].n; k++) {
			const struct pair *p = &cs->ids[i].turns[k];

			if (p->unmarked == 0 || p->causes >= p->needs)
				continue;
			cs->w->r->violations++;
			wrong(cs->w,
			    "log: %zu, turn %zu: an effect without its cause "
			    "does not say so",
			    i, k);
		}
	}
}

void
causes_end(struct causes *cs, bool whole)
{
	if (cs->growing == NULL)
		all_marked(cs);
	else if (whole)
		all_told(cs);
}
