/*
 * One record for each location.  Which thread of the storm that is, it says
 * itself in its first note.
 */
#include "tests/outside/lanes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/outside/wrong.h"

struct lane {
	bool named;
	uint32_t who;                     /* process * STORM_THREADS + thread */
	uint64_t next_seq, lost, unheard; /* lost: of these */
	int64_t t_mon_ns, t_node_ns;      /* of the last event */
	bool lost_last;
	struct storm_said said;
};

struct lanes {
	bool growing;
	const struct skewed *clocks;
	unsigned nclocks;
	struct lane *lane;
	uint64_t n;
	int64_t t_mon_ns;
	struct lanes_times times;
};

/* What is counted; the word c of some is the number of a name: anybody's. */
static const struct {
	const char *name;
	bool c;
} kinds[STORM_KINDS] = {
	[STORM_note] = { "note", false },
	[STORM_thread_create] = { "thread_create", false },
	[STORM_thread_join] = { "thread_join", true },
	[STORM_send] = { "send", true },
	[STORM_receive] = { "receive", true },
	[STORM_task_spawn] = { "task_spawn", false },
	[STORM_task_begin] = { "task_begin", false },
	[STORM_task_end] = { "task_end", true },
	[STORM_future_set] = { "future_set", true },
	[STORM_future_get] = { "future_get", true },
	[STORM_object_depart] = { "object_depart", false },
	[STORM_object_arrive] = { "object_arrive", false },
	[STORM_lock_acquire] = { "lock_acquire", false },
	[STORM_lock_release] = { "lock_release", false },
	[STORM_collective_enter] = { "collective_enter", true },
	[STORM_collective_leave] = { "collective_leave", true },
};

struct lanes *
lanes_new(bool growing, const struct skewed *clocks, unsigned n)
{
	struct lanes *ls = calloc(1, sizeof(*ls));

	if (ls == NULL)
		return (NULL);
	ls->growing = growing;
	ls->clocks = clocks;
	ls->nclocks = n;
	ls->t_mon_ns = INT64_MIN;
	return (ls);
}

void
lanes_free(struct lanes *ls)
{
	if (ls == NULL)
		return;
	free(ls->lane);
	free(ls);
}

static struct lane *
lane_of(struct lanes *ls, uint64_t location)
{
	uint64_t n = ls->n == 0 ? 64 : ls->n;
	struct lane *lane;

	if (location >= UINT64_C(1) << 26)
		return (NULL);
	if (location >= ls->n) {
		while (n <= location)
			n *= 2;
		if ((lane = realloc(ls->lane, n * sizeof(*lane))) == NULL)
			return (NULL);
		memset(lane + ls->n, 0, (n - ls->n) * sizeof(*lane));
		ls->lane = lane;
		ls->n = n;
	}
	return (&ls->lane[location]);
}

static void
worst(int64_t *is, int64_t ns)
{
	if (ns > *is)
		*is = ns;
}

/*
 * The thread has read the raw clock after the event before this one and before
 * this one; reading_ns is what its node's clock said then.
 */
static void
held_against(struct lanes *ls, const struct lane *l, const struct row *r,
    int64_t raw_ns)
{
	const struct skewed *s =
	    &ls->clocks[l->who / STORM_THREADS % ls->nclocks];
	int64_t reading_ns = skewed_ns(s, raw_ns);
	struct lanes_times *ts = &ls->times;

	ts->readings++;
	worst(&ts->node_early_ns, reading_ns - r->t_node_ns);
	if (reading_ns - r->t_node_ns > skewed_slack_ns(s))
		wrong_row(WRONG_EARLY, r);
	if (l->next_seq > 0 && !l->lost_last) {
		worst(&ts->node_late_ns, l->t_node_ns - reading_ns);
		if (l->t_node_ns - reading_ns > skewed_slack_ns(s))
			wrong_row(WRONG_LATER, r);
		worst(&ts->mon_late_ns, l->t_mon_ns - raw_ns);
	}
	worst(&ts->mon_early_ns, raw_ns - r->t_mon_ns);
}

static void
say(struct lane *l, const struct row *r, enum storm_kind kind)
{
	bool hello =
	    (r->a & ~(uint64_t)STORM_HELLO_OF) == (uint64_t)STORM_HELLO;

	if (kind == STORM_note && !hello) {
		l->said.alone++; /* the first that somebody has heard */
		return;
	}
	if (kind == STORM_note) {
		l->named = true;
		l->who = (uint32_t)(r->a & (uint64_t)STORM_HELLO_OF);
	}
	storm_say(&l->said, kind, r->a, r->b,
	    kinds[kind].c ? (uint32_t)r->c : 0);
}

int
lanes_row(struct lanes *ls, const struct row *r)
{
	struct lane *l = lane_of(ls, r->location);
	bool late = ls->growing && (r->flags & ROW_LATE) != 0;
	unsigned k = 0;

	if (l == NULL)
		return (-1);
	if (r->t_mon_ns < ls->t_mon_ns && !late)
		wrong_row(WRONG_ORDER, r);
	if (!late)
		ls->t_mon_ns = r->t_mon_ns;
	if (r->seq != l->next_seq)
		wrong_row(WRONG_SEQUENCE, r);
	if (l->next_seq > 0 && r->t_mon_ns < l->t_mon_ns)
		wrong_row(WRONG_TIME, r);
	if (l->next_seq > 0 && r->t_node_ns < l->t_node_ns)
		wrong_row(WRONG_NODE_TIME, r);
	while (k < STORM_KINDS && strcmp(r->kind, kinds[k].name) != 0)
		k++;
	if (l->named && (k == STORM_send || k == STORM_receive))
		held_against(ls, l, r, (int64_t)r->b);
	if (k < STORM_KINDS)
		say(l, r, (enum storm_kind)k);
	l->lost_last = strcmp(r->kind, "lost") == 0;
	if (l->lost_last)
		l->lost += r->a;
	if (l->lost_last && r->c == STORM_NOT_ATTACHED)
		l->unheard += r->a;
	l->next_seq = r->seq + 1;
	l->t_mon_ns = r->t_mon_ns;
	l->t_node_ns = r->t_node_ns;
	return (0);
}

uint64_t
lanes_said(const struct lanes *ls, unsigned process, unsigned thread,
    const struct storm_said *s, bool lossy)
{
	const struct lane *l = NULL;
	uint64_t lost;

	for (uint64_t i = 0; i < ls->n; i++) {
		if (!ls->lane[i].named ||
		    ls->lane[i].who != process * STORM_THREADS + thread)
			continue;
		if (l != NULL)
			wrong_say(WRONG_TWICE, "thread %u of process %u",
			    thread, process);
		l = &ls->lane[i];
	}
	if (l == NULL) {
		wrong_say(WRONG_COUNT, "nothing of thread %u of process %u",
		    thread, process);
		return (0);
	}
	lost = l->lost - l->unheard;
	if (l->said.events + lost != s->events || (!lossy && lost > 0))
		wrong_say(WRONG_COUNT,
		    "thread %u of process %u did %" PRIu64
		    ", there are %" PRIu64 ", and %" PRIu64 " lost",
		    thread, process, s->events, l->said.events, lost);
	else if (lost == 0 && l->said.hash != s->hash)
		wrong_say(WRONG_HASH, "thread %u of process %u", thread,
		    process);
	if (l->said.alone + l->unheard != s->alone)
		wrong_say(WRONG_COUNT,
		    "thread %u of process %u made %" PRIu64
		    " notes alone, there are %" PRIu64 ", and %" PRIu64 " lost",
		    thread, process, s->alone, l->said.alone, l->unheard);
	return (l->lost);
}

const struct lanes_times *
lanes_times(const struct lanes *ls)
{
	return (&ls->times);
}
