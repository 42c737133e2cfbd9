/*
 * Every event of a log in order of time.
 *
 * The blocks are sorted by their first time and unpacked when the merge gets
 * there.  In a finished log they follow one another and one is open at a time;
 * late blocks of an unfinished one are open beside those that they belong
 * into.  Of two events of the same time the one that is earlier in the file
 * comes first, which keeps each location in order.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracefile.h"
#include "tracefile_inside.h"
#include "wire.h"

#define OPEN_EVENTS_MAX ((size_t)1 << 24)
#define NONE            SIZE_MAX

/* A block that is open. */
struct source {
	struct event *events;
	size_t at, n, cap;
	size_t order; /* its place in the file */
};

struct merge {
	struct tracefile *t;
	struct tracefile_entry *todo; /* by first time */
	size_t ntodo, next;
	struct source *open; /* nopen in use; behind them arrays to reuse */
	size_t nopen, cap;
	size_t open_events;
	size_t now; /* the one that goes on, until this time; NONE */
	int64_t until_ns;
	int64_t from_mon_ns, to_mon_ns;
	struct buf scratch;
};

static int
by_first_time(const void *x, const void *y)
{
	const struct tracefile_entry *a = x, *b = y;

	if (a->first_mon_ns != b->first_mon_ns)
		return (a->first_mon_ns < b->first_mon_ns ? -1 : 1);
	return (a->offset < b->offset ? -1 : a->offset > b->offset);
}

/* The number that all definitions but that of a kind begin with. */
static uint32_t
definition_number(const struct frame *f)
{
	return (
	    f->type == MSG_kind || f->body_bytes < 4 ? 0 : get_u32(f->body));
}

static bool
is_definition(unsigned type)
{
	return ((type >= MSG_kind && type <= MSG_segment) ||
		type == MSG_module || type == MSG_symbol);
}

/* 1: f is a definition that can be believed; 0: it is damaged; or -1. */
static int
definition_at(struct merge *m, const struct tracefile_entry *e, struct frame *f)
{
	union {
		struct msg_kind kind;
		struct msg_node node;
		struct msg_po po;
		struct msg_thread thread;
		struct msg_name name;
		struct msg_segment segment;
		struct msg_module module;
		struct msg_symbol symbol;
	} msg;
	int rc = tracefile_frame_at(m->t, e->offset, e->frame_bytes, f);

	if (rc == 1 &&
	    (f->type != e->type || !is_definition(f->type) ||
		msg_decode(f->type, f->body, f->body_bytes, &msg) == -1 ||
		definition_number(f) > tracefile_number_max(m->t->bytes)))
		rc = 0;
	if (rc == 0)
		tracefile_damage(m->t, e->offset, e->offset + e->frame_bytes);
	return (rc);
}

/* Gives out definitions, notes the blocks. */
static int
begin(struct merge *m, const struct tracefile_entry *e, size_t n,
    const struct trace_sink *sink, void *arg)
{
	struct frame f;
	int rc;

	m->todo = calloc(n + 1, sizeof(*m->todo));
	if (m->todo == NULL)
		return (-1);
	for (size_t i = 0; i < n; i++) {
		if (e[i].type == MSG_block) {
			if (e[i].last_mon_ns >= m->from_mon_ns &&
			    e[i].first_mon_ns < m->to_mon_ns)
				m->todo[m->ntodo++] = e[i];
			continue;
		}
		if (sink->definition == NULL)
			continue;
		rc = definition_at(m, &e[i], &f);
		if (rc == 1)
			rc = sink->definition(arg, &f);
		if (rc != 0)
			return (rc);
	}
	qsort(m->todo, m->ntodo, sizeof(*m->todo), by_first_time);
	return (0);
}

/* An array for n events at m->open[m->nopen]. */
static int
source_reserve(struct merge *m, size_t n)
{
	struct source *s;

	if (m->nopen == m->cap) {
		size_t cap = m->cap == 0 ? 4 : m->cap * 2;

		s = reallocarray(m->open, cap, sizeof(*s));
		if (s == NULL)
			return (-1);
		memset(s + m->cap, 0, (cap - m->cap) * sizeof(*s));
		m->open = s;
		m->cap = cap;
	}
	assert(m->open != NULL); /* there is room for one */
	s = &m->open[m->nopen];
	if (s->cap >= n)
		return (0);
	free(s->events);
	s->cap = 0;
	s->events = calloc(n, sizeof(*s->events));
	if (s->events == NULL)
		return (-1);
	s->cap = n;
	return (0);
}

static bool
locations_are_good(const struct merge *m, const struct source *s, uint32_t n)
{
	uint32_t most = tracefile_number_max(m->t->bytes), bad = 0;

	for (uint32_t i = 0; i < n; i++)
		bad |= s->events[i].location > most;
	return (!bad);
}

/* Unpacks the next block; one that is damaged is passed over. */
static int
open_next(struct merge *m)
{
	const struct tracefile_entry *e = &m->todo[m->next++];
	struct msg_block b;
	struct source *s;
	struct frame f;
	int rc;

	if (m->open_events + e->events > OPEN_EVENTS_MAX) {
		errno = ENOMEM;
		return (-1);
	}
	rc = tracefile_frame_at(m->t, e->offset, e->frame_bytes, &f);
	if (rc == -1 || source_reserve(m, e->events) == -1)
		return (-1);
	s = &m->open[m->nopen];
	if (rc == 0 || f.type != MSG_block ||
	    msg_decode(MSG_block, f.body, f.body_bytes, &b) == -1 ||
	    b.events != e->events || b.first_mon_ns != e->first_mon_ns ||
	    b.last_mon_ns != e->last_mon_ns ||
	    block_read(&b, s->events, &m->scratch) == -1 ||
	    !locations_are_good(m, s, b.events)) {
		tracefile_damage(m->t, e->offset, e->offset + e->frame_bytes);
		return (0);
	}
	s->at = 0;
	s->n = e->events;
	s->order = (size_t)e->offset;
	m->open_events += s->n;
	m->nopen++;
	return (0);
}

static void
close_source(struct merge *m, size_t i)
{
	struct source s = m->open[i];

	m->open_events -= s.n;
	m->open[i] = m->open[--m->nopen];
	m->open[m->nopen] = s; /* its array is for the next one */
}

static bool
is_before(const struct source *a, const struct source *b)
{
	int64_t ta = a->events[a->at].t_mon_ns, tb = b->events[b->at].t_mon_ns;

	return (ta != tb ? ta < tb : a->order < b->order);
}

/*
 * The source whose event is the earliest, and the time before which it stays
 * the earliest.
 */
static size_t
earliest(const struct merge *m, int64_t *until_ns)
{
	size_t best = 0;

	assert(m->open != NULL); /* the caller has opened one */
	for (size_t i = 1; i < m->nopen; i++) {
		if (is_before(&m->open[i], &m->open[best]))
			best = i;
	}
	*until_ns =
	    m->next < m->ntodo ? m->todo[m->next].first_mon_ns : INT64_MAX;
	for (size_t i = 0; i < m->nopen; i++) {
		const struct source *s = &m->open[i];

		if (i != best && s->events[s->at].t_mon_ns < *until_ns)
			*until_ns = s->events[s->at].t_mon_ns;
	}
	return (best);
}

/* The source to go on with, NONE at the end; -1: it cannot. */
static int
turn_to(struct merge *m)
{
	const struct source *s;

	for (;;) {
		m->now = NONE;
		if (m->nopen == 0) {
			if (m->next == m->ntodo)
				return (0);
			if (open_next(m) == -1)
				return (-1);
			continue;
		}
		m->now = earliest(m, &m->until_ns);
		s = &m->open[m->now];
		if (m->next == m->ntodo ||
		    s->events[s->at].t_mon_ns < m->todo[m->next].first_mon_ns)
			return (0);
		if (open_next(m) == -1)
			return (-1);
	}
}

/* 1 and the next event; 0: that was the last one; -1 with errno. */
static inline int
next(struct merge *m, const struct event **e)
{
	struct source *s;

	do {
		s = m->now == NONE ? NULL : &m->open[m->now];
		if (s == NULL || s->at == s->n ||
		    s->events[s->at].t_mon_ns >= m->until_ns) {
			if (s != NULL && s->at == s->n)
				close_source(m, m->now);
			if (turn_to(m) == -1)
				return (-1);
			if (m->now == NONE)
				return (0);
			s = &m->open[m->now];
		}
		*e = &s->events[s->at++];
	} while ((*e)->t_mon_ns < m->from_mon_ns);
	return ((*e)->t_mon_ns < m->to_mon_ns || m->to_mon_ns == INT64_MAX);
}

static int
merge(struct merge *m, const struct trace_sink *sink, void *arg)
{
	const struct event *e;
	int rc;

	while ((rc = next(m, &e)) == 1)
		if ((rc = sink->event(arg, e)) != 0)
			return (rc);
	return (rc);
}

static void
merge_free(struct merge *m)
{
	int saved = errno;

	for (size_t i = 0; i < m->cap; i++)
		free(m->open[i].events);
	free(m->open);
	free(m->todo);
	buf_free(&m->scratch);
	errno = saved;
}

int
tracefile_each(struct tracefile *t, int64_t from_mon_ns, int64_t to_mon_ns,
    const struct trace_sink *sink, void *arg)
{
	struct merge m = { .t = t,
		.from_mon_ns = from_mon_ns,
		.to_mon_ns = to_mon_ns,
		.now = NONE };
	const struct tracefile_entry *e;
	size_t n;
	int rc = -1;

	e = tracefile_index(t, &n);
	if (e != NULL)
		rc = begin(&m, e, n, sink, arg);
	if (rc == 0 && sink->event != NULL)
		rc = merge(&m, sink, arg);
	merge_free(&m);
	return (rc);
}

struct tracefile_walk {
	struct merge m;
};

struct tracefile_walk *
tracefile_walk_new(struct tracefile *t, int64_t from_mon_ns, int64_t to_mon_ns)
{
	static const struct trace_sink nobody;
	struct tracefile_walk *w = calloc(1, sizeof(*w));
	const struct tracefile_entry *e;
	size_t n;

	if (w == NULL)
		return (NULL);
	w->m = (struct merge){ .t = t,
		.from_mon_ns = from_mon_ns,
		.to_mon_ns = to_mon_ns,
		.now = NONE };
	if ((e = tracefile_index(t, &n)) != NULL &&
	    begin(&w->m, e, n, &nobody, NULL) == 0)
		return (w);
	tracefile_walk_free(w);
	return (NULL);
}

void
tracefile_walk_free(struct tracefile_walk *w)
{
	if (w == NULL)
		return;
	merge_free(&w->m);
	free(w);
}

int
tracefile_walk_next(struct tracefile_walk *w, const struct event **e)
{
	return (next(&w->m, e));
}
