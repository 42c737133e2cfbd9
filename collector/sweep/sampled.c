/*
 * A sampler comes when it can: on a busy machine later than it should, and not
 * at all while a thread has no processor.  So a sample does not stand for a
 * period, but for the time that its thread has had a processor since the one
 * before, which the records of the scheduler tell.
 *
 * A chain is followed from the outside in, as stacks are told.  Its innermost
 * address is where the thread was.  The others are read from memory that need
 * not be what it seems: code without frame pointers uses that register for
 * something else.  The first that is in no code ends the chain.
 */
#include "sampled.h"

#include "collector/sweep/code/stacks.h"
#include "drain_in.h"
#include "intmap.h"
#include "sched_record.h"

#define RUN 256u /* stacks told at a time */

struct cpu {
	int64_t last_ns;  /* the last record */
	int64_t since_ns; /* running since */
	uint64_t ns;      /* since the last sample, up to then */
	bool running;
};

struct sampled {
	struct stacks *stacks;
	uint32_t told;
	bool on;
	int64_t since_ns;
	struct intmap cpu; /* by thread */
};

struct sampled *
sampled_new(int64_t since_node_ns)
{
	struct sampled *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return (NULL);
	s->since_ns = since_node_ns;
	s->stacks = stacks_new();
	if (s->stacks != NULL)
		return (s);
	free(s);
	return (NULL);
}

void
sampled_free(struct sampled *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; s->cpu.n > 0 && i <= s->cpu.mask; i++)
		free(s->cpu.slot[i].p);
	free(s->cpu.slot);
	stacks_free(s->stacks);
	free(s);
}

void
sampled_on(struct sampled *s, bool on)
{
	s->on = on;
}

/* --- stacks --- */

/* A return address is behind its call. */
static uint64_t
place_in(const struct chain *c, size_t i)
{
	return (i == 0 ? c->at[i] : c->at[i] - 1);
}

/* How much of a chain is one. */
static size_t
believed(const struct places *p, const struct chain *c)
{
	size_t n = 1;

	while (p != NULL && n < c->n && places_known(p, place_in(c, n)))
		n++;
	return (n);
}

static void
find_stack(const struct drain_po *dp, struct chain *c)
{
	uint32_t number = 0, next;
	size_t n = c->n == 0 ? 0 : believed(dp->places, c);

	for (size_t i = n; i-- > 0; number = next) {
		next =
		    stacks_number(dp->sampled->stacks, number, place_in(c, i));
		if (next == 0)
			break;
	}
	c->stack = number;
	c->po = dp->po->number;
}

/* All that are new, as many as there is room for. */
static int
tell_stacks(struct drain_po *dp, int64_t t_node_ns)
{
	struct sampled *s = dp->sampled;
	struct stream *st = dp->po->about;
	struct node_event e[RUN];
	size_t n;

	while (s->told < stacks_all(s->stacks)) {
		for (n = 0; n < RUN && s->told + n < stacks_all(s->stacks);
		     n++) {
			uint32_t number = s->told + (uint32_t)n + 1;
			struct stack at = stacks_at(s->stacks, number);

			e[n] = (struct node_event){
				.t_node_ns = t_node_ns,
				.kind = EV_sample_stack,
				.a = number,
				.b = at.caller,
				.c = dp->places == NULL
					 ? 0
					 : places_name(dp->places, at.address),
			};
		}
		if (drain_room(dp->d) == -1 || drain_places_tell(dp) == -1 ||
		    batch_add_run(dp->d->writer, st->number, st->next_seq, e,
			n) == -1)
			return (-1);
		st->next_seq += n;
		s->told += (uint32_t)n;
		dp->said_ns = t_node_ns;
	}
	return (0);
}

int
sampled_tell(struct drain_po *dp, const struct sched_record *r, size_t n,
    int64_t from_node_ns)
{
	size_t first = 0;

	if (dp->sampled == NULL || !dp->sampled->on)
		return (0);
	while (first < n && r[first].t_node_ns < from_node_ns)
		first++;
	for (size_t i = first; i < n; i++)
		if (r[i].chain != NULL && r[i].chain->po != dp->po->number)
			find_stack(dp, r[i].chain);
	return (first == n ? 0 : tell_stacks(dp, r[first].t_node_ns));
}

/* --- processor time --- */

static struct cpu *
cpu_of(struct sampled *s, uint32_t tid)
{
	struct cpu *c = intmap_find(&s->cpu, tid);

	if (c != NULL || intmap_reserve(&s->cpu) == -1 ||
	    (c = calloc(1, sizeof(*c))) == NULL)
		return (c);
	/* what is told first tells what was before */
	c->running = true;
	c->since_ns = c->last_ns = s->since_ns;
	intmap_slot(&s->cpu, tid)->key = tid;
	intmap_slot(&s->cpu, tid)->p = c;
	s->cpu.n++;
	return (c);
}

static void
spend(struct cpu *c, int64_t t_node_ns)
{
	if (c->running && t_node_ns > c->since_ns)
		c->ns += (uint64_t)(t_node_ns - c->since_ns);
	c->since_ns = t_node_ns;
}

static void
take_switch(struct sampled *s, const struct sched_record *r)
{
	struct cpu *c = cpu_of(s, r->tid);

	if (c == NULL || r->t_node_ns < c->last_ns)
		return;
	c->last_ns = r->t_node_ns;
	if (r->kind == EV_sched_out || r->kind == EV_sched_gone) {
		spend(c, r->t_node_ns);
		c->running = false;
		return;
	}
	c->running = r->kind == EV_sched_in;
	c->since_ns = r->t_node_ns;
	if (r->kind == EV_sched_new) /* its number may be an old one's */
		c->ns = 0;
}

bool
sampled_take(struct sampled *s, const struct sched_record *r,
    struct node_event *e)
{
	struct cpu *c;

	if (r->kind != EV_sample_found) {
		take_switch(s, r);
		return (false);
	}
	if (!s->on)
		return (false);
	*e = (struct node_event){
		.t_node_ns = r->t_node_ns,
		.kind = EV_sample_found,
		.a = r->tid,
		.c = r->chain == NULL ? 0 : r->chain->stack,
	};
	c = cpu_of(s, r->tid);
	if (c == NULL)
		return (true);
	c->running = true;
	spend(c, r->t_node_ns);
	e->b = c->ns;
	c->ns = 0;
	return (true);
}
