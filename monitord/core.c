/*
 * The run: what holds nodes, order and log together.
 *
 * Four timers drive it.  `tick` lets the reorderer emit while anything is
 * held; `commit` puts what was emitted on disk and has it acknowledged, soon
 * when somebody watches; `second` does what may wait; `pulse` tells the
 * viewers how things are.  When nothing happens only `second` runs.
 */
#include "core.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "inside.h"
#include "log.h"

#define COMMIT_NS         (100 * ENV_MS)
#define COMMIT_WATCHED_NS (20 * ENV_MS)
#define PULSE_NS          (100 * ENV_MS)
#define GATHER_NS         (2 * ENV_SEC) /* nodes may come so late to the order */
#define LOOK_AHEAD        8 /* events, with what is known of their threads */
#define WAITING_MAX       ((size_t)64 << 20)

const char *const core_state_name[CORE_STATES] = {
	[CORE_RUNNING] = "running",
	[CORE_FINISHING] = "finishing",
	[CORE_FINISHED] = "finished",
};

int64_t
core_mon(const struct monitord_core *c, int64_t env_ns)
{
	return (env_ns + c->offset_ns);
}

int64_t
core_now(const struct monitord_core *c)
{
	return (core_mon(c, c->env->ops->now_ns(c->env)));
}

struct node *
core_node(struct monitord_core *c, const char *name)
{
	struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (strcmp(n->name, name) == 0)
			return (n);
	return (NULL);
}

struct node *
core_node_by_number(struct monitord_core *c, uint32_t number)
{
	struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (n->number == number)
			return (n);
	return (NULL);
}

/* --- what goes into the log --- */

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
	n->late++;
	n->late_now++;
	if (by_ns > n->late_by_ns)
		n->late_by_ns = by_ns;
}

/* The flag of the event is the truth; this makes it easy to see. */
static void
say_orphan(struct monitord_core *c, const struct event *e)
{
	bool by_b = event_table[e->kind].key == KEY_B;

	if (c->nnotes < CORE_NOTES / 2) /* the rest is for what is rare */
		core_say(c, EV_orphan, e->kind, by_b ? e->b : e->a, 0);
	else
		c->notes_dropped++;
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

static void
emit_cb(void *arg, const struct event *e, size_t n)
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

static void
stall_cb(void *arg, uint32_t node, bool stalled, int64_t ns)
{
	struct monitord_core *c = arg;
	struct node *n = core_node_by_number(c, node);

	if (n != NULL && stalled)
		log_debug("node %s: silent for %" PRId64 " ms, not waited for",
		    n->name, ns / ENV_MS);
	core_say(c, stalled ? EV_stall : EV_rejoin, node, (uint64_t)ns, 0);
}

static void
found_cb(void *arg, const struct event *cause, int64_t cause_mon_ns,
    int64_t effect_mon_ns)
{
	struct monitord_core *c = arg;

	if (c->nnotes < CORE_NOTES / 2) /* the rest is for what is rare */
		core_say(c, EV_found, cause->kind,
		    event_table[cause->kind].key == KEY_B ? cause->b : cause->a,
		    (uint64_t)(cause_mon_ns - effect_mon_ns));
	else
		c->notes_dropped++;
}

static void
doubt_cb(void *arg, uint32_t node, bool doubted, int64_t worst_ns,
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

void
core_say(struct monitord_core *c, uint16_t kind, uint32_t word, uint64_t a,
    uint64_t b)
{
	if (c->nnotes == CORE_NOTES) {
		c->notes_dropped++;
		return;
	}
	c->notes[c->nnotes++] = (struct core_note){ kind, word, a, b };
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
		if (n->late_now == 0)
			continue;
		core_say(c, EV_late, n->number, n->late_now,
		    (uint64_t)n->late_by_ns);
		n->late_now = 0;
		n->late_by_ns = 0;
	}
	if (c->nnotes == 0)
		return;
	e.t_mon_ns = say_at(c);
	e.t_node_ns = e.t_mon_ns - c->offset_ns;
	for (size_t i = 0; i < c->nnotes; i++) {
		e.kind = c->notes[i].kind;
		e.a = c->notes[i].a;
		e.b = c->notes[i].b;
		e.c = c->notes[i].c;
		e.seq = self->pushed++;
		self->emitted = self->pushed;
		self->records++;
		if (store_event(c->store, &e) == -1)
			out_of_memory();
	}
	c->nnotes = 0;
	core_commit_soon(c);
}

/* --- timers --- */

void
core_kick(struct monitord_core *c)
{
	if (c->tick_set)
		return;
	c->tick_set = true;
	c->env->ops->timer_set(c->tick, REORDER_TICK_NS);
}

void
core_commit_soon(struct monitord_core *c)
{
	int64_t delay =
	    TAILQ_EMPTY(&c->streams) ? COMMIT_NS : COMMIT_WATCHED_NS;

	if (c->commit_set)
		return;
	if (store_failed(c->store, NULL))
		delay = ENV_SEC;
	c->commit_set = true;
	c->env->ops->timer_set(c->commit, delay);
}

bool
core_commit_now(struct monitord_core *c)
{
	struct node *n;
	bool good = store_commit(c->store);

	stream_news(c);
	if (good)
		TAILQ_FOREACH (n, &c->nodes, entry)
			node_acknowledge(n);
	else
		core_commit_soon(c);
	core_pressure(c);
	return (good);
}

static void
commit_cb(void *arg)
{
	struct monitord_core *c = arg;
	struct node *n;

	c->commit_set = false;
	if (c->state == CORE_FINISHED || !core_commit_now(c))
		return;
	TAILQ_FOREACH (n, &c->nodes, entry)
		if (!STAILQ_EMPTY(&n->batches))
			core_commit_soon(c); /* the reorderer has them */
	finish_check(c);
}

/*
 * After a start some nodes come back before others.  Until all that are known
 * are here, or have had their time, nothing is emitted, or else what the
 * later ones bring would be late.
 */
static bool
gathering(struct monitord_core *c)
{
	struct node *n;

	if (core_now(c) - c->start_ns >= GATHER_NS ||
	    c->state != CORE_RUNNING || reorder_full(c->reorder))
		return (false);
	TAILQ_FOREACH (n, &c->nodes, entry)
		if (n->state == NODE_NEW || n->state == NODE_SYNCING)
			return (true);
	return (false);
}

static void
tick_cb(void *arg)
{
	struct monitord_core *c = arg;

	c->tick_set = false;
	if (c->state == CORE_FINISHED)
		return;
	if (!gathering(c)) {
		reorder_tick(c->reorder, core_now(c));
		core_say_all(c);
	}
	core_pressure(c);
	if (reorder_held_bytes(c->reorder) > 0)
		core_kick(c);
}

static void
second_cb(void *arg)
{
	struct monitord_core *c = arg;
	struct node *n;
	uint64_t events = store_events(c->store);

	c->rate = (uint32_t)(events - c->rate_events);
	c->rate_events = events;
	TAILQ_FOREACH (n, &c->nodes, entry)
		node_second(n);
	if (c->together != NULL && c->state != CORE_FINISHED)
		together_second(c->together);
	core_kick(c); /* stalls are found by looking */
	finish_check(c);
	c->env->ops->timer_set(c->second, ENV_SEC);
}

static void
pulse_cb(void *arg)
{
	struct monitord_core *c = arg;

	stream_pulse(c);
	c->env->ops->timer_set(c->pulse, PULSE_NS);
}

/* The log is behind: until it has caught up, nobody is read from. */
static bool
log_behind(const struct monitord_core *c)
{
	size_t waiting = store_waiting_bytes(c->store);

	return (waiting > WAITING_MAX ||
		(store_failed(c->store, NULL) && waiting > WAITING_MAX / 8));
}

void
core_pressure_of(struct node *n)
{
	struct monitord_core *c = n->core;

	if (n->state != NODE_RUNNING || n->end == NODE_FINISHED)
		return;
	node_pause(n, log_behind(c) || reorder_ahead(c->reorder, n->number));
	c->paused |= n->paused;
}

void
core_pressure(struct monitord_core *c)
{
	struct node *n;

	if (!c->paused && !log_behind(c) && !reorder_full(c->reorder))
		return;
	c->paused = false;
	TAILQ_FOREACH (n, &c->nodes, entry)
		core_pressure_of(n);
}

/* Nothing has been touched yet when this is said. */
static void
cannot_listen(const char *address, struct store_error *err)
{
	bool local = strncmp(address, "unix:", 5) == 0;

	if (errno == EADDRINUSE && local)
		store_fail(err, EX_TEMPFAIL,
		    "another monitord runs at %s; "
		    "stop it with `monitorctl shutdown', or give this one "
		    "another --dir",
		    address);
	else if (errno == EADDRINUSE)
		store_fail(err, EX_UNAVAILABLE,
		    "%s is used by another "
		    "program; choose another port with --listen",
		    address);
	else
		store_fail(err, EX_UNAVAILABLE, "cannot listen at %s: %s",
		    address, strerror(errno));
}

static int
open_doors(struct monitord_core *c, struct store_error *err)
{
	c->listen = listen_new(c);
	if (c->listen == NULL)
		return (store_no_memory(err));
	for (size_t i = 0; i < c->set.nlisten; i++) {
		if (listen_add(c->listen, c->set.listen[i]) == 0)
			continue;
		cannot_listen(c->set.listen[i], err);
		return (-1);
	}
	return (0);
}

static int
make_timers(struct monitord_core *c)
{
	const struct env_ops *ops = c->env->ops;

	c->tick = ops->timer_new(c->env, tick_cb, c);
	c->commit = ops->timer_new(c->env, commit_cb, c);
	c->second = ops->timer_new(c->env, second_cb, c);
	c->pulse = ops->timer_new(c->env, pulse_cb, c);
	if (c->tick == NULL || c->commit == NULL || c->second == NULL ||
	    c->pulse == NULL)
		return (-1);
	ops->timer_set(c->second, ENV_SEC);
	ops->timer_set(c->pulse, PULSE_NS);
	return (0);
}

struct monitord_core *
core_new(struct env *env, const struct core_settings *set,
    void (*ended)(void *arg, int code), void *arg, struct store_error *err)
{
	struct monitord_core *c = calloc(1, sizeof(*c));

	if (c == NULL) {
		store_no_memory(err);
		return (NULL);
	}
	c->env = env;
	c->set = *set;
	c->ended = ended;
	c->ended_arg = arg;
	TAILQ_INIT(&c->nodes);
	TAILQ_INIT(&c->streams);
	TAILQ_INIT(&c->controls);
	c->registry = registry_new(core_define, c);
	c->reorder = reorder_new(&reorder_defaults, emit_cb, stall_cb, c);
	if (c->reorder != NULL) {
		reorder_on_found(c->reorder, found_cb, c);
		reorder_on_doubt(c->reorder, doubt_cb, c);
	}
	if (c->reorder != NULL && !set->pings_only)
		c->together = together_new(c);
	if (c->registry == NULL || c->reorder == NULL ||
	    (c->together == NULL && !set->pings_only) || make_timers(c) == -1)
		store_no_memory(err);
	else if (open_doors(c, err) == 0 && core_open_log(c, err) == 0) {
		c->set.nodes = c->set.listen = NULL; /* were borrowed */
		return (c);
	}
	core_free(c);
	return (NULL);
}

void
core_free(struct monitord_core *c)
{
	const struct env_ops *ops;
	struct node *n;

	if (c == NULL)
		return;
	ops = c->env->ops;
	finish_free(c);
	stream_free_all(c);
	control_free_all(c);
	while ((n = TAILQ_FIRST(&c->nodes)) != NULL) {
		TAILQ_REMOVE(&c->nodes, n, entry);
		node_free(n);
	}
	listen_free(c->listen);
	ops->timer_free(c->tick);
	ops->timer_free(c->commit);
	ops->timer_free(c->second);
	ops->timer_free(c->pulse);
	together_free(c->together);
	reorder_free(c->reorder);
	store_close(c->store);
	registry_free(c->registry);
	for (size_t i = 0; i < c->nmaps; i++)
		clockmap_clear(&c->maps[i]);
	free(c->told_node_ns);
	free(c->maps);
	buf_free(&c->scratch);
	free(c);
}

void
core_finish(struct monitord_core *c)
{
	finish_start(c);
}

bool
core_finishing(const struct monitord_core *c)
{
	return (c->state != CORE_RUNNING);
}

void
core_node_note(struct monitord_core *c, const char *node, const char *note)
{
	struct node *n = core_node(c, node);

	if (n != NULL)
		snprintf(n->note, sizeof(n->note), "%s", note);
}

bool
core_node_connected(const struct monitord_core *c, const char *node)
{
	const struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (strcmp(n->name, node) == 0)
			return (n->data != NULL);
	return (false);
}

unsigned
core_node_connects(const struct monitord_core *c, const char *node)
{
	const struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (strcmp(n->name, node) == 0)
			return (n->connects);
	return (0);
}
