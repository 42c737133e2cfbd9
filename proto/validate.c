/*
 * The rules of a good log, checked event by event.
 *
 * Each rule is a function of its own that looks at one event and what is
 * remembered of its location, its node or its key.  What an event means for
 * others (begins, ends, causes, is an effect of) stands in its descriptor;
 * no kind is named here but the record of loss.
 */
#include "validate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "causes_seen.h"
#include "clockmap.h"
#include "intmap.h"
#include "tracefile.h"

/* Spans that are open on a location, outermost first. */
#define OPEN_MAX 65536 /* deeper ones are counted, not compared */
struct open_spans {
	struct open_span {
		uint64_t a;
		uint16_t kind;
	} * span;
	size_t n, cap; /* n may exceed what is kept */
};

struct location {
	uint32_t number;
	bool begun;
	uint64_t next_seq;
	int64_t last_node_ns;
	uint64_t lost; /* records, in full rings */
	bool has_lost; /* so its spans are no longer known */
	struct clockmap *map;
	struct open_spans open[EVENT_SPANS];
};

struct validate {
	validate_violation_cb *cb;
	void *arg;
	bool from_the_middle;
	struct defs *defs;
	struct intmap locations, maps;
	struct location *last; /* events come in runs of one location */
	int64_t last_mon_ns;
	struct causes_seen seen[EVENT_KINDS]; /* by kind of the cause */
	struct validate_counts counts;
};

const char *const violation_name[VIOLATIONS] = {
	"kind",
	"location",
	"sequence",
	"time",
	"node time",
	"clock",
	"flags",
	"cause",
	"all causes",
	"span",
	"lost",
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
	for (size_t i = 0; v->maps.n > 0 && i <= v->maps.mask; i++) {
		if (v->maps.slot[i].p != NULL)
			clockmap_clear(v->maps.slot[i].p);
		free(v->maps.slot[i].p);
	}
	intmap_free(&v->locations);
	intmap_free(&v->maps);
	for (int i = 0; i < EVENT_KINDS; i++)
		causes_clear(&v->seen[i]);
	defs_free(v->defs);
	free(v);
}

void
validate_from_the_middle(struct validate *v)
{
	v->from_the_middle = true;
}

const struct validate_counts *
validate_counts(const struct validate *v)
{
	return (&v->counts);
}

__attribute__((format(printf, 4, 5))) static void
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
		n = event_print(text, sizeof(text) / 2, e, v->defs, 0);
	if (n > (int)sizeof(text) / 2 - 1)
		n = (int)sizeof(text) / 2 - 1;
	if (n > 0)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
		    " (event %" PRIu64 " of location %" PRIu32 "): ", e->seq,
		    e->location);
	va_start(ap, fmt);
	vsnprintf(text + n, sizeof(text) - (size_t)n, fmt, ap);
	va_end(ap);
	x.text = text;
	v->cb(v->arg, &x);
}

static struct clockmap *
map_of(struct validate *v, uint32_t node)
{
	struct clockmap *m = intmap_find(&v->maps, node);

	if (m != NULL)
		return (m);
	m = calloc(1, sizeof(*m));
	if (m == NULL || intmap_reserve(&v->maps) == -1) {
		free(m);
		return (NULL);
	}
	intmap_put(&v->maps, node, m);
	return (m);
}

static int
add_segment(struct validate *v, const struct frame *f)
{
	struct msg_segment m;
	struct clock_segment s;
	struct clockmap *map;

	if (msg_decode(MSG_segment, f->body, f->body_bytes, &m) == -1) {
		errno = EINVAL;
		return (-1);
	}
	map = map_of(v, m.node);
	if (map == NULL)
		return (-1);
	s = (struct clock_segment){ m.base_node_ns, m.base_mon_ns, m.skew_q40,
		m.error_ns, m.epoch, m.state };
	if (clockmap_add(map, &s) == 0)
		return (0);
	if (errno != EINVAL)
		return (-1);
	violation(v, VIOLATION_CLOCK, NULL,
	    "the clock map of node %" PRIu32 " does not go on where its last "
	    "piece ends (node time %" PRId64 " ns)",
	    m.node, m.base_node_ns);
	return (0);
}

int
validate_definition(struct validate *v, const struct frame *f)
{
	if (f->type == MSG_segment)
		return (add_segment(v, f));
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
		l->map = map_of(v, t->node);
		if (l->map == NULL) {
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
	if (!first && e->t_node_ns < l->last_node_ns)
		violation(v, VIOLATION_NODE_TIME, e,
		    "its node's clock went back by %" PRIu64 " ns",
		    (uint64_t)l->last_node_ns - (uint64_t)e->t_node_ns);
	l->last_node_ns = e->t_node_ns;
}

static void
check_clock(struct validate *v, const struct location *l, const struct event *e)
{
	int64_t mapped, said;

	if (l->map == NULL || l->map->n == 0 || e->shift_ns == UINT32_MAX)
		return;
	mapped = clockmap_mon(l->map, e->t_node_ns);
	if (__builtin_sub_overflow(e->t_mon_ns, e->shift_ns, &said) ||
	    said - 1 > mapped || said + 1 < mapped)
		violation(v, VIOLATION_CLOCK, e,
		    "its node time maps to %" PRId64
		    " ns, and it was not shifted from there",
		    mapped);
}

static void
check_flags(struct validate *v, const struct event *e,
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
}

/* Key of the event, or false when it pairs with nothing. */
static bool
key_of(const struct event *e, const struct event_desc *d, uint64_t *a,
    uint64_t *b)
{
	*a = d->key == KEY_B ? 0 : e->a;
	*b = d->key == KEY_A ? 0 : e->b;
	return ((d->key == KEY_A ? *a : *b) != 0);
}

static int
check_cause(struct validate *v, const struct event *e,
    const struct event_desc *d)
{
	struct cause *c;
	uint64_t a, b;

	if (!key_of(e, d, &a, &b))
		return (0);
	c = causes_take(&v->seen[d->kind], a, b);
	if (c == NULL)
		return (-1);
	c->causes++;
	if (d->match != MATCH_all || c->effects == 0)
		return (0);
	violation(v, VIOLATION_ALL, e,
	    "an effect that needed it has come before it");
	if (e->c != 0 && c->causes >= e->c && c->effects >= e->c)
		causes_remove(&v->seen[d->kind], c);
	return (0);
}

static void
check_effect(struct validate *v, const struct event *e,
    const struct event_desc *d)
{
	const struct event_desc *cause = defs_kind(v->defs, d->partner);
	struct causes_seen *seen = &v->seen[d->partner];
	struct cause *c;
	uint64_t a, b;

	if (!key_of(e, d, &a, &b))
		return;
	c = causes_find(seen, a, b);
	if (c == NULL) {
		if (e->flags & EVENT_ORPHAN)
			return;
		if (seen->forgotten || v->from_the_middle)
			v->counts.unverified++;
		else
			violation(v, VIOLATION_CAUSE, e,
			    "there is no %s of it before it",
			    cause != NULL ? cause->name : "cause");
		return;
	}
	v->counts.effects++;
	if (d->match == MATCH_one) {
		if (--c->causes == 0)
			causes_remove(seen, c);
	} else if (d->match == MATCH_all) {
		if (c->causes < e->c && !(e->flags & EVENT_ORPHAN)) {
			if (v->from_the_middle)
				v->counts.unverified++;
			else
				violation(v, VIOLATION_ALL, e,
				    "only %" PRIu32 " of %" PRIu32
				    " causes have come before it",
				    c->causes, e->c);
		}
		c->effects++;
		if (e->c != 0 && c->causes >= e->c && c->effects >= e->c)
			causes_remove(seen, c);
	}
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
	if (e->c != LOST_RING_FULL)
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
	check_clock(v, l, e);
	if (d == NULL) {
		violation(v, VIOLATION_KIND, e, "nobody describes this kind");
		return (0);
	}
	check_flags(v, e, d);
	if (e->kind == EV_lost)
		check_lost(v, l, e);
	if (d->shape == SHAPE_BEGIN && open_span(&l->open[d->span], e) == -1)
		return (-1);
	if (d->shape == SHAPE_END)
		close_span(v, l, &l->open[d->span], e, d);
	if (d->role == ROLE_EFFECT && d->partner != EV_none)
		check_effect(v, e, d);
	return (d->role == ROLE_CAUSE ? check_cause(v, e, d) : 0);
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
