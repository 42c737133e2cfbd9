/*
 * Causes and effects: is each effect behind its cause, in the log and in time?
 *
 * Of one that needs all causes of its key, its word c says how many these are.
 * That many are before it, or it is marked as one that was let go; nothing is
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

int
validate_cause(struct validate *v, const struct event *e,
    const struct event_desc *d)
{
	struct cause *c;
	uint64_t a, b;

	if (!key_of(e, d, &a, &b))
		return (0);
	c = seen_take(&v->seen[d->kind], a, b);
	if (c == NULL)
		return (-1);
	c->causes++;
	note_time(c, e, d->match);
	return (0);
}

/* An effect is at least 1 ns behind its cause. */
static void
check_time(struct validate *v, const struct event *e, const struct cause *c,
    const char *cause)
{
	if (e->flags & EVENT_ORPHAN || e->t_mon_ns > c->t_mon_ns)
		return;
	violation(v, VIOLATION_CAUSE, e,
	    "its %s is at the same time, should be before it", cause);
}

static void
check_all(struct validate *v, const struct event *e, struct causes_seen *seen,
    struct cause *c, const char *cause)
{
	if (c->causes < e->c && !(e->flags & EVENT_ORPHAN)) {
		if (v->from_the_middle)
			v->counts.unverified++;
		else
			violation(v, VIOLATION_ALL, e,
			    "only %" PRIu32 " of %" PRIu32
			    " causes (%s) have come before it",
			    c->causes, e->c, cause);
	}
	c->effects++;
	if (c->causes < e->c || c->effects < e->c)
		return;
	c->effects -= e->c; /* this turn is over */
	c->causes -= e->c;
	if (c->causes == 0)
		seen_remove(seen, c);
}

void
validate_effect(struct validate *v, const struct event *e,
    const struct event_desc *d)
{
	const struct event_desc *cause = defs_kind(v->defs, d->partner);
	const char *name = cause != NULL ? cause->name : "cause";
	struct causes_seen *seen = &v->seen[d->partner];
	struct cause *c;
	uint64_t a, b;

	if (!key_of(e, d, &a, &b) || (d->match == MATCH_all && e->c == 0))
		return;
	c = seen_find(seen, a, b);
	if (c == NULL) {
		if (e->flags & EVENT_ORPHAN)
			return;
		if (seen->forgotten || v->from_the_middle)
			v->counts.unverified++;
		else
			violation(v, VIOLATION_CAUSE, e,
			    "there is no %s of it before it", name);
		return;
	}
	v->counts.effects++;
	if (d->match != MATCH_all || c->causes <= e->c)
		check_time(v, e, c, name);
	if (d->match == MATCH_one) {
		if (--c->causes == 0)
			seen_remove(seen, c);
	} else if (d->match == MATCH_all) {
		check_all(v, e, seen, c, name);
	}
}
