/*
 * What goes into the log: definitions, events as the reorderer emits them, and
 * monitord's own words.
 *
 * Each event is booked for its location first: one that is in the log already,
 * from before a restart, is left out.  What monitord has to say (who is late,
 * who is not waited for, whose clock is not believed) is gathered, and stands
 * behind what has been emitted; late events are told in sums.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <sysexits.h>

#include "log.h"
#include "run.h"

#define LOOK_AHEAD 8 /* events, with what is known of their threads */

static void
out_of_memory(void)
{
	fatalx(EX_OSERR, "out of memory; the log can be continued");
}

void
core_define(void *arg, enum msg_type type, const void *msg)
{
	struct monitord_core *c = arg;

	if (store_frame(c->store, type, msg) == -1)
		out_of_memory();
	core_commit_soon(c);
}

/* An event is late: it is told in sums, not one by one. */
static void
count_late(struct monitord_core *c, uint32_t node, int64_t by_ns)
{
	struct node *n = core_node_by_number(c, node);

	if (n == NULL)
		return;
	n->counts.late++;
	n->counts.late_now++;
	if (by_ns > n->counts.late_by_ns)
		n->counts.late_by_ns = by_ns;
}

/* The flag of the event is the truth; this makes it easy to see. */
static void
say_orphan(struct monitord_core *c, const struct event *e)
{
	bool by_b = event_table[e->kind].key == KEY_B;

	core_say(c, EV_orphan, e->kind, by_b ? e->b : e->a, 0);
}

/*
 * Into the books of their locations.  Returns how many: up to one that is in
 * the log already, from before a restart.
 */
static size_t
book(struct monitord_core *c, const struct event *e, size_t n)
{
	struct location *at = registry_location(c->registry, 0);
	size_t i;

	for (i = 0; i < n; i++) {
		struct location *l = &at[e[i].location];

		if (i + LOOK_AHEAD < n)
			__builtin_prefetch(&at[e[i + LOOK_AHEAD].location].node,
			    1);
		if (e[i].seq < l->emitted)
			break;
		l->emitted = e[i].seq + 1;
		l->records += e[i].kind != EV_lost;
		if (e[i].flags & EVENT_ORPHAN) {
			c->orphans++;
			say_orphan(c, &e[i]);
		}
	}
	return (i);
}

/* One that store_events_take() has left. */
static void
store_one(struct monitord_core *c, const struct event *e)
{
	int64_t before = store_last_mon_ns(c->store);
	int late = store_event(c->store, e);

	if (late == -1)
		out_of_memory();
	if (late)
		count_late(c, registry_location(c->registry, e->location)->node,
		    before - e->t_mon_ns);
}

void
core_emitted(void *arg, const struct event *e, size_t n)
{
	struct monitord_core *c = arg;

	for (size_t i = 0; i < n; i++) {
		size_t new = i + book(c, e + i, n - i);

		while (i < new) {
			i += store_events_take(c->store, e + i, new - i);
			if (i < new)
				store_one(c, &e[i++]);
		}
	}
	core_commit_soon(c);
}

void
core_stalled(void *arg, uint32_t node, bool stalled, int64_t ns)
{
	struct monitord_core *c = arg;
	struct node *n = core_node_by_number(c, node);

	if (n != NULL && stalled)
		log_debug("node %s: silent for %" PRId64 " ms, not waited for",
		    n->name, ns / ENV_MS);
	core_say(c, stalled ? EV_stall : EV_rejoin, node, (uint64_t)ns, 0);
}

void
core_found(void *arg, const struct event *cause, int64_t cause_mon_ns,
    int64_t effect_mon_ns)
{
	struct monitord_core *c = arg;

	core_say(c, EV_found, cause->kind,
	    event_table[cause->kind].key == KEY_B ? cause->b : cause->a,
	    (uint64_t)(cause_mon_ns - effect_mon_ns));
}

void
core_doubted(void *arg, uint32_t node, bool doubted, int64_t worst_ns,
    int64_t bound_ns)
{
	struct monitord_core *c = arg;
	struct node *n = core_node_by_number(c, node);

	if (n != NULL && doubted)
		log_warnx("node %s: its clock is wrong by %" PRId64
			  " ns and promises %" PRId64
			  "; its events move those of other nodes no more",
		    n->name, worst_ns, bound_ns);
	else if (n != NULL)
		log_info("node %s: its clock is believed again", n->name);
	core_say(c, doubted ? EV_distrust : EV_trust, node, (uint64_t)worst_ns,
	    (uint64_t)bound_ns);
}

/*
 * Of what is told here each may have its counterpart (stall and rejoin, orphan
 * and found), so that none may be missing however many nodes and threads there
 * are.
 */
static int
notes_room(struct monitord_core *c, size_t cap)
{
	struct core_note *p = NULL;

	if (cap <= CORE_NOTES_MAX)
		p = reallocarray(c->notes.note, cap, sizeof(*p));
	if (p == NULL)
		return (-1);
	c->notes.note = p;
	c->notes.cap = cap;
	return (0);
}

int
core_notes_new(struct monitord_core *c)
{
	return (notes_room(c, CORE_NOTES));
}

/* Room for one more, asked for while there still is some. */
static int
notes_grow(struct monitord_core *c)
{
	if (c->notes.n >= c->notes.cap / 2)
		(void)notes_room(c, c->notes.cap * 2);
	return (c->notes.n < c->notes.cap ? 0 : -1);
}

void
core_say(struct monitord_core *c, uint16_t kind, uint32_t word, uint64_t a,
    uint64_t b)
{
	if (notes_grow(c) == -1) {
		c->notes.dropped++;
		return;
	}
	c->notes.note[c->notes.n++] = (struct core_note){ kind, word, a, b };
}

/* Where monitord's own words stand: behind all that has been emitted. */
static int64_t
say_at(struct monitord_core *c)
{
	int64_t last = store_last_mon_ns(c->store), now = core_now(c);
	int64_t at = reorder_watermark(c->reorder);

	if (at > now || at == INT64_MIN)
		at = now;
	return (at > last ? at : last);
}

void
core_say_all(struct monitord_core *c)
{
	struct location *self = registry_location(c->registry, 0);
	struct node *n;
	struct event e = { .location = 0 };

	TAILQ_FOREACH (n, &c->nodes, entry) {
		if (n->counts.late_now == 0)
			continue;
		core_say(c, EV_late, n->number, n->counts.late_now,
		    (uint64_t)n->counts.late_by_ns);
		n->counts.late_now = 0;
		n->counts.late_by_ns = 0;
	}
	if (c->notes.n == 0)
		return;
	e.t_mon_ns = say_at(c);
	e.t_node_ns = e.t_mon_ns - c->clock.offset_ns;
	for (size_t i = 0; i < c->notes.n; i++) {
		e.kind = c->notes.note[i].kind;
		e.a = c->notes.note[i].a;
		e.b = c->notes.note[i].b;
		e.c = c->notes.note[i].c;
		e.seq = self->pushed++;
		self->emitted = self->pushed;
		self->records++;
		if (store_event(c->store, &e) == -1)
			out_of_memory();
	}
	c->notes.n = 0;
	if (c->notes.cap > CORE_NOTES_KEPT) /* after much has come at once */
		(void)notes_room(c, CORE_NOTES);
	core_commit_soon(c);
}
