/*
 * Promises that a log keeps whatever happened, one rule each:
 *
 * A life: each program is told to begin once and to end once.
 *
 * A correction does not outlive its reason: what moves an event forward is a
 * cause, the event before it on its thread, or what is left of a correction
 * before, which shrinks by 1/128 of the time that passes.
 *
 * A calm clock, of a world in which nothing goes wrong, never steps.
 *
 * No event is of a time to come, unless somebody has been at the clocks.
 */
#include "tests/sim/promises.h"

#include <stdlib.h>
#include <string.h>

#define DECAY     128
#define DECAY_MAX 2 /* no faster than this, where time runs back */
#define ROUNDING  3 /* ns */

/* The last event of a location. */
struct place {
	int64_t mapped_ns, corrected_ns;
	uint32_t shift_ns; /* UINT32_MAX: not known */
	bool any;
};

struct life {
	const struct program *p;
	unsigned begins, ends;
};

struct promises {
	struct world *w;
	struct place *places;
	size_t places_n;
	struct life *lives;
	size_t lives_n;
	uint32_t *epochs;
	size_t nodes_n;
};

static void *
grow(void *p, size_t *n, size_t want, size_t each)
{
	size_t more = want + 64;
	char *q = realloc(p, more * each);

	if (q == NULL)
		abort();
	memset(q + *n * each, 0, (more - *n) * each);
	*n = more;
	return (q);
}

struct promises *
promises_new(struct world *w)
{
	struct promises *ps = calloc(1, sizeof(*ps));

	if (ps == NULL)
		abort();
	ps->w = w;
	return (ps);
}

void
promises_free(struct promises *ps)
{
	free(ps->places);
	free(ps->lives);
	free(ps->epochs);
	free(ps);
}

void
promises_segment(struct promises *ps, uint32_t node,
    const struct clock_segment *seg)
{
	if (node >= ps->nodes_n)
		ps->epochs = grow(ps->epochs, &ps->nodes_n, node + 1,
		    sizeof(*ps->epochs));
	if (ps->w->p.calm && seg->epoch > ps->epochs[node]) {
		ps->w->r->violations++;
		wrong(ps->w, "node %u: its clock steps though nothing happened",
		    node);
	}
	ps->epochs[node] = seg->epoch;
}

/* How much of a correction is left after so long. */
static int64_t
left_of(int64_t shift_ns, int64_t passed_ns)
{
	return (passed_ns >= 0 ? shift_ns - passed_ns / DECAY
			       : shift_ns - passed_ns / DECAY_MAX);
}

static void
correction(struct promises *ps, struct place *at, const struct event *ev)
{
	int64_t mapped = ev->t_mon_ns - ev->shift_ns, most, clear;
	const struct event_desc *d = &event_table[ev->kind];
	/* an orphan of many causes is behind those that are there */
	bool moved = d->role == ROLE_EFFECT &&
		     (d->match == MATCH_all || !(ev->flags & EVENT_ORPHAN));

	if (ev->shift_ns == 0 || ev->shift_ns == UINT32_MAX || !at->any ||
	    at->shift_ns == UINT32_MAX || moved)
		return;
	most = left_of(at->shift_ns, mapped - at->mapped_ns);
	clear = at->corrected_ns - mapped;
	if (most < clear)
		most = clear;
	if (ev->shift_ns <= most + ROUNDING)
		return;
	ps->w->r->violations++;
	wrong(ps->w,
	    "location %u: event %llu is moved by %u ns, %lld are left of what "
	    "moved those before it",
	    ev->location, (unsigned long long)ev->seq, ev->shift_ns,
	    (long long)(most > 0 ? most : 0));
}

static void
life(struct promises *ps, const struct program *p, const struct event *ev)
{
	struct life *l;
	size_t i = 0;

	while (i < ps->lives_n && ps->lives[i].p != NULL && ps->lives[i].p != p)
		i++;
	if (i == ps->lives_n)
		ps->lives =
		    grow(ps->lives, &ps->lives_n, i + 1, sizeof(*ps->lives));
	l = &ps->lives[i];
	l->p = p;
	l->begins += ev->kind == EV_po_begin;
	l->ends += ev->kind == EV_po_end;
}

static void
time_to_come(struct promises *ps, const struct event *ev)
{
	unsigned clocks = CLOCK_FAULTS | 1u << FAULT_REBOOT;

	if ((ev->flags & EVENT_AHEAD) == 0 || (ps->w->p.kinds & clocks) != 0)
		return;
	ps->w->r->violations++;
	wrong(ps->w, "location %u: event %llu is said to be of a time to come",
	    ev->location, (unsigned long long)ev->seq);
}

void
promises_event(struct promises *ps, const struct event *ev,
    const struct program *of, uint32_t thread)
{
	struct place *at;

	if (ev->location >= ps->places_n)
		ps->places = grow(ps->places, &ps->places_n, ev->location + 1,
		    sizeof(*ps->places));
	at = &ps->places[ev->location];
	time_to_come(ps, ev);
	if (ev->location != 0)
		correction(ps, at, ev);
	*at = (struct place){ .mapped_ns = ev->t_mon_ns - ev->shift_ns,
		.corrected_ns = ev->t_mon_ns,
		.shift_ns = ev->shift_ns,
		.any = true };
	if (of != NULL && thread == 0)
		life(ps, of, ev);
}

void
promises_end(struct promises *ps)
{
	for (size_t i = 0; i < ps->lives_n && ps->lives[i].p != NULL; i++) {
		const struct life *l = &ps->lives[i];

		if (l->begins == 1 && l->ends == 1)
			continue;
		ps->w->r->violations++;
		wrong(ps->w, "%s po %u: begins %u times, ends %u times",
		    l->p->host->name, l->p->app.po, l->begins, l->ends);
	}
}
