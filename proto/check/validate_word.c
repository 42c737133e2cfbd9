/*
 * Words: is what an event names defined, and is what the monitor says of
 * itself true of the events?
 *
 * The monitor's records may be fewer than there is to tell (it was killed, or
 * there were too many at once), but never more.
 */
#include <inttypes.h>

#include "validate_inside.h"

static char
type_of(const char *field)
{
	return (event_field_is(field, "name")   ? 'n'
		: event_field_is(field, "node") ? 'o'
		: event_field_is(field, "kind") ? 'k'
						: 0);
}

static void
check_word(struct validate *v, const struct event *e, const char *field,
    char type, uint64_t word)
{
	const char *what = NULL;

	if (word == 0 && type != 'k')
		return; /* none, or monitord */
	if (type == 'n' &&
	    (word > UINT32_MAX || defs_name(v->defs, (uint32_t)word) == NULL))
		what = "name";
	if (type == 'o' &&
	    (word > UINT32_MAX || defs_node(v->defs, (uint32_t)word) == NULL))
		what = "node";
	if (type == 'k' &&
	    (word >= EVENT_KINDS || defs_kind(v->defs, (unsigned)word) == NULL))
		what = "kind";
	if (what != NULL)
		violation(v, VIOLATION_NAME, e,
		    "its word \"%s\" is %s %" PRIu64 ", which is not defined",
		    field, what, word);
}

void
validate_words(struct validate *v, const struct event *e,
    const struct event_desc *d)
{
	struct naming *n = &v->naming[e->kind];

	if (!n->known) {
		n->type[0] = type_of(d->a);
		n->type[1] = type_of(d->b);
		n->type[2] = type_of(d->c);
		n->known = true;
	}
	if (n->type[0] != 0)
		check_word(v, e, d->a, n->type[0], e->a);
	if (n->type[1] != 0)
		check_word(v, e, d->b, n->type[1], e->b);
	if (n->type[2] != 0)
		check_word(v, e, d->c, n->type[2], e->c);
}

/* Begins and ends of the same thing: an end needs a begin. */
static void
check_pair(struct validate *v, const struct event *e, bool *on, bool begins,
    const char *begin)
{
	if (!begins && !*on && !v->from_the_middle)
		violation(v, VIOLATION_MONITOR, e,
		    "there is no %s of its node before it", begin);
	*on = begins;
}

/*
 * An event that is put behind its cause in the end may stand behind what was
 * said of it, so only the sums are compared.
 */
void
validate_told(struct validate *v)
{
	if (v->from_the_middle)
		return;
	for (size_t i = 0; v->nodes.n > 0 && i <= v->nodes.mask; i++) {
		const struct checked_node *n = v->nodes.slot[i].p;

		if (n != NULL && n->late_told > n->late)
			violation(v, VIOLATION_MONITOR, NULL,
			    "%" PRIu64 " late events of node %" PRIu32
			    " are told, %" PRIu64 " are marked as late",
			    n->late_told, n->number, n->late);
	}
	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		const struct event_desc *d = defs_kind(v->defs, k);

		if (v->orphans_told[k] > v->of_kind[k])
			violation(v, VIOLATION_MONITOR, NULL,
			    "%" PRIu64
			    " orphans of kind %s are told, there are "
			    "%" PRIu64 " of that kind",
			    v->orphans_told[k], d == NULL ? "?" : d->name,
			    v->of_kind[k]);
	}
}

static void
said_step(struct validate *v, struct checked_node *n, const struct event *e)
{
	bool there = false;

	for (size_t k = n->clocks; k > 0 && !there; k--) {
		const struct checked_clock *c = &n->clock[k - 1];

		for (size_t i = c->pieces; i > 0 && !there; i--)
			there = c->piece[i - 1].epoch == e->b;
	}
	if (!there)
		violation(v, VIOLATION_MONITOR, e,
		    "its node's clock map has no such epoch");
	else if (e->b > n->steps_told)
		n->steps_told = (uint32_t)e->b;
}

int
validate_said(struct validate *v, const struct location *l,
    const struct event *e)
{
	struct checked_node *n;

	if (e->kind == EV_lost)
		return (0);
	if (e->location != 0 && l->node != NULL) {
		violation(v, VIOLATION_MONITOR, e,
		    "only the monitor can say this");
		return (0);
	}
	if (e->kind == EV_orphan && e->c < EVENT_KINDS)
		v->orphans_told[e->c]++;
	v->counts.found += e->kind == EV_found;
	if (e->kind == EV_orphan || e->kind == EV_found ||
	    defs_node(v->defs, e->c) == NULL)
		return (0);
	n = validate_node(v, e->c);
	if (n == NULL)
		return (-1);
	switch (e->kind) {
	case EV_late:
		n->late_told += e->a;
		break;
	case EV_stall:
	case EV_rejoin:
		check_pair(v, e, &n->stalled, e->kind == EV_stall, "stall");
		break;
	case EV_distrust:
	case EV_trust:
		check_pair(v, e, &n->distrusted, e->kind == EV_distrust,
		    "distrust");
		break;
	case EV_clock_step:
		said_step(v, n, e);
		break;
	default:
		break;
	}
	return (0);
}
