/*
 * Records of the scheduler come by processor, events go by process: what has
 * been read is put in order of process and time, and what is old enough is
 * told.  The rest waits for the next look, since another processor may still
 * have something earlier.
 */
#include "sched.h"

#include <stdlib.h>
#include <string.h>

#include "collector/sweep/drain_in.h"
#include "collector/sweep/sampled.h"
#include "log.h"

#define SCHED_READ 8192u      /* records at a time */
#define SCHED_HELD (1u << 18) /* at most: the kernel has to keep the rest */
#define SCHED_RUN  256u       /* events told at a time */
#define SCHED_BUSY 256u       /* records in a look: the next one is soon */

struct sched {
	sched_read *read;
	void *arg;
	struct chains *chains;
	struct sched_record *held;
	size_t n, cap, came;
	bool warned;
};

struct sched *
sched_new(sched_read *read, void *arg)
{
	struct sched *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return (NULL);
	s->read = read;
	s->arg = arg;
	s->chains = chains_new();
	if (s->chains != NULL)
		return (s);
	free(s);
	return (NULL);
}

void
sched_free(struct sched *s)
{
	if (s == NULL)
		return;
	chains_free(s->chains);
	free(s->held);
	free(s);
}

/* Those that are held have lost their chains: seldom, and few. */
static void
forget_chains(struct sched *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->held[i].chain = NULL;
	chains_clear(s->chains);
}

/* All that is there, as long as there is room for it. */
static void
take_in(struct sched *s)
{
	struct sched_record *more;
	size_t got = SCHED_READ;

	if (chains_full(s->chains))
		forget_chains(s);
	s->came = 0;
	while (got == SCHED_READ && s->n < SCHED_HELD) {
		if (s->cap - s->n < SCHED_READ) {
			more = realloc(s->held,
			    (s->n + 2 * SCHED_READ) * sizeof(*more));
			if (more == NULL)
				return;
			s->held = more;
			s->cap = s->n + 2 * SCHED_READ;
		}
		got = s->read(s->arg, s->chains, s->held + s->n, SCHED_READ);
		s->n += got;
		s->came += got;
	}
}

/* By process, then by time; a thread that leaves comes before the next. */
static int
in_order(const void *a, const void *b)
{
	const struct sched_record *x = a, *y = b;

	if (x->pid != y->pid)
		return ((x->pid > y->pid) - (x->pid < y->pid));
	if (x->t_node_ns != y->t_node_ns)
		return ((x->t_node_ns > y->t_node_ns) -
			(x->t_node_ns < y->t_node_ns));
	return ((x->kind < y->kind) - (x->kind > y->kind));
}

/* The process as it is now: of an exec the last. */
static struct drain_po *
po_of(struct drain *d, uint32_t pid)
{
	for (size_t i = d->npos; i-- > 0;)
		if (d->pos[i]->po->pid == pid && d->pos[i]->source.sched &&
		    !d->pos[i]->ended)
			return (d->pos[i]);
	return (NULL);
}

/* Records that nobody has room for any more; told of some process. */
static bool
tell_lost(struct sched *s, struct drain *d, uint64_t n, int64_t t_node_ns)
{
	if (!s->warned)
		log_warnx("switches of threads come faster than they can be "
			  "taken; some are lost");
	s->warned = true;
	for (size_t i = 0; i < d->npos; i++)
		if (d->pos[i]->source.sched && !d->pos[i]->ended)
			return (drain_room(d) == 0 &&
				drain_say(d->pos[i], EV_lost, n,
				    d->pos[i]->po->about->lost + n, LOST_SCHED,
				    t_node_ns) == 0);
	return (true);
}

static size_t
make_run(struct drain_po *dp, const struct sched_record *r, size_t n,
    int64_t from_ns, struct node_event *e)
{
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		if (r[i].t_node_ns < from_ns)
			continue; /* before it was attached */
		if (dp->sampled != NULL &&
		    sampled_take(dp->sampled, &r[i], &e[out])) {
			out++;
			continue;
		}
		if (r[i].kind == EV_sample_found)
			continue; /* nobody has asked */
		e[out++] = (struct node_event){
			.t_node_ns = r[i].t_node_ns,
			.kind = r[i].kind,
			.a = r[i].tid,
			.b = r[i].cpu,
			.c = r[i].preempted,
		};
	}
	return (out);
}

/* Of one process; false: no room. */
static bool
tell_run(struct drain *d, struct drain_po *dp, const struct sched_record *r,
    size_t n)
{
	struct node_event e[SCHED_RUN];
	struct stream *st = dp->po->about;
	int64_t from_ns =
	    dp->said_ns > dp->begun_ns ? dp->said_ns : dp->begun_ns;
	size_t out;

	if (drain_room(d) == -1 || sampled_tell(dp, r, n, from_ns) == -1)
		return (false);
	out = make_run(dp, r, n, from_ns, e);
	if (out == 0)
		return (true);
	if (batch_add_run(d->writer, st->number, st->next_seq, e, out) == -1)
		return (false);
	st->next_seq += out;
	dp->said_ns = e[out - 1].t_node_ns;
	return (true);
}

/* From i on, all of one process and before that time; returns how many. */
static size_t
run_length(const struct sched *s, size_t i, int64_t before_node_ns)
{
	size_t n = 0;

	while (n < SCHED_RUN && i + n < s->n &&
	       s->held[i + n].pid == s->held[i].pid &&
	       s->held[i + n].t_node_ns < before_node_ns)
		n++;
	return (n);
}

bool
sched_tell(struct sched *s, struct drain *d, int64_t before_node_ns)
{
	size_t left = 0, i, n;
	bool all = true;

	take_in(s);
	qsort(s->held, s->n, sizeof(*s->held), in_order);
	for (i = 0; i < s->n; i += n) {
		struct sched_record *r = &s->held[i];
		struct drain_po *dp = po_of(d, r->pid);

		n = all ? run_length(s, i, before_node_ns) : 0;
		if (n > 0 && r->pid == 0) {
			n = 1;
			all = tell_lost(s, d, r->tid, r->t_node_ns);
		} else if (n > 0 && dp != NULL) {
			all = tell_run(d, dp, r, n);
		}
		if (n > 0 && all)
			continue;
		n = 1; /* later */
		s->held[left++] = *r;
	}
	s->n = left;
	return (all && s->n < SCHED_HELD);
}

bool
sched_busy(const struct sched *s)
{
	return (s->came >= SCHED_BUSY);
}
