/*
 * Causes and effects: is each effect behind its cause, in the log and in time?
 *
 * What the monitor has marked as let go without its cause is not taken on
 * trust.  An effect that has none before it is remembered; when one comes, it
 * stands too early, whatever its mark says, and what is left at the end has
 * none.  In a log that still grows a mark excuses that; in a finished one only
 * those without a cause bear it.
 *
 * Of one that needs all causes of its key, its word c says how many these are.
 * That many are before it, or else it has no cause; nothing is
 * promised of more than it asks for (parties that the program has miscounted,
 * or a turn that it has used twice), and none of them is to blame.
 */
#include <inttypes.h>

#include "validate_inside.h"

/* Key of the event, or false when it pairs with nothing. */
static bool
key_of(const struct event *e, const struct event_desc *d, uint64_t *a,
    uint64_t *b)
{
	*a = d->key == KEY_B ? 0 : e->a;
	*b = d->key == KEY_A ? 0 : e->b;
	return ((d->key == KEY_A ? *a : *b) != 0);
}

/* Time of the cause that counts: the first of many, the last of all. */
static void
note_time(struct cause *c, const struct event *e, uint8_t match)
{
	if (c->causes == 1 || match == MATCH_all)
		c->t_mon_ns = e->t_mon_ns;
	else if (match == MATCH_one)
		c->t_mon_ns = INT64_MIN; /* several: which is it? */
}

/* It stands before the cause that has come now. */
static void
too_early(struct validate *v, const struct event *e, const struct cause *w,
    uint32_t effects, uint32_t marked)
{
	v->counts.early += effects;
	v->counts.without -= effects;
	v->counts.unmarked -= effects - marked;
	/* of those that are not marked it was told where they stand */
	if (marked > 0 && !v->growing)
		violation(v, VIOLATION_EARLY, e,
		    "%" PRIu32 " of its effects, the last one of location "
		    "%" PRIu32 ", stands %" PRId64 " ns before it",
		    marked, w->location, e->t_mon_ns - w->t_mon_ns);
}

/*
 * A cause: does an effect of it stand before it?  True: it has had its one
 * effect so.
 */
static bool
meet_waiting(struct validate *v, const struct event *e,
    const struct event_desc *d, uint64_t a, uint64_t b, uint32_t causes)
{
	struct causes_seen *waiting = &v->waiting[d->kind];
	struct cause *w = seen_find(waiting, a, b);

	/* what its own thread has done before cannot be its effect */
	if (w == NULL || w->location == e->location || causes < w->need)
		return (false);
	if (d->match != MATCH_one) {
		too_early(v, e, w, w->causes, w->effects);
		seen_remove(waiting, w);
		return (false);
	}
	too_early(v, e, w, 1, w->effects > 0);
	w->effects -= w->effects > 0;
	if (--w->causes == 0)
		seen_remove(waiting, w);
	return (true);
}

int
validate_cause(struct validate *v, const struct event *e,
    const struct event_desc *d)
{
	struct cause *c;
	uint64_t a, b;

	if (!key_of(e, d, &a, &b))
		return (0);
	if (d->match == MATCH_one && meet_waiting(v, e, d, a, b, 1))
		return (0);
	c = seen_take(&v->seen[d->kind], a, b);
	if (c == NULL)
		return (-1);
	c->causes++;
	note_time(c, e, d->match);
	if (d->match != MATCH_one)
		meet_waiting(v, e, d, a, b, c->causes);
	return (0);
}

/* An effect that has no cause before it: one may come. */
static int
wait_for(struct validate *v, const struct event *e, const struct event_desc *d,
    uint64_t a, uint64_t b)
{
	bool marked = (e->flags & EVENT_ORPHAN) != 0;
	uint32_t need = d->match == MATCH_all ? e->c : 1;
	struct cause *w = seen_take(&v->waiting[d->partner], a, b);

	if (w == NULL)
		return (-1);
	if (w->causes == 0)
		w->location = e->location;
	else if (w->location != e->location)
		w->location = UINT32_MAX;
	w->causes++;
	w->effects += marked;
	w->t_mon_ns = e->t_mon_ns;
	w->need = need > w->need ? need : w->need;
	v->counts.without++;
	v->counts.unmarked += !marked;
	return (0);
}

/* Its cause is before it in the log, and so should it be in time, by 1 ns. */
static void
check_behind(struct validate *v, const struct event *e, const struct cause *c,
    bool timed, const char *cause)
{
	bool marked = (e->flags & EVENT_ORPHAN) != 0;

	if (timed && e->t_mon_ns <= c->t_mon_ns) {
		v->counts.early++;
		if (!marked || !v->growing)
			violation(v, marked ? VIOLATION_EARLY : VIOLATION_CAUSE,
			    e,
			    "its %s is at the same time, should be before it",
			    cause);
		return;
	}
	v->counts.effects += !marked;
	v->counts.marked += marked;
	if (marked && !v->growing)
		violation(v, VIOLATION_ORPHAN, e,
		    "it is marked as an orphan, but its %s is before it",
		    cause);
}

/*
 * Those that need all causes: is this turn over?  Where a turn is part of the
 * key, everybody who has come leaves; a block has one end.
 */
static void
count_turn(struct causes_seen *seen, struct cause *c,
    const struct event_desc *d, uint32_t need)
{
	uint32_t effects = d->key == KEY_AB ? need : 1;

	c->effects++;
	if (c->causes < need || c->effects < effects)
		return;
	c->effects -= effects; /* this turn is over */
	c->causes -= need;
	if (c->causes == 0)
		seen_remove(seen, c);
}

/* An effect without causes enough: that is a violation if it is not marked. */
static int
lacks(struct validate *v, const struct event *e, const struct event_desc *d,
    uint64_t a, uint64_t b, uint32_t causes, const char *cause)
{
	if (e->flags & EVENT_ORPHAN)
		return (wait_for(v, e, d, a, b));
	if (v->seen[d->partner].forgotten || v->from_the_middle) {
		v->counts.unverified++;
		return (0);
	}
	if (causes == 0)
		violation(v, VIOLATION_CAUSE, e,
		    "there is no %s of it before it", cause);
	else
		violation(v, VIOLATION_ALL, e,
		    "only %" PRIu32 " of %" PRIu32
		    " causes (%s) have come before it",
		    causes, e->c, cause);
	return (wait_for(v, e, d, a, b));
}

int
validate_effect(struct validate *v, const struct event *e,
    const struct event_desc *d)
{
	const struct event_desc *cause = defs_kind(v->defs, d->partner);
	const char *name = cause != NULL ? cause->name : "cause";
	struct causes_seen *seen = &v->seen[d->partner];
	bool all = d->match == MATCH_all;
	uint32_t need = all ? e->c : 1, causes;
	struct cause *c;
	uint64_t a, b;
	int rv = 0;

	if (!key_of(e, d, &a, &b) || need == 0)
		return (0);
	c = seen_find(seen, a, b);
	causes = c == NULL ? 0 : c->causes;
	if (causes < need)
		rv = lacks(v, e, d, a, b, causes, name);
	else
		check_behind(v, e, c, !all || causes == need, name);
	if (c != NULL && all)
		count_turn(seen, c, d, need);
	else if (c != NULL && d->match == MATCH_one && --c->causes == 0)
		seen_remove(seen, c);
	return (rv);
}
