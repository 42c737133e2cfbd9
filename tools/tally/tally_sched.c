/*
 * What the scheduler did: how long each thread had a processor, could have had
 * one, or waited for something else.
 *
 * A thread is in one of the three at any time from its first record to its
 * last, so that they add up to its life exactly.  One that is seen for the
 * first time when it loses its processor has had it since the records of its
 * process begin.
 */
#include "tally_inside.h"

/* The state that it was in is over. */
static void
spend(struct tally_sched *s, int64_t t_mon_ns)
{
	s->in_ns[s->state] += tally_span_ns(s->since_mon_ns, t_mon_ns);
	s->since_mon_ns = t_mon_ns;
}

/* It was given this processor, or has lost it. */
static void
put_on(struct tally_sched *s, uint64_t cpu)
{
	s->moves += s->cpu_known && cpu != s->cpu;
	s->cpu = cpu;
	s->cpu_known = true;
}

static struct tally_sched *
sched_of(struct tally *t, const struct event *e, bool *fresh)
{
	int64_t po = tally_po(t, e->location);
	struct tally_sched *s;

	if (po == -1)
		return (NULL);
	s = tally_row(&t->inside->sched,
	    tally_key((uint32_t)po, (uint32_t)e->a), &t->scheds, &t->nscheds,
	    sizeof(*s), fresh);
	if (s != NULL && *fresh) {
		s->po = (uint32_t)po;
		s->tid = (uint32_t)e->a;
		s->since_mon_ns = s->first_mon_ns = e->t_mon_ns;
		s->state = TALLY_BLOCKED;
		if (e->kind == EV_sched_out) {
			s->state = TALLY_RUNNING;
			s->since_mon_ns = s->first_mon_ns =
			    t->pos[po].sched_mon_ns;
		}
	}
	return (s);
}

int
tally_sched(struct tally *t, const struct event *e)
{
	struct tally_sched *s;
	bool fresh;
	int64_t po;

	if (e->kind == EV_sched_from) {
		if ((po = tally_po(t, e->location)) == -1)
			return (-1);
		t->pos[po].sched_mon_ns = e->t_mon_ns;
		t->pos[po].sched_way = e->c;
		return (0);
	}
	if ((s = sched_of(t, e, &fresh)) == NULL)
		return (-1);
	spend(s, e->t_mon_ns);
	s->last_mon_ns = e->t_mon_ns;
	if (e->kind == EV_sched_in || e->kind == EV_sched_out)
		put_on(s, e->b);
	if (e->kind == EV_sched_in) {
		s->state = TALLY_RUNNING;
		s->switches++;
	} else if (e->kind == EV_sched_new) {
		s->state = TALLY_READY;
	} else if (e->kind == EV_sched_gone) {
		s->gone = true;
	} else {
		s->state = e->c != 0 ? TALLY_READY : TALLY_BLOCKED;
		s->preempted += e->c != 0;
	}
	return (0);
}

/* Those that live when their process or the run has ended: until then. */
void
tally_scheds_end(struct tally *t)
{
	for (size_t i = 0; i < t->nscheds; i++) {
		struct tally_sched *s = &t->scheds[i];
		const struct tally_po *po = &t->pos[s->po];
		int64_t end = po->ended ? po->end_mon_ns : t->last_mon_ns;

		if (s->gone || end <= s->last_mon_ns)
			continue;
		spend(s, end);
		s->last_mon_ns = end;
	}
}

/* One of which nothing has been told yet has had it since its process was. */
int64_t
tally_cpu_ns(const struct tally *t, const struct tally_thread *th,
    int64_t t_mon_ns)
{
	const struct def_thread *d = defs_thread(t->inside->defs, th->location);
	const struct tally_sched *s;
	uintptr_t po, i;

	if (t->nscheds == 0 || d == NULL || d->tid == 0)
		return (-1);
	po = (uintptr_t)intmap_find(&t->inside->po, tally_key(d->node, d->po));
	if (po == 0 || t->pos[po - 1].sched_mon_ns == 0)
		return (-1);
	i = (uintptr_t)intmap_find(&t->inside->sched,
	    tally_key((uint32_t)po - 1, d->tid));
	if (i == 0)
		return ((int64_t)tally_span_ns(t->pos[po - 1].sched_mon_ns,
		    t_mon_ns));
	s = &t->scheds[i - 1];
	return ((int64_t)s->in_ns[TALLY_RUNNING] +
		(s->state == TALLY_RUNNING && !s->gone
			? (int64_t)tally_span_ns(s->since_mon_ns, t_mon_ns)
			: 0));
}
