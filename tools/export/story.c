/*
 * A thread has a stack of spans.  An end takes out the innermost one of its
 * span, wherever that stands; what lies above it closes and goes on at once,
 * since none of the formats knows spans that overlap.  A task that is
 * suspended takes what lies above it onto its shelf until it goes on, there or
 * on another thread.  tools/tally/tally_scope.c counts by the same rules.
 */
#include "tools/export/story.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/causes_seen.h"
#include "intmap.h"
#include "log.h"

struct stack {
	struct stack *next; /* all of them, for the end */
	struct story_span *at;
	size_t n, cap;
	uint32_t location;
	uint64_t events;
	int64_t last_mon_ns;          /* when the last of them was */
	uint32_t deeper[EVENT_SPANS]; /* that were left out and are open */
};

/* What was open in a task that is suspended. */
struct shelf {
	struct story_span *at;
	size_t n;
};

struct place { /* of a location */
	uint64_t po;
	uint32_t location;
};

struct story {
	const struct defs *defs;
	const struct story_teller *teller;
	void *arg;
	int64_t from_mon_ns, last_mon_ns;
	bool telling;
	struct intmap stacks, shelves;
	struct stack *last, *first;
	struct place *places; /* in order of process */
	size_t nplaces;
	struct causes_seen one, many;
	struct holds *holds; /* NULL: not asked for */
	uint64_t too_deep;
};

static int
compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->po != y->po)
		return (x->po < y->po ? -1 : 1);
	return (x->location < y->location ? -1 : x->location > y->location);
}

static uint64_t
po_of(const struct defs *defs, uint32_t location)
{
	const struct def_thread *t = defs_thread(defs, location);

	return (t == NULL ? 0 : (uint64_t)t->node << 32 | t->po);
}

/* Of one that is over: as far as it is in what is told. */
static void
tell_hold(void *arg, const struct story_hold *h)
{
	const struct story *s = arg;
	struct story_hold told = *h;

	if (told.from_mon_ns < s->from_mon_ns)
		told.from_mon_ns = s->from_mon_ns;
	if (s->telling)
		s->teller->hold(s->arg, &told);
}

struct story *
story_new(const struct defs *defs, int64_t from_mon_ns,
    const struct story_teller *teller, void *arg)
{
	struct story *s = calloc(1, sizeof(*s));
	uint32_t last = defs_locations(defs);

	if (s == NULL)
		return (NULL);
	*s = (struct story){ .defs = defs,
		.teller = teller,
		.arg = arg,
		.from_mon_ns = from_mon_ns,
		.telling = from_mon_ns == INT64_MIN,
		.places = calloc((size_t)last + 1, sizeof(*s->places)) };
	if (teller->hold != NULL)
		s->holds = holds_new(defs, tell_hold, s);
	if (s->places == NULL || (teller->hold != NULL && s->holds == NULL)) {
		free(s->places);
		free(s->holds);
		free(s);
		return (NULL);
	}
	for (uint32_t i = 1; i <= last; i++)
		if (defs_thread(defs, i) != NULL)
			s->places[s->nplaces++] =
			    (struct place){ po_of(defs, i), i };
	qsort(s->places, s->nplaces, sizeof(*s->places), compare);
	return (s);
}

void
story_free(struct story *s)
{
	struct stack *k;

	if (s == NULL)
		return;
	while ((k = s->first) != NULL) {
		s->first = k->next;
		free(k->at);
		free(k);
	}
	for (size_t i = 0; s->shelves.n > 0 && i <= s->shelves.mask; i++) {
		struct shelf *shelf = s->shelves.slot[i].p;

		if (shelf != NULL)
			free(shelf->at);
		free(shelf);
	}
	intmap_free(&s->stacks);
	intmap_free(&s->shelves);
	seen_clear(&s->one);
	seen_clear(&s->many);
	holds_free(s->holds);
	free(s->places);
	free(s);
}

/* --- stacks --- */

static struct stack *
stack_of(struct story *s, uint32_t location)
{
	struct stack *k = s->last;

	if (k != NULL && k->location == location)
		return (k);
	if ((k = intmap_find(&s->stacks, location)) == NULL) {
		if (intmap_reserve(&s->stacks) == -1 ||
		    (k = calloc(1, sizeof(*k))) == NULL)
			return (NULL);
		k->location = location;
		k->next = s->first;
		s->first = k;
		intmap_put(&s->stacks, location, k);
	}
	s->last = k;
	return (k);
}

static void
tell_open(const struct story *s, struct stack *k, size_t i, int64_t t)
{
	if (s->telling && s->teller->open != NULL)
		s->teller->open(s->arg, k->location, t, &k->at[i], i);
}

static void
tell_close(const struct story *s, const struct stack *k, size_t i, int64_t t)
{
	if (s->telling && s->teller->close != NULL)
		s->teller->close(s->arg, k->location, t, &k->at[i], i);
}

static int
push(struct story *s, struct stack *k, const struct story_span *span, int64_t t)
{
	if (k->n == STORY_DEPTH_MAX) {
		k->deeper[span->span]++;
		s->too_deep++;
		return (0);
	}
	if (k->n == k->cap) {
		size_t cap = k->cap == 0 ? 8 : 2 * k->cap;
		struct story_span *at = reallocarray(k->at, cap, sizeof(*at));

		if (at == NULL)
			return (-1);
		k->at = at;
		k->cap = cap;
	}
	k->at[k->n] = *span;
	tell_open(s, k, k->n++, t);
	return (0);
}

/* Closes this one; what lies above goes on. */
static void
take_out(const struct story *s, struct stack *k, size_t at, int64_t t)
{
	for (size_t i = k->n; i-- > at;) {
		k->at[i].rests = i > at;
		tell_close(s, k, i, t);
		k->at[i].rests = false;
	}
	k->n--;
	memmove(&k->at[at], &k->at[at + 1], (k->n - at) * sizeof(*k->at));
	for (size_t i = at; i < k->n; i++) {
		k->at[i].again = true;
		tell_open(s, k, i, t);
	}
}

/* Index + 1 of the innermost one of a span; 0: there is none. */
static size_t
innermost(const struct stack *k, uint8_t span)
{
	size_t i = k->n;

	while (i > 0 && k->at[i - 1].span != span)
		i--;
	return (i);
}

/* What lies above the task's span goes onto its shelf. */
static int
shelve(struct story *s, struct stack *k, size_t task, int64_t t)
{
	size_t n = k->n - task - 1;
	struct story_span *at;
	struct shelf *shelf;

	if (n == 0 || innermost(k, SPAN_task) != task + 1)
		return (0);
	if ((shelf = intmap_find(&s->shelves, k->at[task].id)) == NULL) {
		if (intmap_reserve(&s->shelves) == -1 ||
		    (shelf = calloc(1, sizeof(*shelf))) == NULL)
			return (-1);
		intmap_put(&s->shelves, k->at[task].id, shelf);
	}
	at = reallocarray(shelf->at, shelf->n + n, sizeof(*at));
	if (at == NULL)
		return (-1);
	memmove(at + n, at, shelf->n * sizeof(*at));
	memcpy(at, &k->at[task + 1], n * sizeof(*at));
	shelf->at = at;
	shelf->n += n;
	while (k->n > task + 1) {
		k->at[--k->n].rests = true;
		tell_close(s, k, k->n, t);
	}
	return (0);
}

static int
unshelve(struct story *s, struct stack *k, uint64_t task, int64_t t)
{
	struct shelf *shelf = intmap_find(&s->shelves, task);
	int rc = 0;

	if (shelf == NULL)
		return (0);
	for (size_t i = 0; rc == 0 && i < shelf->n; i++) {
		shelf->at[i].again = true;
		rc = push(s, k, &shelf->at[i], t);
	}
	free(shelf->at);
	*shelf = (struct shelf){ 0 };
	return (rc);
}

static int
begin(struct story *s, struct stack *k, const struct event_desc *d,
    const struct event *e)
{
	struct story_span span = { .id = e->a,
		.since_mon_ns = e->t_mon_ns,
		.name = event_field_is(d->c, "name") ? e->c : 0,
		.kind = e->kind,
		.span = d->span };

	if (push(s, k, &span, e->t_mon_ns) == -1)
		return (-1);
	return (d->span == SPAN_task ? unshelve(s, k, e->a, e->t_mon_ns) : 0);
}

/*
 * Records are missing since some calls began.  Where an end names another
 * function that is open, theirs are among what is missing.
 */
static void
close_stale(const struct story *s, struct stack *k, const struct event *e)
{
	size_t i = k->n;

	while (i > 0 &&
	       (k->at[i - 1].span != SPAN_call || k->at[i - 1].name != e->c))
		i--;
	if (i == 0)
		return;
	for (size_t top = innermost(k, SPAN_call);
	     top > i && k->at[top - 1].stale; top = innermost(k, SPAN_call))
		take_out(s, k, top - 1, e->t_mon_ns);
}

static int
end(struct story *s, struct stack *k, const struct event_desc *d,
    const struct event *e)
{
	size_t i = innermost(k, d->span), task = i;

	if (k->deeper[d->span] > 0) {
		k->deeper[d->span]--;
		return (0);
	}
	if (i > 0 && k->at[i - 1].stale && d->span == SPAN_call) {
		close_stale(s, k, e);
		i = innermost(k, d->span);
	}
	if (d->span == SPAN_task) {
		while (task > 0 && (k->at[task - 1].span != SPAN_task ||
				       k->at[task - 1].id != e->a))
			task--;
		i = task > 0 ? task : i;
	}
	if (i-- == 0)
		return (0);
	if (e->kind == EV_task_suspend && k->at[i].id == e->a &&
	    shelve(s, k, i, e->t_mon_ns) == -1)
		return (-1);
	take_out(s, k, i, e->t_mon_ns);
	return (0);
}

static void
close_all(const struct story *s, struct stack *k, int64_t t)
{
	while (k->n > 0)
		tell_close(s, k, --k->n, t);
	memset(k->deeper, 0, sizeof(k->deeper));
}

/* A process is over: so is what is open in its threads. */
static void
close_po(struct story *s, uint32_t location, int64_t t)
{
	uint64_t po = po_of(s->defs, location);
	size_t low = 0, high = s->nplaces;
	struct stack *k;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (s->places[mid].po < po)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < s->nplaces && s->places[low].po == po; low++)
		if ((k = intmap_find(&s->stacks, s->places[low].location)) !=
		    NULL)
			close_all(s, k, t);
}

/* --- links, and locks that are held --- */

static int
cause(struct story *s, const struct event_desc *d, const struct event *e)
{
	uint64_t a = d->key == KEY_B ? e->b : e->a;
	uint64_t b = d->key == KEY_AB ? e->b : 0;
	struct cause *c;

	if ((d->key == KEY_AB ? b : a) == 0)
		return (0);
	c = seen_take(d->match == MATCH_one ? &s->one : &s->many, a,
	    b ^ (uint64_t)e->kind << 56);
	if (c == NULL)
		return (-1);
	c->causes = 1;
	c->location = e->location;
	c->t_mon_ns = e->t_mon_ns;
	return (0);
}

static void
effect(struct story *s, const struct event_desc *d, const struct event *e)
{
	uint64_t a = d->key == KEY_B ? e->b : e->a;
	uint64_t b = d->key == KEY_AB ? e->b : 0;
	struct causes_seen *seen = d->match == MATCH_one ? &s->one : &s->many;
	struct cause *c;
	struct story_link link = { .cause = defs_kind(s->defs, d->partner),
		.effect = e };

	if (link.cause == NULL || (d->key == KEY_AB ? b : a) == 0 ||
	    (c = seen_find(seen, a, b ^ (uint64_t)d->partner << 56)) == NULL)
		return;
	link.from = c->location;
	link.from_mon_ns = c->t_mon_ns;
	if (s->telling && c->t_mon_ns >= s->from_mon_ns)
		s->teller->link(s->arg, &link);
	if (d->match == MATCH_one)
		seen_remove(seen, c);
}

/* --- the way in --- */

static int
other_sides(struct story *s, const struct event_desc *d, const struct event *e,
    int64_t before_mon_ns)
{
	if (s->holds != NULL && holds_event(s->holds, e, before_mon_ns) == -1)
		return (-1);
	if (s->teller->link == NULL || d->match == MATCH_all)
		return (0);
	if (d->role == ROLE_EFFECT)
		effect(s, d, e);
	return (d->role == ROLE_CAUSE ? cause(s, d, e) : 0);
}

/* From here on all is told, first what is open. */
static void
begin_telling(struct story *s)
{
	s->telling = true;
	for (struct stack *k = s->first; k != NULL; k = k->next)
		for (size_t i = 0; i < k->n; i++) {
			k->at[i].again = true;
			tell_open(s, k, i, s->from_mon_ns);
		}
}

/* Ends of processes and threads, and where records are missing. */
static void
ends(struct story *s, struct stack *k, const struct event *e)
{
	if (e->kind == EV_thread_end)
		close_all(s, k, e->t_mon_ns);
	else if (e->kind == EV_po_end)
		close_po(s, e->location, e->t_mon_ns);
	else if (e->kind == EV_lost)
		for (size_t i = 0; i < k->n; i++)
			k->at[i].stale = true;
}

int
story_event(struct story *s, const struct event *e)
{
	const struct event_desc *d = defs_kind(s->defs, e->kind);
	struct stack *k = stack_of(s, e->location);
	bool wait;

	if (k == NULL)
		return (-1);
	if (!s->telling && e->t_mon_ns >= s->from_mon_ns)
		begin_telling(s);
	s->last_mon_ns = e->t_mon_ns;
	if (d == NULL)
		return (0);
	wait = d->span >= SPAN_wait_message;
	if (other_sides(s, d, e,
		k->events++ > 0 ? k->last_mon_ns : e->t_mon_ns) == -1)
		return (-1);
	k->last_mon_ns = e->t_mon_ns;
	if (d->shape != SHAPE_POINT && (!wait || s->teller->waits) &&
	    d->span < EVENT_SPANS &&
	    (d->shape == SHAPE_BEGIN ? begin : end)(s, k, d, e) == -1)
		return (-1);
	if (s->telling && s->teller->instant != NULL &&
	    (d->shape == SHAPE_POINT || (d->shape == SHAPE_END && wait)))
		s->teller->instant(s->arg, e, d);
	ends(s, k, e);
	return (0);
}

void
story_end(struct story *s)
{
	if (!s->telling)
		begin_telling(s);
	for (struct stack *k = s->first; k != NULL; k = k->next)
		close_all(s, k,
		    s->last_mon_ns > s->from_mon_ns ? s->last_mon_ns
						    : s->from_mon_ns);
	if (s->holds != NULL)
		holds_end(s->holds, s->last_mon_ns);
	if (s->too_deep > 0)
		log_warnx("%" PRIu64 " calls and the like that lie deeper than "
			  "%d in their thread are left out",
		    s->too_deep, STORY_DEPTH_MAX);
}

const char *
story_name(const struct defs *defs, const struct story_span *span)
{
	const char *text = defs_name_text(defs, span->name);

	return (*text != '\0' ? text : event_span_name[span->span]);
}
