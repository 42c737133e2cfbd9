/*
 * The rules of a good log, checked event by event.
 *
 * Each rule is a function of its own that looks at one event and what is
 * remembered of its location, its node or its key.  What an event means for
 * others (begins, ends, causes, is an effect of) stands in its descriptor;
 * no kind is named here but the record of loss.  Clocks, causes, and what the
 * monitor says of itself are in files of their own.
 */
#include "validate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate_inside.h"

#define OPEN_MAX 65536 /* deeper ones are counted, not compared */

const char *const violation_name[VIOLATIONS] = {
	"kind",
	"location",
	"sequence",
	"time",
	"clock",
	"clock map",
	"flags",
	"cause",
	"all causes",
	"early",
	"orphan",
	"span",
	"lost",
	"name",
	"monitor",
	"receipt",
};

struct validate *
validate_new(validate_violation_cb *cb, void *arg)
{
	struct validate *v = calloc(1, sizeof(*v));

	if (v == NULL)
		return (NULL);
	v->cb = cb;
	v->arg = arg;
	v->last_mon_ns = INT64_MIN;
	v->defs = defs_new();
	if (v->defs == NULL) {
		free(v);
		return (NULL);
	}
	return (v);
}

static void
free_location(struct location *l)
{
	for (int i = 0; i < EVENT_SPANS; i++)
		free(l->open[i].span);
	free(l);
}

void
validate_free(struct validate *v)
{
	if (v == NULL)
		return;
	for (size_t i = 0; v->locations.n > 0 && i <= v->locations.mask; i++) {
		if (v->locations.slot[i].p != NULL)
			free_location(v->locations.slot[i].p);
	}
	for (size_t i = 0; v->nodes.n > 0 && i <= v->nodes.mask; i++) {
		struct checked_node *n = v->nodes.slot[i].p;

		if (n != NULL)
			validate_clocks_free(n);
		free(n);
	}
	intmap_free(&v->locations);
	intmap_free(&v->nodes);
	for (int i = 0; i < EVENT_KINDS; i++) {
		seen_clear(&v->seen[i]);
		seen_clear(&v->waiting[i]);
	}
	defs_free(v->defs);
	free(v);
}

void
validate_from_the_middle(struct validate *v)
{
	v->from_the_middle = true;
}

void
validate_growing(struct validate *v)
{
	v->growing = true;
}

const struct validate_counts *
validate_counts(const struct validate *v)
{
	return (&v->counts);
}

void
validate_origin(struct validate *v, int64_t mon_ns)
{
	v->origin_mon_ns = mon_ns;
}

void
violation(struct validate *v, enum violation_kind kind, const struct event *e,
    const char *fmt, ...)
{
	struct violation x = { .kind = kind, .event = e };
	char text[512];
	int n = 0;
	va_list ap;

	v->counts.violations++;
	v->counts.by_kind[kind]++;
	if (v->cb == NULL)
		return;
	if (e != NULL)
		n = event_print_named(text, sizeof(text) / 2, e, v->defs,
		    v->origin_mon_ns);
	if (n > (int)sizeof(text) / 2 - 1)
		n = (int)sizeof(text) / 2 - 1;
	if (n > 0)
		n += snprintf(text + n, sizeof(text) - (size_t)n, ": ");
	va_start(ap, fmt);
	vsnprintf(text + n, sizeof(text) - (size_t)n, fmt, ap);
	va_end(ap);
	x.text = text;
	v->cb(v->arg, &x);
}

struct checked_node *
validate_node(struct validate *v, uint32_t number)
{
	struct checked_node *n = intmap_find(&v->nodes, number);

	if (n != NULL)
		return (n);
	n = calloc(1, sizeof(*n));
	if (n == NULL || intmap_reserve(&v->nodes) == -1) {
		free(n);
		return (NULL);
	}
	n->number = number;
	intmap_put(&v->nodes, number, n);
	return (n);
}

int
validate_definition(struct validate *v, const struct frame *f)
{
	if (f->type == MSG_segment)
		return (validate_piece(v, f));
	return (defs_add(v->defs, f));
}

/* The location of an event; made, and looked at, when it is the first. */
static struct location *
location_of(struct validate *v, const struct event *e)
{
	const struct def_thread *t;
	struct location *l = v->last;

	if (l != NULL && l->number == e->location)
		return (l);
	l = intmap_find(&v->locations, e->location);
	if (l != NULL)
		return (v->last = l);
	l = calloc(1, sizeof(*l));
	if (l == NULL || intmap_reserve(&v->locations) == -1) {
		free(l);
		return (NULL);
	}
	l->number = e->location;
	t = defs_thread(v->defs, e->location);
	if (t != NULL && t->node != 0) {
		l->node = validate_node(v, t->node);
		if (l->node == NULL) {
			free(l);
			return (NULL);
		}
	} else if (t == NULL && e->location != 0) {
		violation(v, VIOLATION_LOCATION, e,
		    "its location has not been defined before it");
	}
	intmap_put(&v->locations, e->location, l);
	v->counts.locations++;
	return (v->last = l);
}

/* An EV_lost that stands for so many records has the number of the last. */
static bool
tells_gap(const struct event *e, uint64_t next_seq)
{
	return (e->kind == EV_lost && e->c == LOST_GONE && e->a > 0 &&
		e->a == e->seq + 1 - next_seq);
}

static void
check_sequence(struct validate *v, struct location *l, const struct event *e)
{
	if (tells_gap(e, l->next_seq)) {
		l->begun = true;
	} else if (!l->begun) {
		l->begun = true;
		if (e->seq != 0 && !v->from_the_middle)
			violation(v, VIOLATION_SEQ, e,
			    "its location does not begin with event 0");
	} else if (e->seq > l->next_seq) {
		violation(v, VIOLATION_SEQ, e,
		    "%" PRIu64 " events of its location are missing before it",
		    e->seq - l->next_seq);
	} else if (e->seq < l->next_seq) {
		violation(v, VIOLATION_SEQ, e,
		    "its location was already at event %" PRIu64, l->next_seq);
	}
	l->next_seq = e->seq + 1;
}

static void
check_times(struct validate *v, struct location *l, const struct event *e,
    bool first)
{
	if (e->t_mon_ns < v->last_mon_ns)
		violation(v, VIOLATION_TIME, e,
		    "it is %" PRIu64 " ns before the event that precedes it",
		    (uint64_t)v->last_mon_ns - (uint64_t)e->t_mon_ns);
	v->last_mon_ns = e->t_mon_ns;
	/* no violation: a time is as the program has stamped it */
	v->counts.backward += !first && e->t_node_ns < l->last_node_ns;
	l->last_node_ns = e->t_node_ns;
}

static void
check_flags(struct validate *v, const struct location *l, const struct event *e,
    const struct event_desc *d)
{
	if (!(e->flags & EVENT_SHIFTED) != (e->shift_ns == 0))
		violation(v, VIOLATION_FLAGS, e,
		    "its flag and its shift of %" PRIu32 " ns do not agree",
		    e->shift_ns);
	if (e->flags & EVENT_ORPHAN && d->role != ROLE_EFFECT)
		violation(v, VIOLATION_FLAGS, e,
		    "it is marked as orphan, but is no effect");
	v->counts.late += (e->flags & EVENT_LATE) != 0;
	v->counts.orphans += (e->flags & EVENT_ORPHAN) != 0;
	v->counts.shifted += (e->flags & EVENT_SHIFTED) != 0;
	v->counts.ahead += (e->flags & EVENT_AHEAD) != 0;
	v->of_kind[e->kind]++;
	if (l->node != NULL)
		l->node->late += (e->flags & EVENT_LATE) != 0;
}

static int
open_span(struct open_spans *o, const struct event *e)
{
	if (o->n == o->cap && o->cap < OPEN_MAX) {
		size_t cap = o->cap == 0 ? 8 : o->cap * 2;
		struct open_span *p = reallocarray(o->span, cap, sizeof(*p));

		if (p == NULL)
			return (-1);
		o->span = p;
		o->cap = cap;
	}
	if (o->n < o->cap)
		o->span[o->n] = (struct open_span){ e->a, e->kind };
	o->n++;
	return (0);
}

/* "task:id" and "task:id" mean the same; "" means nothing. */
static bool
same_word(const struct event_desc *x, const struct event_desc *y)
{
	return (x != NULL && x->a[0] != '\0' && strcmp(x->a, y->a) == 0);
}

/*
 * Functions are left in ways that no probe sees (longjmp, exceptions), and a
 * loss may have taken any begin or end; there, an end just closes what it
 * finds.
 */
static void
close_span(struct validate *v, const struct location *l, struct open_spans *o,
    const struct event *e, const struct event_desc *d)
{
	const struct open_span *s;

	if (o->n == 0)
		return; /* nothing happens, as events.def says */
	if (--o->n >= o->cap)
		return;
	s = &o->span[o->n];
	if (d->span == SPAN_call || l->has_lost || s->a == 0 || e->a == 0 ||
	    s->a == e->a || !same_word(defs_kind(v->defs, s->kind), d))
		return;
	violation(v, VIOLATION_SPAN, e,
	    "what it ends is not open; the innermost is 0x%" PRIx64, s->a);
}

static void
check_lost(struct validate *v, struct location *l, const struct event *e)
{
	v->counts.lost += e->a;
	l->has_lost = true;
	/* the collector's and monitord's own words have a count of their own */
	if (e->c == LOST_NO_RING || e->c == LOST_GONE)
		return;
	l->lost += e->a;
	if (l->lost != e->b && !v->from_the_middle)
		violation(v, VIOLATION_LOST, e,
		    "its location has told of %" PRIu64 " lost records so far",
		    l->lost);
	l->lost = e->b;
}

int
validate_event(struct validate *v, const struct event *e)
{
	const struct event_desc *d = defs_kind(v->defs, e->kind);
	struct location *l = location_of(v, e);
	bool first;

	if (l == NULL)
		return (-1);
	v->counts.events++;
	v->counts.stored += e->location != 0 && e->kind != EV_lost;
	first = !l->begun;
	check_sequence(v, l, e);
	check_times(v, l, e, first);
	validate_clock(v, l, e);
	if (d == NULL) {
		violation(v, VIOLATION_KIND, e, "nobody describes this kind");
		return (0);
	}
	check_flags(v, l, e, d);
	validate_words(v, e, d);
	if (d->class == CLASS_monitor && validate_said(v, l, e) == -1)
		return (-1);
	if (e->kind == EV_lost)
		check_lost(v, l, e);
	if (d->shape == SHAPE_BEGIN && open_span(&l->open[d->span], e) == -1)
		return (-1);
	if (d->shape == SHAPE_END)
		close_span(v, l, &l->open[d->span], e, d);
	if (d->role == ROLE_EFFECT && d->partner != EV_none &&
	    validate_effect(v, e, d) == -1)
		return (-1);
	return (d->role == ROLE_CAUSE ? validate_cause(v, e, d) : 0);
}

/* A step of a clock makes a new epoch; it must have been told. */
void
validate_end(struct validate *v)
{
	validate_told(v);
	for (size_t i = 0; v->nodes.n > 0 && i <= v->nodes.mask; i++) {
		const struct checked_node *n = v->nodes.slot[i].p;
		const struct checked_clock *c;
		uint32_t epoch;

		if (n == NULL || n->clocks == 0)
			continue;
		c = &n->clock[n->clocks - 1];
		epoch = c->piece[c->pieces - 1].epoch;
		if (epoch > n->steps_told &&
		    epoch > n->clock[0].piece[0].epoch && !v->from_the_middle)
			violation(v, VIOLATION_MONITOR, NULL,
			    "the clock map of node %" PRIu32
			    " is in epoch %" PRIu32
			    ", but no clock_step tells of it",
			    n->number, epoch);
	}
}

void
validate_receipt(struct validate *v, const struct msg_receipt *r)
{
	const struct {
		const char *what;
		uint64_t said, seen;
	} rows[] = {
		{ "stored", r->stored, v->counts.stored },
		{ "lost", r->lost, v->counts.lost },
		{ "late", r->late, v->counts.late },
		{ "orphans", r->orphans, v->counts.orphans },
	};

	if (r->unknown == 0 && r->published != r->stored + r->lost)
		violation(v, VIOLATION_RECEIPT, NULL,
		    "published %" PRIu64 " is not stored %" PRIu64
		    " + lost %" PRIu64,
		    r->published, r->stored, r->lost);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].said != rows[i].seen)
			violation(v, VIOLATION_RECEIPT, NULL,
			    "the receipt says %s %" PRIu64
			    ", the log holds %" PRIu64,
			    rows[i].what, rows[i].said, rows[i].seen);
	}
}
